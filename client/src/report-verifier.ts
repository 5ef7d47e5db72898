/**
 * Verifies that a request to a hook is a report of the gateway: Standard Webhooks 1.0, symmetric signatures. Nothing of
 * a body is parsed before its signature is verified.
 */
import { parseExact } from './exact-json.ts'
import { ReportRejected } from './posthorn-error.ts'
import { type Report, readReport } from './report.ts'

export interface ReportVerifierOptions {
  /** The account's hook secret, `whsec_…`; during a rotation the old and the new one. */
  readonly secrets: string | readonly string[]
  /** Maximum difference between the time of signing and now, seconds; 300 if absent. */
  readonly toleranceSeconds?: number | undefined
  /** The time, in milliseconds; of this machine if absent. */
  readonly now?: (() => number) | undefined
}

export interface VerifiedReport {
  /** The same on every try of one report, posted alone or in an array: use it to recognize repetitions. */
  readonly webhookId: string
  readonly report: Report
}

/** Headers as in `fetch`, Node and frameworks modelled on them. */
export type ReportHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>

/** Not every runtime's types know the name `CryptoKey`. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const TOLERANCE_SECONDS = 300
/** Maximum signatures read from a header, because anyone may send one. */
const MAX_SIGNATURES = 16
const LONGEST_ID = 256
/** Minimum bytes of a secret, by Standard Webhooks 1.0: a shorter one is a mistake and could be guessed. */
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64

export class ReportVerifier {
  readonly #secrets: readonly Uint8Array<ArrayBuffer>[]
  #keys: Promise<readonly HmacKey[]> | null = null
  readonly #toleranceSeconds: number
  readonly #now: () => number

  /** @throws TypeError for an invalid secret, without disclosing it. */
  constructor({ secrets, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: ReportVerifierOptions) {
    this.#secrets = [secrets ?? []].flat().map(readSecret)
    if (this.#secrets.length === 0)
      throw new TypeError(
        'secrets: at least one is needed; is its environment variable set, such as POSTHORN_HOOK_SECRET?',
      )
    if (!(typeof toleranceSeconds === 'number' && toleranceSeconds >= 0)) {
      throw new TypeError('toleranceSeconds: must be a number of seconds, 0 or more')
    }
    this.#toleranceSeconds = toleranceSeconds
    this.#now = now
  }

  /**
   * Verifies a request with one report. Accounts with several reports per POST need `verifyAll`.
   * @param body as received, not parsed: the signature covers its bytes.
   * @throws ReportRejected if the request is not trustworthy; TypeError if the body was parsed already.
   */
  async verify(body: string | Uint8Array, headers: ReportHeaders): Promise<VerifiedReport> {
    const { webhookId, parsed } = await this.#verify(body, headers)
    if (Array.isArray(parsed)) throw new ReportRejected('the body has several reports: use verifyAll', 'body')
    return { webhookId, report: reportIn(parsed) }
  }

  /**
   * Verifies a request with one report or an array of them, and returns them in order. The answer to the request counts
   * for all of them. Parameters and errors as of `verify`.
   */
  async verifyAll(body: string | Uint8Array, headers: ReportHeaders): Promise<readonly VerifiedReport[]> {
    const { webhookId, parsed } = await this.#verify(body, headers)
    if (!Array.isArray(parsed)) return [{ webhookId, report: reportIn(parsed) }]
    return parsed.map(readItem)
  }

  /** The id of the request and its parsed body. */
  async #verify(
    body: string | Uint8Array,
    headers: ReportHeaders,
  ): Promise<{ readonly webhookId: string; readonly parsed: unknown }> {
    const bytes = bytesOf(body)
    const webhookId = header(headers, 'webhook-id')
    const timestamp = header(headers, 'webhook-timestamp')
    const signatures = readSignatures(header(headers, 'webhook-signature'))
    if (webhookId.length > LONGEST_ID) throw new ReportRejected('webhook-id is too long', 'headers')
    this.#checkTime(timestamp)
    const signed = concat(new TextEncoder().encode(`${webhookId}.${timestamp}.`), bytes)
    if (!(await this.#isSigned(signed, signatures))) {
      throw new ReportRejected('no signature was made with a secret of this hook', 'signature')
    }
    return { webhookId, parsed: parseBody(bytes) }
  }

  #checkTime(timestamp: string): void {
    if (!/^\d{1,12}$/.test(timestamp)) throw new ReportRejected('webhook-timestamp is no time', 'headers')
    if (Math.abs(this.#now() / 1000 - Number(timestamp)) > this.#toleranceSeconds) {
      throw new ReportRejected('signed too long ago, or in the future', 'timestamp')
    }
  }

  /** `subtle.verify` compares in constant time. */
  async #isSigned(signed: Uint8Array<ArrayBuffer>, signatures: readonly Uint8Array<ArrayBuffer>[]): Promise<boolean> {
    this.#keys ??= Promise.all(this.#secrets.map(importKey))
    for (const key of await this.#keys) {
      for (const signature of signatures) {
        if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
      }
    }
    return false
  }
}

function importKey(secret: Uint8Array<ArrayBuffer>): Promise<HmacKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? fromBase64(secret.replace(/^whsec_/, '')) : null
  if (bytes === null || bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES) {
    const rule = `whsec_ and the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`
    throw new TypeError(`secrets: must be ${rule}, as the gateway shows them`)
  }
  return bytes
}

/** Of the versions of the scheme only `v1` is symmetric. */
function readSignatures(value: string): readonly Uint8Array<ArrayBuffer>[] {
  const listed = value.split(' ').filter((each) => each.startsWith('v1,'))
  return listed.slice(0, MAX_SIGNATURES).flatMap((each) => fromBase64(each.slice('v1,'.length)) ?? [])
}

function header(headers: ReportHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : findHeader(headers, name)
  if (typeof value === 'string' && value !== '') return value
  throw new ReportRejected(`${name} is missing`, 'headers')
}

function findHeader(headers: object, name: string): unknown {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ReportRejected('the body is no JSON', 'body')
  }
}

/** Reads an item of an array: a report with its id. */
function readItem(item: unknown): VerifiedReport {
  if (typeof item !== 'object' || item === null || !('webhook_id' in item)) {
    throw new ReportRejected('a report in the body has no webhook_id', 'body')
  }
  const { webhook_id: webhookId, ...body } = item
  if (typeof webhookId !== 'string' || webhookId === '' || webhookId.length > LONGEST_ID) {
    throw new ReportRejected('webhook_id is no id', 'body')
  }
  return { webhookId, report: reportIn(body) }
}

function reportIn(body: unknown): Report {
  const report = readReport(body)
  if (report === null) throw new ReportRejected('the body is no report', 'body')
  return report
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('body: must be the text or the bytes as they came, before anything has parsed them')
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

/** Null if it is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
