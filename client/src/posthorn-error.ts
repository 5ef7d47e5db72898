/** The errors of this client. No message contains the API key, a text or a phone number. */
import { type ItemErrorCode, type RequestErrorCode, readCode } from './error-codes.ts'
import type { Id, OperationType } from './operation.ts'
import { readWarnings } from './warnings.ts'

export class PosthornError extends Error {
  override readonly name: string = 'PosthornError'
}

/** What is known of a request that failed. */
export interface RequestFacts {
  /** How often the request was sent. */
  readonly tries: number
  /** Sending the same operations again under this key executes nothing twice. Null for requests that only read. */
  readonly idempotencyKey: string | null
}

/** The gateway refused the request as a whole: its last try executed nothing. */
export class RequestError extends PosthornError {
  override readonly name = 'RequestError'
  readonly code: RequestErrorCode
  readonly tries: number
  readonly idempotencyKey: string | null

  constructor({ text, code }: Refusal, { tries, idempotencyKey }: RequestFacts) {
    super(text)
    this.code = readCode(code)
    this.tries = tries
    this.idempotencyKey = idempotencyKey
  }
}

/** One operation failed. */
export class ItemError extends PosthornError {
  override readonly name = 'ItemError'
  readonly code: ItemErrorCode
  readonly type: OperationType
  /** The invalid field; null if the error is about no single field. */
  readonly field: string | null
  /** Fields of the operation that were ignored, as `name: ignored`: a misspelled one may be among them. */
  readonly warnings: readonly string[]
  /** The `id` of the operation; absent if there was none. */
  readonly id?: Id

  constructor({ text, code, field, warnings }: FailedItem, type: OperationType, id: Id | undefined) {
    super(text)
    this.code = readCode(code)
    this.type = type
    this.field = typeof field === 'string' ? field : null
    this.warnings = readWarnings(warnings)
    if (id !== undefined) this.id = id
  }
}

/** The gateway's answer; older gateways send only the text. */
export interface Refusal {
  readonly text: string
  readonly code?: unknown
}

export interface FailedItem extends Refusal {
  readonly field?: unknown
  readonly warnings?: unknown
}

export type NoAnswerReason =
  /** The connection failed: `cause` is the error of `fetch`. */
  | 'network'
  /** No answer within `timeoutMs`. */
  | 'timeout'
  /** An HTTP status that the gateway does not send, from an intermediary: `status`. */
  | 'status'
  /** The answer is not one of the gateway. */
  | 'answer'

/** There is no answer, and it is unknown whether the request was executed. */
export class NoAnswerError extends PosthornError {
  override readonly name = 'NoAnswerError'
  readonly reason: NoAnswerReason
  /** The HTTP status, if there was one. */
  readonly status: number | null
  readonly tries: number
  readonly idempotencyKey: string | null

  constructor(message: string, failure: Failure, { tries, idempotencyKey }: RequestFacts) {
    super(message, failure.cause === undefined ? undefined : { cause: failure.cause })
    this.reason = failure.reason
    this.status = failure.status ?? null
    this.tries = tries
    this.idempotencyKey = idempotencyKey
  }
}

export interface Failure {
  readonly reason: NoAnswerReason
  readonly status?: number
  readonly cause?: unknown
}

export type ReportRejectedReason =
  /** A header of the signature is missing or malformed. */
  | 'headers'
  /** Signed too long ago, or in the future. */
  | 'timestamp'
  /** None of the signatures was made with one of the secrets. */
  | 'signature'
  /** The signature is valid, but the body is not a report. */
  | 'body'

/** A request to the hook that is not a trustworthy report. */
export class ReportRejected extends PosthornError {
  override readonly name = 'ReportRejected'
  readonly reason: ReportRejectedReason

  constructor(message: string, reason: ReportRejectedReason) {
    super(message)
    this.reason = reason
  }
}
