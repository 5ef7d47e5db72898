/**
 * The envelopes of spec 2.1 and 2.2. Answers are written by hand, because they are most of the gateway's output; an
 * `id` is returned as the exact token that was sent.
 */
import type { MessageId } from '../../domain/ids/message-id.ts'
import { codeOf } from './error-codes.ts'
import { fieldIn, REQUEST_ERRORS } from './error-texts.ts'
import { Refused } from './refused.ts'

export interface Envelope {
  /** Empty if the client sent none, or a value that is not a key. */
  readonly auth: string
  readonly data: readonly unknown[]
}

/** Throws a Refused if the value is not a request envelope. */
export function readEnvelope(value: unknown): Envelope {
  if (!isObject(value)) throw new Refused(REQUEST_ERRORS.envelope)
  const { auth, data } = value
  if (!Array.isArray(data)) throw new Refused(REQUEST_ERRORS.data)
  return { auth: typeof auth === 'string' ? auth : '', data }
}

export type RequestObject = Readonly<Record<string, unknown>> & {
  readonly auth?: unknown
  readonly data?: unknown
  readonly type?: unknown
}

export function isObject(value: unknown): value is RequestObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes the answer to an executed request. `items` are results written by the functions below, in request order. */
export function writeAnswer(items: readonly string[], requestId: string | null): string {
  const list = items.length === 1 ? items[0] : items.join(',')
  return requestId === null
    ? `{"success":true,"data":[${list}]}`
    : `{"success":true,"request_id":"${requestId}","data":[${list}]}`
}

const FAILURE_START = '{"success":false,"error":'

/** Writes the answer to a request of which nothing was executed. */
export function writeRefusal(error: string): string {
  return `${FAILURE_START}${JSON.stringify(error)},"code":"${codeOf(error)}"}`
}

/** Whether nothing was executed of the request with this answer. */
export function isRefusal(answer: string): boolean {
  return answer.startsWith(FAILURE_START)
}

/** The accept code: the message is stored and will be sent. */
const ACCEPTED = 1

/** Writes a successful send. `id` is a JSON token; null without one. */
export function writeSendResult(id: string | null, messageId: MessageId, parts: number): string {
  const echo = id === null ? '' : `"id":${id},`
  return `{"success":true,"data":{${echo}"msg_id":${messageId},"data":${ACCEPTED},"parts":${parts}}}`
}

/** Writes any other successful operation. `data` is copied as JSON, after the JSON token `id` if there is one. */
export function writeResult(data: object, id: string | null = null): string {
  const text = JSON.stringify(data)
  return writeJsonResult(id === null ? text : `{"id":${id},${text.slice(1)}`)
}

/** The same for data that is JSON already. */
export function writeJsonResult(json: string): string {
  return `{"success":true,"data":${json}}`
}

/** Writes a failed operation. `field` is the one that the error is about. */
export function writeItemError(id: string | null, error: string, field: string | null = fieldIn(error)): string {
  const about = field === null ? '' : `,"field":${JSON.stringify(field)}`
  const data = id === null ? '{}' : `{"id":${id}}`
  return `${FAILURE_START}${JSON.stringify(error)},"code":"${codeOf(error)}","data":${data}${about}}`
}

/** Returns the same result with its warnings. */
export function withWarnings(result: string, warnings: readonly string[]): string {
  return warnings.length === 0 ? result : `${result.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`
}
