/** A carrier with the ready settings of a provider, in front of a double of the provider that tests its requests. */
import { readyProviders } from '../../../src/app/carriers/ready-providers.ts'
import { createHttpCarrier } from '../../../src/carriers/http/http-carrier.ts'
import { fillAnswers } from '../../../src/operations/admin/carriers/fill-answers.ts'
import type { Provider } from '../../../src/operations/admin/fields/provider-file.ts'
import type { Carrier, Submission } from '../../../src/ports/carriers/carrier.ts'
import { type DoubleAnswer, type DoubleRequest, HttpDouble } from '../../../src/simulator/server/http-double.ts'
import { SubmissionMaker } from '../../conformance/carrier.ts'
import { settled } from '../eventually.ts'
import { gather } from '../http-benches.ts'

const PUBLIC_URL = 'https://sms.example.com'
/** The answer to the question for a token. */
export const WEBHOOK_TOKEN = 'a-token-of-our-own'

/** What a double has taken. */
interface TakenMessage {
  /** The id that its receipts repeat. */
  readonly id: string
  /** The webhook that the request named; empty without one. */
  readonly callback: string
}

/**
 * A provider as strict as its documentation. Ends of phones say what it answers: 00 taken, 01 no such number, 02 opted
 * out, 03 no credit, 04 too many requests.
 */
export interface ProviderDouble {
  /** The name of its file. */
  readonly provider: string
  /** What an operator answers. */
  readonly answers: Readonly<Record<string, string>>
  /** Messages that it has taken, in order. */
  readonly taken: TakenMessage[]
  /** Ends of phones with an answer of their own. */
  readonly ends: readonly string[]
  answer(request: DoubleRequest): DoubleAnswer
  receipt(message: TakenMessage, outcome: 'delivered' | 'failed'): ProviderCall
  /** An inbound message from +380501234599 to 4915550001. */
  inbound(text: string): ProviderCall
}

/** A call of the provider to one of our webhooks. */
export interface ProviderCall {
  readonly method?: string
  /** Absolute, as the provider knows it. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export class ProviderBench {
  readonly parts = gather()
  readonly carrier: Carrier
  /** Requests for sending, without those for the balance. */
  readonly seen: DoubleRequest[]
  readonly #server: HttpDouble
  readonly #submissions = new SubmissionMaker({ carrier: { channel: 'sms' } as never, sender: 'Shop' })

  private constructor(server: HttpDouble, settings: object, seen: DoubleRequest[]) {
    this.#server = server
    this.seen = seen
    const setup = { id: 'up', channel: 'sms' as const, settings }
    this.carrier = createHttpCarrier(setup, { ...this.parts, publicUrl: PUBLIC_URL })
    this.carrier.start(this.parts.inbox)
  }

  static async start(double: ProviderDouble): Promise<ProviderBench> {
    const seen: DoubleRequest[] = []
    const server = await HttpDouble.listen((request) => {
      if (request.method === 'HEAD') return { status: 404, body: '' }
      seen.push(request)
      return double.answer(request)
    })
    return new ProviderBench(server, settingsFor(double, server.address), seen)
  }

  /** Returns the verdicts and the reference that the submission has at Posthorn. */
  async send(phoneEnd: string, text = 'Hello', change: Partial<Submission> = {}) {
    const content = { kind: 'text' as const, text }
    const submission = this.#submissions.make(phoneEnd, { content, ...change })
    const verdicts = await settled('the verdict', this.carrier.submit(submission), this.parts.clock)
    return { verdict: verdicts[0], verdicts, ref: `${submission.messageId}-${submission.step}` }
  }

  /** Passes a call on as the public port does. Returns the status of the answer and its body. */
  async call({ method = 'POST', url, headers = {}, body = '' }: ProviderCall) {
    const prefix = `${PUBLIC_URL}/carriers/up`
    if (!url.startsWith(prefix)) throw new Error(`${url} is no address of the carrier`)
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const head = { method, path: url.slice(prefix.length), headers: lower }
    const refused = this.carrier.refuseWebhook?.(head) ?? null
    return refused ?? (await this.carrier.answerWebhook?.({ ...head, body: Buffer.from(body) }))
  }

  async stop(): Promise<void> {
    await settled('the carrier to stop', this.carrier.stop(), this.parts.clock)
    await this.#server.goDown()
  }
}

/** The hosts of its addresses are the double's. */
function settingsFor({ provider: name, answers }: ProviderDouble, address: string): object {
  const provider = providerFile(name)
  const moved = JSON.stringify(provider).replace(/"https:\/\/[^/"?]+/g, `"${address}`)
  const here = JSON.parse(moved) as Provider
  return fillAnswers(here, answers, null, { bytes: () => new Uint8Array(24), below: () => 0 })
}

/** Throws if there is no such file. */
export function providerFile(name: string): Provider {
  const provider = readyProviders().find((each) => each.name === name)
  if (provider === undefined) throw new Error(`there is no file of ${name}`)
  return provider
}

export function json(status: number, body: unknown): DoubleAnswer {
  return { status, body: JSON.stringify(body) }
}

/** Returns the fields of a form; throws if one is there twice or the content type is another. */
export function readForm({ headers, body }: DoubleRequest): Readonly<Record<string, string>> {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') throw new Error('not a form')
  const fields = [...new URLSearchParams(body)]
  if (new Set(fields.map(([name]) => name)).size !== fields.length) throw new Error('a field twice')
  return Object.fromEntries(fields)
}

export function readJson({ headers, body }: DoubleRequest): Record<string, unknown> {
  if (headers['content-type'] !== 'application/json') throw new Error('not JSON')
  return JSON.parse(body) as Record<string, unknown>
}

/** Returns `user:password` of HTTP basic authentication. */
export function basicOf({ headers }: DoubleRequest): string {
  return Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
}

/** Throws if a field is missing or unknown. */
export function expectFields(fields: object, needed: readonly string[], optional: readonly string[] = []): void {
  const names = Object.keys(fields)
  const missing = needed.filter((name) => !names.includes(name))
  const unknown = names.filter((name) => !needed.includes(name) && !optional.includes(name))
  if (missing.length + unknown.length > 0) throw new Error(`missing ${missing}, unknown ${unknown}`)
}

/** The last two digits of a phone. */
export function endOf(phone: unknown): string {
  return String(phone).slice(-2)
}

/** The address of a webhook of the carrier, with the token if its calls have no other proof. */
export function webhook(path: '' | '/inbound', token = ''): string {
  return `${PUBLIC_URL}/carriers/up${path}${token === '' ? '' : `/${token}`}`
}

export function formCall(url: string, fields: Readonly<Record<string, string>>, headers = {}): ProviderCall {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return { url, headers: { ...type, ...headers }, body: new URLSearchParams(fields).toString() }
}

export function jsonCall(url: string, body: unknown, headers = {}): ProviderCall {
  return { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}
