/**
 * Executes requests of the older protocols as operations of the JSON API: keys, limits, prices and errors are those of
 * the API, because the request is one of it.
 */
import { REQUEST_ERRORS } from '../../contract/error-texts.ts'
import { Refused } from '../../contract/refused.ts'
import type { ClientRequest } from '../../operations/client-request.ts'
import type { Run } from '../../operations/run.ts'
import type { WorkForKey } from '../../operations/work-for-key.ts'
import type { Step } from '../../operations/work-queue.ts'

export type Operation = Readonly<Record<string, unknown>>

/** The result of one operation. */
export interface OlderResult {
  readonly success: boolean
  readonly data: Readonly<Record<string, unknown>>
  /** Empty on success. */
  readonly error: string
  /** The field that the error is about; empty if it is about none. */
  readonly field: string
}

interface OlderAnswer {
  /** Why nothing was executed; null if the operations were. */
  readonly error: string | null
  /** In the order of the operations. */
  readonly results: readonly OlderResult[]
}

/** Executes operations for an API key. */
export type Ask = (key: string, operations: readonly Operation[]) => Promise<OlderAnswer>

export function createAsk(run: Run, origin: Pick<ClientRequest, 'address' | 'reserve'>): Ask {
  return async (key, operations) => {
    if (operations.length === 0) return { error: null, results: [] }
    const body = Buffer.from(JSON.stringify({ auth: key, data: operations }))
    return readAnswer(await run({ ...origin, mode: 'sync', body, idempotencyKey: null, traceparent: null }))
  }
}

/** Repeats a step of reading a request, as far as its key is valid; returns why not, or null. */
type ReadInTurn = (key: string, step: Step) => Promise<string | null>

export function createReadInTurn(workForKey: WorkForKey, origin: Pick<ClientRequest, 'address'>): ReadInTurn {
  return async (key, step) => {
    try {
      await workForKey(origin, key, step)
      return null
    } catch (error) {
      if (error instanceof Refused) return error.message
      throw error
    }
  }
}

/** What a protocol needs of the API. */
export interface OlderApi {
  readonly ask: Ask
  readonly readInTurn: ReadInTurn
}

function readAnswer(text: string): OlderAnswer {
  const answer = JSON.parse(text) as Partial<{ error: string; data: readonly Partial<OlderResult>[] }>
  if (answer.data === undefined) return { error: answer.error ?? REQUEST_ERRORS.internal, results: [] }
  const results = answer.data.map(({ success = false, data = {}, error = '', field = '' }) => {
    return { success, data, error, field }
  })
  return { error: null, results }
}

/** Clients of the older protocols name messages by numbers. Longer digits would lose some as a number. */
export function idOf(text: string): number | string {
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}

/**
 * Returns the time as RFC 3339. It may lack its colons, as in error texts of the HTTP protocol. Other texts are
 * returned as they are, and refused.
 */
export function timeOf(text: string): string {
  return text.replace(/T(\d\d)(\d\d)(\d\d)/, 'T$1:$2:$3').replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
}

const PARTS: Readonly<Record<string, string>> = { text: 'text', image: 'image', button: 'text+link' }

/** The messenger message of both protocols. */
export interface ViberFields {
  readonly type: string
  readonly from: string
  readonly text: string
  readonly image: string
  readonly url: string
  readonly button: string
}

/** A `button` may have an image as well. Unknown types are refused by the API. */
export function chatappFields({ type, from, text, image, url, button }: ViberFields): Operation {
  const parts = type === 'button' && image !== '' ? 'text+image+link' : (PARTS[type] ?? type)
  return {
    chatapp_type: parts,
    chatapp_signature: from,
    chatapp_message: text,
    chatapp_image: image,
    chatapp_link: url,
    chatapp_button: button,
  }
}

/** When the message reached its status, RFC 3339 with seconds and an offset. */
export function statusTime({ data }: OlderResult, offset: string): string {
  const steps = (data['steps'] ?? []) as readonly { readonly at: string }[]
  return `${String(steps.at(-1)?.at ?? data['accepted_at']).slice(0, 19)}${offset}`
}
