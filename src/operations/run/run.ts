/**
 * Runs one client request from its bytes to its answer. Everything is read, checked, routed and priced first, then
 * written in one call of the store, so a request is executed once or not at all. Never rejects.
 */
import { hash } from 'node:crypto'
import { writeRefusal } from '../../contract/request/envelope.ts'
import { REQUEST_ERRORS, tooManyLinksInRequest, tooManyTemplateChanges } from '../../contract/request/error-texts.ts'
import type { Limits } from '../../contract/request/limits.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { Account } from '../../domain/accounts/account.ts'
import type { Access } from '../../domain/directory/directory.ts'
import { keptAnswers } from '../../domain/guards/usage.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Message } from '../../domain/message/message.ts'
import { StoreError } from '../../ports/records/store-errors.ts'
import type {
  AcceptItem,
  AcceptRequest,
  AnswerRoom,
  Idempotency,
  ItemOutcome,
  RecalledRequest,
  RequestKey,
} from '../../ports/stores/intake-store.ts'
import type { OpenSpan } from '../../ports/system/tracing.ts'
import { LookupRates } from '../lookup/lookup-rates.ts'
import { resolveOperators } from '../lookup/resolve-operators.ts'
import { type AnswerDraft, answerOf, awaitedCalls } from '../request/answer.ts'
import { CheckIds } from '../request/check-ids.ts'
import type { ClientRequest } from '../request/client-request.ts'
import { ListBudget } from '../request/list-budget.ts'
import type { MessageIds } from '../request/message-ids.ts'
import { openScope } from '../request/open-scope.ts'
import { operationGroup } from '../request/operation-group.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import { passAccepted } from '../request/pass-accepted.ts'
import type { Inquiry, Planned, Scope } from '../request/planned.ts'
import { isLarge, type Place, PlanningRoom } from '../request/planning-room.ts'
import { RequestReader } from '../request/read-request.ts'
import type { WorkQueue } from '../request/work-queue.ts'
import { recallCalls, waitForCalls } from '../send/call-otp.ts'
import { answerInquiries, isInquiry } from './answer-inquiries.ts'
import { planItem } from './plan-item.ts'

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

/** Where and when a request is executed. */
interface Execution {
  readonly request: Frame
  readonly scope: Scope
  readonly key: RoomyKey | null
  /** Of a large request; null for a small one. */
  readonly place: Place | null
}

/**
 * Nearly every request needs nothing but to be planned and written: that takes two asynchronous functions, since each
 * keeps its variables in objects of its own.
 */
class Runner {
  readonly #tools: OperationTools
  readonly #ids: MessageIds
  readonly #reader: RequestReader
  readonly #work: WorkQueue
  readonly #room = new PlanningRoom()
  readonly #lookups: LookupRates
  readonly #newId: Scope['newId'] = (account) => this.#ids.next(account)

  constructor(tools: OperationTools, work: WorkQueue) {
    this.#tools = tools
    this.#ids = tools.messageIds
    this.#work = work
    this.#lookups = new LookupRates(tools)
    this.#reader = new RequestReader(tools, work)
  }

  async run(request: ClientRequest): Promise<string> {
    const startedAt = this.#tools.clock.monotonic()
    const span = this.#startSpan(request)
    try {
      const now = this.#tools.clock.now()
      const reading = this.#reader.read(request, now)
      const read = reading instanceof Promise ? await reading : reading
      const scope = this.#scopeOf(request, span, read.access, now)
      const text = await this.#execute(this.#executionOf(request, scope), read.data)
      this.#end(operationGroup(read.data[0], this.#tools.chatappNames), startedAt, span)
      return text
    } catch (error) {
      this.#end(REFUSED, startedAt, span)
      return this.#refusalOf(error)
    }
  }

  async runAs(access: Access, item: object, begin: (id: MessageId) => Promise<void>): Promise<string> {
    while (this.#ids.left === 0) await this.#ids.refill(1)
    const id = this.#ids.next(access.account.id)
    await begin(id)
    const data = [item]
    const request: Frame = {
      mode: 'async',
      body: Buffer.from(JSON.stringify(data)),
      idempotencyKey: null,
      traceparent: null,
      reserve: () => true,
    }
    try {
      const scope = { ...this.#scopeOf(request, undefined, access, this.#tools.clock.now()), newId: () => id }
      return await this.#execute(this.#executionOf(request, scope), data)
    } catch (error) {
      return this.#refusalOf(error)
    }
  }

  #startSpan({ traceparent: parent }: ClientRequest): OpenSpan | undefined {
    const { tracing, clock } = this.#tools
    return tracing?.start({ name: 'request', parent, kind: 'server', at: clock.now() })
  }

  #end(operation: string, startedAt: number, span: OpenSpan | undefined): void {
    const { clock, onAnswered } = this.#tools
    onAnswered?.(operation, clock.monotonic() - startedAt)
    span?.end(clock.now(), { 'posthorn.operation': operation }, operation === REFUSED ? REFUSED : null)
  }

  #refusalOf(error: unknown): string {
    if (error instanceof Refused) return writeRefusal(error.message)
    const cause = error instanceof Error ? error : new Error(String(error))
    if (error instanceof StoreError) {
      this.#tools.log.warn({ error: cause }, 'request refused: the store is unavailable')
      return writeRefusal(REQUEST_ERRORS.unavailable)
    }
    this.#tools.log.error({ error: cause }, 'request failed: internal error')
    return writeRefusal(REQUEST_ERRORS.internal)
  }

  #executionOf(request: Frame, scope: Scope): Execution {
    return { request, scope, key: this.#keyOf(request, scope), place: null }
  }

  /** Throws, or rejects with, Refused. */
  #execute(execution: Execution, data: readonly unknown[]): Promise<string> {
    const { account, key } = execution.scope
    if (account.settings.lookUpNumbers && !key.test) return this.#resolveAndExecute(execution, data)
    return this.#planAndFinish(execution, execution.scope, data)
  }

  async #resolveAndExecute(execution: Execution, data: readonly unknown[]): Promise<string> {
    const { scope, key } = execution
    if (key !== null) {
      // A repeat asks no lookup service.
      const before = await this.#tools.store.recall(scope.account.id, key, scope.now)
      if (before !== null) return this.#answerAgain(before)
    }
    return this.#planAndFinish(execution, await resolveOperators(scope, data), data)
  }

  #planAndFinish(execution: Execution, scope: Scope, data: readonly unknown[]): Promise<string> {
    return isLarge(data) ? this.#finishLarge(execution, scope, data) : this.#finishPlanned(execution, scope, data)
  }

  async #finishLarge(execution: Execution, scope: Scope, data: readonly unknown[]): Promise<string> {
    const place = await this.#room.take(scope.account.id, data.length)
    try {
      return await this.#finishPlanned({ ...execution, place }, scope, data)
    } finally {
      place.free()
    }
  }

  #finishPlanned(execution: Execution, scope: Scope, data: readonly unknown[]): Promise<string> {
    const planned = this.#plan(scope, data)
    if (!(planned instanceof Promise)) return this.#finish(execution, planned)
    return planned.then((late) => this.#finish(execution, late))
  }

  /** Returns a promise only if the operations have to wait for the work of others or for ids. */
  #plan(scope: Scope, data: readonly unknown[]): PlannedItems | Promise<PlannedItems> {
    const planned = new Array<Planned | Inquiry>(data.length)
    let next = 0
    const planNext = () => {
      // Another request may have taken the last id while this one waited.
      if (next === data.length || this.#ids.left === 0) return false
      planned[next] = planItem(scope, data[next])
      next += 1
      return next < data.length
    }
    const isPlanned = async (waiting: Promise<void> | undefined): Promise<PlannedItems> => {
      await waiting
      while (next < data.length) {
        while (this.#ids.left === 0) await this.#ids.refill(data.length - next)
        await this.#work.run(scope.account.id, planNext)
      }
      return planned
    }
    const waiting = this.#work.run(scope.account.id, planNext)
    return waiting === undefined && next === data.length ? planned : isPlanned(waiting)
  }

  #finish(execution: Execution, planned: PlannedItems): Promise<string> {
    this.#lookups.check(execution.scope, planned)
    checkWhole(planned, this.#tools.limits)
    if (planned.some(isInquiry)) return this.#inquireAndWrite(execution, planned)
    return this.#write(execution, planned as readonly Planned[])
  }

  async #inquireAndWrite(execution: Execution, planned: PlannedItems): Promise<string> {
    const { request, scope, key, place } = execution
    // What it asks may take long.
    place?.free()
    if (key === null) return this.#write(execution, await answerInquiries(scope, planned))
    // Cancellations are not part of the transaction: repeats and missing room for the answer must be detected before
    // anything is done, and must not be decided differently later.
    const before = await this.#tools.store.recall(scope.account.id, key, scope.now)
    if (before !== null) return this.#answerAgain(before)
    const decided = { ...key, room: { ...key.room, maxBytes: null } }
    return this.#write({ request, scope, key: decided, place }, await answerInquiries(scope, planned))
  }

  #scopeOf(request: Frame, span: OpenSpan | undefined, { account, key }: Access, now: number): Scope {
    const { limits, random } = this.#tools
    return openScope(
      this.#tools,
      { account, key, now, newId: this.#newId },
      {
        trace: span === undefined ? request.traceparent : span.traceparent,
        waitUntil: request.mode === 'sync' ? now + limits.callAnswerSeconds * 1000 : null,
        checkIds: new CheckIds(request, random),
        lists: new ListBudget(request, limits.listsInRequest),
      },
    )
  }

  #requestIdOf({ mode }: Frame): string | null {
    return mode === 'sync' ? null : Buffer.from(this.#tools.random.bytes(16)).toString('hex')
  }

  /** Headers cannot contain a line feed, so keys of test requests stay separate. */
  #keyOf({ body, idempotencyKey }: Frame, { account, key, now }: Scope): RoomyKey | null {
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

  async #write({ request, scope, key, place }: Execution, planned: readonly Planned[]): Promise<string> {
    const draft = { requestId: this.#requestIdOf(request), results: planned.map((each) => each.draft) }
    const items = itemsOf(planned)
    if (key === null && items.every((item) => item.kind === 'balance')) {
      return answerOf(draft, await this.#readBalances(scope.account, items), NONE)
    }
    const idempotency = key === null ? null : this.#idempotencyOf(key, draft, scope.now)
    const accepted = await this.#tools.store.accept(orderOf(scope, idempotency, items))
    // Calls may be waited for.
    place?.free()
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

type PlannedItems = readonly (Planned | Inquiry)[]

type RoomyKey = RequestKey & { readonly room: AnswerRoom }

/** Limits that apply to all operations of a request together. Throws Refused. */
function checkWhole(planned: PlannedItems, { templateChangesInRequest, linksInRequest }: Limits): void {
  let templateChanges = 0
  let links = 0
  for (const each of planned) {
    if (isInquiry(each) || each.item === null) continue
    if (each.item.kind === 'message') links += each.item.links.length
    else if (TEMPLATE_CHANGES.has(each.item.kind)) templateChanges += 1
  }
  if (templateChanges > templateChangesInRequest) throw new Refused(tooManyTemplateChanges(templateChangesInRequest))
  if (links > linksInRequest) throw new Refused(tooManyLinksInRequest(linksInRequest))
}

function itemsOf(planned: readonly Planned[]): readonly AcceptItem[] {
  const items = planned.map(({ item }) => item)
  return items.includes(null) ? items.filter((item) => item !== null) : (items as AcceptItem[])
}

function orderOf(
  { account, now, usage }: Scope,
  idempotency: Idempotency | null,
  items: readonly AcceptItem[],
): AcceptRequest {
  const order = { accountId: account.id, now, idempotency, items }
  return usage === null || usage.limits.length === 0 ? order : { ...order, limits: usage.limits }
}

const TEMPLATE_CHANGES: ReadonlySet<AcceptItem['kind']> = new Set(['template', 'template removal'])

const NONE: ReadonlySet<Message['id']> = new Set()
