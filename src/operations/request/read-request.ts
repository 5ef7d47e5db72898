/** Reads a request within all its limits: a large one is parsed only after its key, size and rate were checked. */
import { type Envelope, readEnvelope } from '../../contract/request/envelope.ts'
import {
  bodyTooLarge,
  idempotencyKeyTooLong,
  REQUEST_ERRORS,
  rateLimited,
  tooManyOperations,
} from '../../contract/request/error-texts.ts'
import { findAuth } from '../../contract/request/find-auth.ts'
import {
  checkMembers,
  keepExactIds,
  mayHaveUnusualIds,
  measureJson,
  readJson,
  readText,
} from '../../contract/request/read-json.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { Account } from '../../domain/accounts/account.ts'
import type { Access } from '../../domain/directory/directory.ts'
import { checkApiKey, keyOfRequest } from './api-key.ts'
import type { ClientRequest } from './client-request.ts'
import type { LoginAccess } from './logins.ts'
import type { OperationTools } from './operation-tools.ts'
import { ParsePace } from './parse-pace.ts'
import type { RateLimits } from './rate-limits.ts'
import type { WorkQueue } from './work-queue.ts'

/** Longer bodies are checked and parsed only after their key is found valid, in turn with those of other accounts. */
const MAX_UNPROVEN_BYTES = 4 * 1024

/** A request within all its limits. */
export interface ReadRequest {
  readonly access: Access
  readonly data: readonly unknown[]
}

export class RequestReader {
  readonly #tools: OperationTools
  readonly #work: WorkQueue
  readonly #pace: ParsePace

  constructor(tools: OperationTools, work: WorkQueue) {
    this.#tools = tools
    this.#work = work
    this.#pace = new ParsePace(tools.clock)
  }

  /** Throws, or rejects with, Refused. */
  read(request: ClientRequest, now: number): ReadRequest | Promise<ReadRequest> {
    return request.body.length > MAX_UNPROVEN_BYTES ? this.#readLarge(request, now) : this.#readSmall(request, now)
  }

  /** Counts the operations of a login against its limits and those of its account. Throws Refused. */
  admit({ login: { name, perSecond }, access }: LoginAccess, operations: number): void {
    const { limits } = this.#tools
    const most = Math.min(limits.syncOperations, access.account.settings.requestOperations ?? limits.syncOperations)
    if (operations > most) throw new Refused(tooManyOperations(most))
    this.#take(this.#tools.rates.logins, name, perSecond, operations)
    this.#checkRate(access, operations)
  }

  #readSmall(request: ClientRequest, now: number): ReadRequest {
    const measure = measureJson(request.body, { levels: this.#tools.limits.jsonDepth })
    const text = readText(request.body)
    const envelope = readEnvelope(readJson(text))
    const access = checkApiKey(this.#tools, request, keyOfRequest(request, envelope.auth), now)
    this.#checkSize(request, envelope.data.length, access.account)
    checkMembers(measure, envelope.data.length)
    this.#checkRate(access, envelope.data.length)
    return { access, data: exactData(request.body, text, envelope) }
  }

  /** Measures and parses a large body only for a valid key within its limits. */
  async #readLarge(request: ClientRequest, now: number): Promise<ReadRequest> {
    const access = checkApiKey(this.#tools, request, keyOfRequest(request, findAuth(request.body)), now)
    const { account } = access
    this.#checkBytes(request, account)
    await this.#work.once(account.id, () => {
      const limits = { levels: this.#tools.limits.jsonDepth, operations: this.#maxOperations(request, account) }
      const measure = measureJson(request.body, limits)
      checkMembers(measure, measure.operations)
      this.#checkRate(access, measure.operations)
    })
    await this.#pace.take(account.id, request.body.length)
    const data = await this.#work.once(account.id, () => {
      const text = readText(request.body)
      const envelope = readEnvelope(readJson(text))
      checkApiKey(this.#tools, request, keyOfRequest(request, envelope.auth), now)
      this.#checkSize(request, envelope.data.length, account)
      return exactData(request.body, text, envelope)
    })
    return { access, data }
  }

  #checkSize(request: ClientRequest, operations: number, account: Account): void {
    this.#checkBytes(request, account)
    const most = this.#maxOperations(request, account)
    if (operations > most) throw new Refused(tooManyOperations(most))
    const { limits } = this.#tools
    const { idempotencyKey } = request
    if (idempotencyKey === '') throw new Refused(REQUEST_ERRORS.idempotencyKeyEmpty)
    if (idempotencyKey !== null && idempotencyKey.length > limits.idempotencyKeyCharacters) {
      throw new Refused(idempotencyKeyTooLong(limits.idempotencyKeyCharacters))
    }
  }

  #checkBytes({ body }: ClientRequest, { settings: { requestBytes } }: Account): void {
    if (requestBytes !== null && body.length > requestBytes) throw new Refused(bodyTooLarge(requestBytes))
  }

  #maxOperations({ mode }: ClientRequest, { settings: { requestOperations } }: Account): number {
    const { syncOperations, asyncOperations } = this.#tools.limits
    const allowed = mode === 'sync' ? syncOperations : asyncOperations
    return Math.min(allowed, requestOperations ?? allowed)
  }

  #checkRate({ account, key }: Access, operations: number): void {
    this.#take(this.#tools.rates.keys, key.hash, key.operationsPerSecond, operations)
    const { operationsPerSecond } = account.settings
    const most = this.#tools.limits.testOperationsPerSecond
    const perSecond = key.test ? Math.min(operationsPerSecond ?? most, most) : operationsPerSecond
    this.#take(key.test ? this.#tools.rates.tests : this.#tools.rates.accounts, account.id, perSecond, operations)
  }

  #take<Key>(rates: RateLimits<Key>, of: Key, perSecond: number | null, operations: number): void {
    // Each node that takes requests gets an equal part of the limit.
    const part = perSecond === null ? null : perSecond / (this.#tools.store.cluster?.intakeNodes ?? 1)
    const now = part === null ? 0 : this.#tools.clock.monotonic()
    if (!rates.take(of, part, operations, now)) throw new Refused(rateLimited(perSecond ?? 0))
  }
}

function exactData(body: Buffer, text: string, { data }: Envelope): readonly unknown[] {
  return mayHaveUnusualIds(text) ? keepExactIds(body, data) : data
}
