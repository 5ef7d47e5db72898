/**
 * Runs one client request from its bytes to its answer. Everything is read, checked, routed and priced first, then
 * written in one call of the store, so a request is executed once or not at all. Never rejects.
 */
import { hash } from 'node:crypto'
import { writeRefusal } from '../contract/envelope.ts'
import {
  listsTooLong,
  REQUEST_ERRORS,
  tooManyLinksInRequest,
  tooManyLists,
  tooManyTemplateChanges,
} from '../contract/error-texts.ts'
import { Refused } from '../contract/refused.ts'
import type { Account } from '../domain/account.ts'
import { MAX_LISTS_BYTES } from '../domain/answer-size.ts'
import type { Access } from '../domain/directory.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import { keptAnswers } from '../domain/usage.ts'
import type {
  AcceptItem,
  AnswerRoom,
  Idempotency,
  ItemOutcome,
  RecalledRequest,
  RequestKey,
} from '../ports/intake-store.ts'
import { StoreError } from '../ports/store-errors.ts'
import { type AnswerDraft, answerOf, awaitedCalls } from './answer.ts'
import { answerInquiries, isInquiry } from './answer-inquiries.ts'
import { recallCalls, waitForCalls } from './call-otp.ts'
import { CheckIds } from './check-ids.ts'
import type { ClientRequest } from './client-request.ts'
import { LookupRates } from './lookup-rates.ts'
import type { MessageIds } from './message-ids.ts'
import { openScope } from './open-scope.ts'
import { operationGroup } from './operation-group.ts'
import type { OperationTools } from './operation-tools.ts'
import { passAccepted } from './pass-accepted.ts'
import { planItem } from './plan-item.ts'
import type { Inquiry, Planned, Scope } from './planned.ts'
import { type ReadRequest, RequestReader } from './read-request.ts'
import { resolveOperators } from './resolve-operators.ts'
import type { WorkQueue } from './work-queue.ts'

export type Run = (request: ClientRequest) => Promise<string>

/** The answer is always the JSON text of a response envelope. */
export function createRun(tools: OperationTools, work: WorkQueue): Run {
  const runner = new Runner(tools, work)
  return (request) => runner.run(request)
}

/**
 * Runs one operation for an account without a key of its client, as an operator asks. `begin` gets the id that its
 * message will have, and is awaited before anything is done.
 */
export type RunAs = (access: Access, item: object, begin: (id: MessageId) => Promise<void>) => Promise<string>

/** The answer is the same as that of a request of one operation. Rejects with what `begin` rejects with. */
export function createRunAs(tools: OperationTools, work: WorkQueue): RunAs {
  const runner = new Runner(tools, work)
  return (access, item, begin) => runner.runAs(access, item, begin)
}

/** A request after it was read, as far as its operations depend on it. */
type Frame = Pick<ClientRequest, 'mode' | 'body' | 'idempotencyKey' | 'traceparent' | 'reserve'>

class Runner {
  readonly #tools: OperationTools
  readonly #ids: MessageIds
  readonly #reader: RequestReader
  readonly #work: WorkQueue
  readonly #lookups: LookupRates

  constructor(tools: OperationTools, work: WorkQueue) {
    this.#tools = tools
    this.#ids = tools.messageIds
    this.#work = work
    this.#lookups = new LookupRates(tools)
    this.#reader = new RequestReader(tools, work)
  }

  run(request: ClientRequest): Promise<string> {
    const { clock, chatappNames, onAnswered, tracing } = this.#tools
    const startedAt = clock.monotonic()
    const { traceparent: parent } = request
    const span = tracing?.start({ name: 'request', parent, kind: 'server', at: clock.now() })
    const frame = span === undefined ? request : { ...request, traceparent: span.traceparent }
    const answered = (operation: string) => {
      onAnswered?.(operation, clock.monotonic() - startedAt)
      span?.end(clock.now(), { 'posthorn.operation': operation }, operation === REFUSED ? REFUSED : null)
    }
    return this.#withRefusals(
      async () => {
        const now = clock.now()
        const reading = this.#reader.read(request, now)
        const read = reading instanceof Promise ? await reading : reading
        const text = await this.#execute(frame, read, now, () => this.#ids.next(read.access.account.id))
        answered(operationGroup(read.data[0], chatappNames))
        return text
      },
      () => answered(REFUSED),
    )
  }

  async runAs(access: Access, item: object, begin: (id: MessageId) => Promise<void>): Promise<string> {
    while (this.#ids.left === 0) await this.#ids.refill(1)
    const id = this.#ids.next(access.account.id)
    await begin(id)
    const data = [item]
    const frame = {
      mode: 'async',
      body: Buffer.from(JSON.stringify(data)),
      idempotencyKey: null,
      traceparent: null,
    } as const
    return this.#withRefusals(() =>
      this.#execute({ ...frame, reserve: () => true }, { access, data }, this.#tools.clock.now(), () => id),
    )
  }

  async #withRefusals(execute: () => Promise<string>, onRefused?: () => void): Promise<string> {
    try {
      return await execute()
    } catch (error) {
      onRefused?.()
      if (error instanceof Refused) return writeRefusal(error.message)
      const cause = error instanceof Error ? error : new Error(String(error))
      if (error instanceof StoreError) {
        this.#tools.log.warn({ error: cause }, 'request refused: the store is unavailable')
        return writeRefusal(REQUEST_ERRORS.unavailable)
      }
      this.#tools.log.error({ error: cause }, 'request failed: internal error')
      return writeRefusal(REQUEST_ERRORS.internal)
    }
  }

  async #execute(request: Frame, { access, data }: ReadRequest, now: number, newId: () => MessageId): Promise<string> {
    const scope = this.#scopeOf(request, access, now, newId)
    let key = this.#keyOf(request, access, now)
    const looksUp = access.account.settings.lookUpNumbers && !access.key.test
    if (looksUp && key !== null) {
      // A repeat asks no lookup service.
      const before = await this.#tools.store.recall(access.account.id, key, now)
      if (before !== null) return this.#answerAgain(before)
    }
    const resolved = looksUp ? await resolveOperators(scope, data) : scope
    const read = await this.#plan(resolved, data)
    this.#lookups.check(scope, read)
    checkTemplateChanges(read, this.#tools.limits.templateChangesInRequest)
    checkLinks(read, this.#tools.limits.linksInRequest)
    if (key !== null && read.some(isInquiry)) {
      // Cancellations are not part of the transaction: repeats and missing room for the answer must be detected before
      // anything is done, and must not be decided differently later.
      const before = await this.#tools.store.recall(access.account.id, key, now)
      if (before !== null) return this.#answerAgain(before)
      key = { ...key, room: { ...key.room, maxBytes: null } }
    }
    const planned = read.some(isInquiry) ? await answerInquiries(scope, read) : (read as readonly Planned[])
    const draft = { requestId: this.#requestIdOf(request), results: planned.map((each) => each.draft) }
    const items = planned.flatMap(({ item }) => (item === null ? [] : [item]))
    return this.#write(scope, items, draft, key === null ? null : this.#idempotencyOf(key, draft, now))
  }

  async #plan(scope: Scope, data: readonly unknown[]): Promise<readonly (Planned | Inquiry)[]> {
    const read: (Planned | Inquiry)[] = []
    const planNext = () => {
      // Another request may have taken the last id while this one waited.
      if (this.#ids.left === 0) return false
      read.push(planItem(scope, data[read.length]))
      return read.length < data.length
    }
    while (read.length < data.length) {
      while (this.#ids.left === 0) await this.#ids.refill(data.length - read.length)
      await this.#work.run(scope.account.id, planNext)
    }
    return read
  }

  #scopeOf(request: Frame, { account, key }: Access, now: number, newId: () => MessageId): Scope {
    const { mode, reserve, traceparent } = request
    const checkIds = new CheckIds(request, this.#tools.random)
    let lists = 0
    let listed = 0
    return openScope(
      this.#tools,
      { account, key, now, newId },
      {
        ...(traceparent === null ? {} : { trace: traceparent }),
        waitUntil: mode === 'sync' ? now + this.#tools.limits.callAnswerSeconds * 1000 : null,
        newCheckId: () => checkIds.next(),
        countList: (bytes) => {
          lists += 1
          listed += bytes
          const most = this.#tools.limits.listsInRequest
          if (lists > most) throw new Refused(tooManyLists(most))
          if (listed > MAX_LISTS_BYTES) throw new Refused(listsTooLong(MAX_LISTS_BYTES))
          if (!reserve(bytes)) throw new Refused(REQUEST_ERRORS.unavailable)
        },
      },
    )
  }

  #requestIdOf({ mode }: Frame): string | null {
    return mode === 'sync' ? null : Buffer.from(this.#tools.random.bytes(16)).toString('hex')
  }

  /** Headers cannot contain a line feed, so keys of test requests stay separate. */
  #keyOf({ body, idempotencyKey }: Frame, { account, key }: Access, now: number): RoomyKey | null {
    if (idempotencyKey === null) return null
    const { idempotencySeconds, idempotencyBytes } = this.#tools.limits
    return {
      key: key.test ? `test\n${idempotencyKey}` : idempotencyKey,
      bodyHash: hash('sha256', body),
      room: { window: keptAnswers(account.id, idempotencySeconds * 1000, now), maxBytes: idempotencyBytes },
    }
  }

  #idempotencyOf(key: RequestKey, draft: AnswerDraft, now: number): Idempotency {
    const keepUntil = now + this.#tools.limits.idempotencySeconds * 1000
    return { ...key, draft: JSON.stringify(draft), keepUntil }
  }

  async #write(
    { account, now, usage }: Scope,
    items: readonly AcceptItem[],
    draft: AnswerDraft,
    idempotency: Idempotency | null,
  ): Promise<string> {
    if (idempotency === null && items.every((item) => item.kind === 'balance')) {
      return answerOf(draft, await this.#readBalances(account, items), NONE)
    }
    const limits = usage === null || usage.limits.length === 0 ? {} : { limits: usage.limits }
    const accepted = await this.#tools.store.accept({ accountId: account.id, now, idempotency, items, ...limits })
    if (accepted.kind !== 'executed') return this.#answerAgain(accepted)
    passAccepted(this.#tools, items, accepted.outcomes)
    const calls = awaitedCalls(draft, accepted.outcomes)
    return answerOf(draft, accepted.outcomes, calls.length === 0 ? NONE : await waitForCalls(this.#tools, calls))
  }

  /** Throws Refused if the key was used for another request, or without room for the answer. */
  async #answerAgain(before: RecalledRequest): Promise<string> {
    if (before.kind === 'conflict') throw new Refused(REQUEST_ERRORS.idempotencyConflict)
    if (before.kind === 'no room') throw new Refused(REQUEST_ERRORS.idempotencyFull)
    const first: AnswerDraft = JSON.parse(before.draft)
    const calls = awaitedCalls(first, before.outcomes)
    return answerOf(first, before.outcomes, calls.length === 0 ? NONE : await recallCalls(this.#tools, calls))
  }

  /** Requests that only read are not recorded. */
  async #readBalances(account: Account, items: readonly AcceptItem[]): Promise<readonly ItemOutcome[]> {
    if (items.length === 0) return []
    const balances = await this.#tools.store.balancesOf(account.id)
    if (balances === null) throw new RangeError('an account of the directory is not in the store')
    return items.map(() => ({ kind: 'balance', availableMicros: balances.available }))
  }
}

/** Stands for the operation of a request that failed as a whole. */
const REFUSED = 'refused'

type RoomyKey = RequestKey & { readonly room: AnswerRoom }

/** Throws Refused. */
function checkTemplateChanges(read: readonly (Planned | Inquiry)[], max: number): void {
  const changes = read.filter((each) => !isInquiry(each) && TEMPLATE_CHANGES.has(each.item?.kind))
  if (changes.length > max) throw new Refused(tooManyTemplateChanges(max))
}

/** Throws Refused. */
function checkLinks(read: readonly (Planned | Inquiry)[], max: number): void {
  let links = 0
  for (const each of read) if ('draft' in each && each.item?.kind === 'message') links += each.item.links.length
  if (links > max) throw new Refused(tooManyLinksInRequest(max))
}

const TEMPLATE_CHANGES: ReadonlySet<AcceptItem['kind'] | undefined> = new Set(['template', 'template removal'])

const NONE: ReadonlySet<Message['id']> = new Set()
