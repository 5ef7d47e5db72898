/**
 * Executes requests of the older protocols as operations of the JSON API: keys, limits, prices and errors are those of
 * the API, because the request is one of it.
 */
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import { type Account, timeZoneOfRequests } from '../../domain/accounts/account.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import { readPhone } from '../../domain/numbers/phone.ts'
import type { ClientRequest } from '../../operations/request/client-request.ts'
import type { WorkForKey } from '../../operations/request/work-for-key.ts'
import type { Run } from '../../operations/run/run.ts'
import { NO_HEADERS } from '../shared/api-request.ts'

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
    return readAnswer(await run({ ...origin, ...NO_HEADERS, mode: 'sync', body }))
  }
}

/** What translating a request needs to know of its account. */
export interface OlderAccount {
  /** Of times without an offset; null if they are refused. */
  readonly timeZone: string | null
  /** Returns the sender of an SMS that names none; empty if there is none. */
  readonly senderFor: (phone: string) => string
}

/**
 * Checks a key, and repeats `read` until it returns false, in turn with the work of other accounts. Returns the account
 * of the key, or why there is none.
 */
type OpenAccount = (key: string, read?: () => boolean) => Promise<OlderAccount | string>

export function createOpenAccount(workForKey: WorkForKey, origin: Pick<ClientRequest, 'address'>): OpenAccount {
  return async (key, read = () => false) => {
    const opened: OlderAccount[] = []
    try {
      await workForKey(origin, key, (account, directory) => {
        if (opened.length === 0) opened.push(describe(account, directory))
        return read()
      })
    } catch (error) {
      if (error instanceof Refused) return error.message
      throw error
    }
    return opened[0] ?? REQUEST_ERRORS.internal
  }
}

function describe({ id, settings }: Account, directory: Directory): OlderAccount {
  return {
    timeZone: timeZoneOfRequests(settings),
    senderFor: (text) => {
      const phone = readPhone(text)
      return settings.defaultSmsSender ?? (phone === null ? null : directory.senderFor(id, 'sms', phone)) ?? ''
    },
  }
}

/** What a protocol needs of the API. */
export interface OlderApi {
  readonly ask: Ask
  readonly open: OpenAccount
}

/** Reads the text of a response envelope. */
export function readAnswer(text: string): OlderAnswer {
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

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d(?:\.\d+)?))?(Z|[-+ ]\d\d:?\d\d)?$/

/**
 * Returns the time as RFC 3339, without an offset if it has none. It may lack its seconds, and its colons, as in error
 * texts of the HTTP protocol; a space before the offset is a plus that was not encoded. Other texts are returned as
 * they are, and refused.
 */
export function timeOf(text: string): string {
  const [, day, hours, minutes, seconds = '00', offset = ''] = TIME.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${hours}:${minutes}:${seconds}${offset.replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2')}`
}

const PARTS: Readonly<Record<string, string>> = { text: 'text', image: 'image', button: 'text+link' }

/** Of one part: without a text the price is that of one letter. Clients ask without a sender, which the API needs. */
export function priceOf(account: OlderAccount, phone: string, { from = '', text = '' } = {}): Operation {
  const sender = from === '' ? account.senderFor(phone) : from
  return { type: 'price', send_type: 'sms', phone, sms_signature: sender, sms_message: text || 'x' }
}

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
