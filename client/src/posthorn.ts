/**
 * The client: sends operations to the gateway, one or many in a request, and retries where that can help. A retry uses
 * the same idempotency key, so that nothing is ever executed twice.
 */
import type { Bulk } from './bulk.ts'
import { type EventOptions, type ReceivedEvent, readEvents } from './events.ts'
import { writeExact } from './exact-json.ts'
import type { Postings, Statement } from './money.ts'
import { type Operation, type OperationFields, type OperationType, onlyReads, type SendType } from './operation.ts'
import { isObject, type Outcome, post } from './post.ts'
import { ItemError, NoAnswerError, type NoAnswerReason, RequestError, type RequestFacts } from './posthorn-error.ts'
import type { InboundMessage } from './report.ts'
import type {
  Balance,
  CallResult,
  Cancelled,
  ChatTemplate,
  CodeCheck,
  CodeResend,
  CreatedHook,
  DeletedHook,
  Hook,
  MessageStatus,
  NumberInfo,
  OperationData,
  Price,
  ReplayedReports,
  Result,
  Results,
  RotatedHook,
  SendResult,
  Template,
  TestedHook,
  VerificationStarted,
} from './result.ts'
import { delayBefore } from './retry.ts'
import {
  checkIdempotencyKey,
  LONGEST_MS,
  type PosthornOptions,
  readNumber,
  readSettings,
  type Settings,
} from './settings.ts'
import type { StatisticsLine } from './statistics.ts'
import { type BulkLines, type UploadedLines, type UploadOptions, uploadLines } from './upload-lines.ts'
import { wait } from './wait.ts'
import { readWarnings } from './warnings.ts'

/** Between two looks at a bulk. */
const BULK_LOOK_MS = 2_000

export interface RequestOptions {
  /** Aborts the request at any point; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * 1 to 255 visible ASCII characters; a new random one if absent. For 24 hours the same key with the same operations
   * returns the first answer and executes nothing, also from another process.
   */
  readonly idempotencyKey?: string | undefined
}

/** A list of operations, each with the fields of its type. */
export type Operations<T extends readonly OperationType[]> = {
  readonly [K in keyof T]: { readonly type: T[K] } & OperationFields[T[K]]
}

export interface Enqueued<T extends readonly OperationType[]> {
  /** The gateway's name for the request. */
  readonly requestId: string
  readonly results: Results<T>
}

/** An operation for a method that sets its type. */
export type FieldsOf<T extends OperationType> = OperationFields[T]

export class Posthorn {
  readonly #apiKey: string
  readonly #settings: Settings

  /** @throws TypeError that names the invalid option. */
  constructor(options: PosthornOptions) {
    this.#settings = readSettings(options)
    this.#apiKey = options.apiKey
  }

  /**
   * Executes up to 1,000 operations in one request, on the synchronous path. The request is executed as a whole or not
   * at all; within it each operation succeeds or fails alone.
   * @throws RequestError, NoAnswerError, the reason of the signal, or a TypeError for a value that JSON cannot carry.
   */
  async batch<const T extends readonly OperationType[] | []>(
    operations: Operations<T>,
    options: RequestOptions = {},
  ): Promise<Results<T>> {
    const { results } = await this.#ask(this.#settings.syncUrl, operations as unknown as readonly Operation[], options)
    return results as Results<T>
  }

  /** The same on the asynchronous path: up to 10,000 operations, and it never waits for a call to ring. */
  async enqueue<const T extends readonly OperationType[] | []>(
    operations: Operations<T>,
    options: RequestOptions = {},
  ): Promise<Enqueued<T>> {
    const { requestId, results } = await this.#ask(
      this.#settings.asyncUrl,
      operations as unknown as readonly Operation[],
      options,
    )
    return { requestId: requestId ?? '', results: results as Results<T> }
  }

  /**
   * Executes one operation and returns its result. The methods below do the same for one type each.
   * @throws ItemError if the operation failed, besides what `batch` throws.
   */
  async execute<const T extends OperationType>(
    operation: { readonly type: T } & OperationFields[T],
    options: RequestOptions = {},
  ): Promise<OperationData[T]> {
    const { results } = await this.#ask(this.#settings.syncUrl, [operation as Operation], options)
    const result = results[0] as Result<T>
    if (!result.success) throw result.error
    return result.data
  }

  /** Sends a message on the channels that its type names. */
  send<const T extends SendType>(
    message: { readonly type: T } & OperationFields[T],
    options?: RequestOptions,
  ): Promise<SendResult> {
    return this.execute<SendType>(message as Operation<SendType>, options)
  }

  /** Returns what a send would cost: `send_type` is its type. Nothing is sent. */
  price(fields: FieldsOf<'price'>, options?: RequestOptions): Promise<Price> {
    return this.execute<'price'>({ ...fields, type: 'price' } as Operation<'price'>, options)
  }

  /** Returns the status of a message. */
  status(fields: FieldsOf<'status'>, options?: RequestOptions): Promise<MessageStatus> {
    return this.execute<'status'>({ ...fields, type: 'status' }, options)
  }

  /**
   * Cancels a message. Once a carrier has or may have it, this is too late: an ItemError with the code `too_late`.
   * Cancelling twice gives the same answer.
   */
  cancel(fields: FieldsOf<'cancel'>, options?: RequestOptions): Promise<Cancelled> {
    return this.execute<'cancel'>({ ...fields, type: 'cancel' }, options)
  }

  /** Calls a phone and returns, once it rings, the digits that the recipient sees. */
  call(fields: FieldsOf<'call/otp'>, options?: RequestOptions): Promise<CallResult> {
    return this.execute({ ...fields, type: 'call/otp' }, options)
  }

  /** Sends a one-time code by the channels that it names, one after the other. */
  startVerification(fields: FieldsOf<'verify/start'>, options?: RequestOptions): Promise<VerificationStarted> {
    return this.execute({ ...fields, type: 'verify/start' }, options)
  }

  /** Checks the code that the recipient has typed. A wrong code is a result, not an error. */
  checkVerification(fields: FieldsOf<'verify/check'>, options?: RequestOptions): Promise<CodeCheck> {
    return this.execute({ ...fields, type: 'verify/check' }, options)
  }

  /** Sends the code of a verification again: by its next channel, or by a new message with the same text. */
  resendVerification(fields: FieldsOf<'verify/resend'>, options?: RequestOptions): Promise<CodeResend> {
    return this.execute({ ...fields, type: 'verify/resend' }, options)
  }

  createTemplate(fields: FieldsOf<'template/create'>, options?: RequestOptions): Promise<Template> {
    return this.execute({ ...fields, type: 'template/create' }, options)
  }

  /** Returns SMS templates ordered by id, up to 200: all, or those after the template `after`. */
  templates(fields: FieldsOf<'template/list'> = {}, options?: RequestOptions): Promise<readonly Template[]> {
    return this.execute({ ...fields, type: 'template/list' }, options)
  }

  /** Removes an SMS template and returns it. */
  deleteTemplate(fields: FieldsOf<'template/delete'>, options?: RequestOptions): Promise<Template> {
    return this.execute<'template/delete'>({ ...fields, type: 'template/delete' }, options)
  }

  /** Returns the chat-app templates of the account. */
  chatTemplates(options?: RequestOptions): Promise<readonly ChatTemplate[]> {
    return this.execute({ type: 'template/chatapp/list' }, options)
  }

  /** Returns inbound messages, the oldest first: all, or those after the message `after`. */
  inbound(fields: FieldsOf<'inbound/list'> = {}, options?: RequestOptions): Promise<readonly InboundMessage[]> {
    return this.execute({ ...fields, type: 'inbound/list' }, options)
  }

  /** Returns how the messages of the account were delivered: today in one line, or by time and group. */
  statistics(fields: FieldsOf<'statistics'> = {}, options?: RequestOptions): Promise<readonly StatisticsLine[]> {
    return this.execute({ ...fields, type: 'statistics' }, options)
  }

  /** Returns what was paid in, held, charged and released, the newest first: a page. */
  postings(fields: FieldsOf<'posting/list'> = {}, options?: RequestOptions): Promise<Postings> {
    return this.execute<'posting/list'>({ ...fields, type: 'posting/list' }, options)
  }

  /** Returns the statement of a month. */
  statement(fields: FieldsOf<'statement/get'>, options?: RequestOptions): Promise<Statement> {
    return this.execute<'statement/get'>({ ...fields, type: 'statement/get' }, options)
  }

  balance(options?: RequestOptions): Promise<Balance> {
    return this.execute({ type: 'balance' }, options)
  }

  /** Returns the operator of a number, and whether its phone can be reached. */
  lookUp(fields: FieldsOf<'lookup'>, options?: RequestOptions): Promise<NumberInfo> {
    return this.execute({ ...fields, type: 'lookup' }, options)
  }

  /** Creates a hook that gets reports. Its secret is returned only here. */
  createHook(fields: FieldsOf<'hook/create'>, options?: RequestOptions): Promise<CreatedHook> {
    return this.execute<'hook/create'>({ ...fields, type: 'hook/create' }, options)
  }

  /** Returns the hooks of the account. */
  hooks(options?: RequestOptions): Promise<readonly Hook[]> {
    return this.execute({ type: 'hook/list' }, options)
  }

  /** Changes a hook. One that was stopped by its answer 410 starts again. */
  updateHook(fields: FieldsOf<'hook/update'>, options?: RequestOptions): Promise<Hook> {
    return this.execute<'hook/update'>({ ...fields, type: 'hook/update' }, options)
  }

  /** Returns a new secret for a hook; the old one signs as well for a day. */
  rotateHookSecret(fields: FieldsOf<'hook/rotate'>, options?: RequestOptions): Promise<RotatedHook> {
    return this.execute<'hook/rotate'>({ ...fields, type: 'hook/rotate' }, options)
  }

  /** Deletes a hook; reports that wait for it are given up. */
  deleteHook(fields: FieldsOf<'hook/delete'>, options?: RequestOptions): Promise<DeletedHook> {
    return this.execute<'hook/delete'>({ ...fields, type: 'hook/delete' }, options)
  }

  /** Posts a test report to a hook. */
  testHook(fields: FieldsOf<'hook/test'>, options?: RequestOptions): Promise<TestedHook> {
    return this.execute<'hook/test'>({ ...fields, type: 'hook/test' }, options)
  }

  /** Sends failed reports again, up to 1,000 in a call, as after a fault of your hook. */
  replayReports(fields: FieldsOf<'hook/replay'> = {}, options?: RequestOptions): Promise<ReplayedReports> {
    return this.execute<'hook/replay'>({ ...fields, type: 'hook/replay' }, options)
  }

  /**
   * Reads the reports that the gateway keeps for reading (`hook: 'feed:'`), one after the other, and waits for new
   * ones. A page is acknowledged when the loop asks for the next one. While the gateway cannot be reached, it retries
   * without end, as slowly as `retry.maxDelayMs`. Ends by another error, the signal, or `break`.
   */
  events(options: EventOptions = {}): AsyncGenerator<ReceivedEvent, never> {
    const { limit, signal, intervalMs } = options
    if (intervalMs !== undefined) readNumber('intervalMs', intervalMs, 0, LONGEST_MS)
    const read = (after: string | undefined) => this.#read<'event/list'>({ type: 'event/list', after, limit }, signal)
    return readEvents(read, options)
  }

  /** Uploads lines of a bulk. Called again with the same lines after a failure, it skips those that were stored. */
  uploadBulk(bulkId: number | string, lines: BulkLines, options: UploadOptions = {}): Promise<UploadedLines | null> {
    return uploadLines({ settings: this.#settings, apiKey: this.#apiKey, bulkId, ...options }, lines)
  }

  /**
   * Resolves once a bulk is paused, or has ended and all of its messages have. Asks every few seconds, and retries
   * without end while the gateway cannot be reached.
   */
  async waitForBulk(bulkId: number | string, { signal }: Pick<UploadOptions, 'signal'> = {}): Promise<Bulk> {
    for (;;) {
      const bulk = await this.#read<'bulk/status'>({ type: 'bulk/status', bulk_id: bulkId }, signal)
      if (bulk.state === 'paused' || bulk.ended_at !== null) return bulk
      await wait(BULK_LOOK_MS, signal)
    }
  }

  /** Executes an operation that only reads, and retries without end as long as that can help. */
  async #read<const T extends OperationType>(
    operation: Operation<T>,
    signal: AbortSignal | undefined,
  ): Promise<OperationData[T]> {
    const { results } = await this.#ask(this.#settings.syncUrl, [operation], { signal }, Number.POSITIVE_INFINITY)
    const result = results[0] as Result<T>
    if (!result.success) throw result.error
    return result.data
  }

  /** Sends it at most so many times. */
  async #ask(
    url: string,
    operations: readonly Operation[],
    options: RequestOptions,
    maxTries = this.#settings.retry.tries,
  ): Promise<Answered> {
    const { timeoutMs, retry, onRetry, fetch } = this.#settings
    const { signal } = options
    checkOperations(operations)
    const body = `{"auth":${JSON.stringify(this.#apiKey)},"data":[${operations.map(writeExact).join(',')}]}`
    const idempotencyKey = keyFor(operations, options)
    for (let tries = 1; ; tries += 1) {
      const outcome = await post(fetch, { url, body, idempotencyKey, timeoutMs, signal })
      const facts = { tries, idempotencyKey }
      if (outcome.kind === 'answer') return readResults(outcome, operations, facts)
      const error = errorOf(outcome, facts)
      if (!outcome.again || tries >= maxTries) throw error
      const delayMs = delayBefore(retry, tries, Math.random(), outcome.askedMs)
      onRetry?.({ tries, delayMs, error })
      await wait(delayMs, signal)
    }
  }
}

function checkOperations(operations: readonly unknown[]): void {
  if (!Array.isArray(operations)) throw new TypeError('operations: must be an array, such as [{ type: "balance" }]')
  const wrong = operations.findIndex((operation) => !isObject(operation))
  if (wrong >= 0) throw new TypeError(`operations[${wrong}]: must be an object, such as { type: "balance" }`)
}

interface Answered {
  readonly requestId: string | null
  readonly results: readonly Result[]
}

/** Requests that only read are retried without a key, which would make the gateway store the answer. */
function keyFor(operations: readonly Operation[], { idempotencyKey }: RequestOptions): string | null {
  if (idempotencyKey !== undefined) return checkIdempotencyKey(idempotencyKey)
  return operations.every(onlyReads) ? null : newKey()
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const NO_ANSWER: Readonly<Record<NoAnswerReason, string>> = {
  network: 'the connection to the gateway failed',
  timeout: 'the gateway did not answer in time',
  status: 'something that is not the gateway answered with HTTP status',
  answer: 'what came is no answer of a gateway',
}

function errorOf(outcome: Exclude<Outcome, { kind: 'answer' }>, facts: RequestFacts): RequestError | NoAnswerError {
  if (outcome.kind === 'refusal') return new RequestError(outcome.refusal, facts)
  const { failure } = outcome
  const status = failure.status === undefined ? '' : ` ${failure.status}`
  return new NoAnswerError(NO_ANSWER[failure.reason] + status, failure, facts)
}

function readResults(
  { requestId, results }: Extract<Outcome, { kind: 'answer' }>,
  operations: readonly Operation[],
  facts: RequestFacts,
): Answered {
  const wrong = () => new NoAnswerError(NO_ANSWER.answer, { reason: 'answer' }, facts)
  if (results.length !== operations.length) throw wrong()
  return {
    requestId,
    results: operations.map((operation, index) => {
      const result = readResult(results[index], operation)
      if (result === null) throw wrong()
      return result
    }),
  }
}

function readResult(result: unknown, operation: Operation): Result | null {
  if (!isObject(result)) return null
  const { success, data, error, code, field, warnings } = result
  const id = 'id' in operation ? operation.id : undefined
  if (success === false && typeof error === 'string') {
    return { success, error: new ItemError({ text: error, code, field, warnings }, operation.type, id) }
  }
  if (success !== true || typeof data !== 'object' || data === null) return null
  // The echo of a small bigint is read as a number: it is converted back.
  if (typeof id === 'bigint' && 'id' in data && String(data.id) === String(id)) data.id = id
  const value = data as OperationData[OperationType]
  const listed = readWarnings(warnings)
  return listed.length === 0 ? { success, data: value } : { success, data: value, warnings: listed }
}
