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
import { keptAnswers } from '../../domain/guards/guards.ts'
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
import { type AnswerDraft, answerOf, awaitedCalls, passAccepted } from '../request/answer.ts'
import type { ClientRequest } from '../request/client-request.ts'
import type { LoginAccess } from '../request/logins.ts'
import type { MessageIds } from '../request/message-ids.ts'
import { openScope } from '../request/open-scope.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import { type Inquiry, isInquiry, type Planned, type Reporting, type Scope, testOf } from '../request/planned.ts'
import { PlanningRoom } from '../request/planning-room.ts'
import { RequestReader } from '../request/read-request.ts'
import { CheckIds, ListBudget } from '../request/shared-in-request.ts'
import type { WorkQueue } from '../request/work-queue.ts'
import { recallCalls, waitForCalls } from '../send/call-otp.ts'
import { answerInquiries } from './answer-inquiries.ts'
import { operationGroup, planItem } from './plan-item.ts'

export type Run = (request: ClientRequest) => Promise<string>

/**
 * Runs operations for a login, whose access must be of now (`Logins.accessOf`), with the limits of a request of its
 * account. The answer is that of a synchronous request.
 */
export type RunFor = (who: LoginAccess, data: readonly object[], how?: LoginRun) => Promise<string>

export interface LoginRun {
  /** Of this login: the same request under the same key is executed once. */
  readonly idempotencyKey?: string | null
  /** How long the key is kept; as long as those of clients if absent. */
  readonly repeatSeconds?: number
  /** Its messages carry one-time codes. */
  readonly sendsCodes?: true
  readonly reporting?: Reporting | null
}

/** The answers are always the JSON text of a response envelope. */
export function createRuns(tools: OperationTools, work: WorkQueue): { readonly run: Run; readonly runFor: RunFor } {
  const runner = new Runner(tools, work)
  return { run: (request) => runner.run(request), runFor: (who, data, how) => runner.runFor(who, data, how) }
}

/**
 * Runs one operation for an account without a key of its client, as an operator asks. `begin` gets the id that its
 * message will have, and is awaited before anything is done. `testedCarrier`: the only carrier of its message.
 */
export type RunAs = (
  access: Access,
  item: object,
  begin: (id: MessageId) => Promise<void>,
  testedCarrier?: string,
) => Promise<string>

/** The answer is the same as that of a request of one operation. Rejects with what `begin` rejects with. */
export function createRunAs(tools: OperationTools, work: WorkQueue): RunAs {
  const runner = new Runner(tools, work)
  return (...asked) => runner.runAs(...asked)
}

/** A request after it was read, as far as its operations depend on it. */
type Frame = Pick<ClientRequest, 'mode' | 'body' | 'idempotencyKey' | 'traceparent' | 'reserve'> & {
  /** Of a login; absent for a request by key. */
  readonly how?: LoginRun
}

/** Where and when operations are executed. */
interface Execution {
  readonly request: Frame
  readonly scope: Scope
  readonly data: readonly unknown[]
}

/**
 * Nearly every request needs nothing but to be planned and written, which takes two asynchronous functions: each
 * further one keeps its variables in an object of its own until the store has answered.
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
    const { clock, chatappNames } = this.#tools
    const startedAt = clock.monotonic()
    const span = this.#startSpan(request)
    let operation = REFUSED
    try {
      const now = clock.now()
      // Reads, authenticates and limits, in the order that the size of the body asks for.
      const { access, data } = await this.#reader.read(request, now)
      const text = await this.#execute({ request, scope: this.#scopeOf(request, span, access, now), data })
      operation = operationGroup(data[0], chatappNames)
      return text
    } catch (error) {
      return this.#refusalOf(error)
    } finally {
      this.#end(operation, startedAt, span)
    }
  }

  async runFor(who: LoginAccess, data: readonly object[], how: LoginRun = {}): Promise<string> {
    const { clock, chatappNames } = this.#tools
    const { idempotencyKey = null } = how
    const startedAt = clock.monotonic()
    let operation = REFUSED
    try {
      this.#reader.admit(who, data.length)
      const request: Frame = {
        mode: 'sync',
        body: idempotencyKey === null ? NO_BODY : Buffer.from(JSON.stringify(data)),
        // Keys of clients have no line feed.
        idempotencyKey: idempotencyKey === null ? null : `login\n${who.login.name}\n${idempotencyKey}`,
        traceparent: null,
        reserve: () => true,
        how,
      }
      const text = await this.#execute({
        request,
        scope: this.#scopeOf(request, undefined, who.access, clock.now()),
        data,
      })
      operation = operationGroup(data[0], chatappNames)
      return text
    } catch (error) {
      return this.#refusalOf(error)
    } finally {
      this.#end(operation, startedAt, undefined)
    }
  }

  async runAs(...[access, item, begin, testedCarrier]: Parameters<RunAs>): Promise<string> {
    const id = await this.#ids.draw(access.account.id)
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
      const opened = this.#scopeOf(request, undefined, access, this.#tools.clock.now())
      const scope = { ...opened, newId: () => id }
      const run = testedCarrier === undefined ? scope : testOf(testedCarrier, scope)
      return await this.#execute({ request, scope: run, data })
    } catch (error) {
      return this.#refusalOf(error)
    }
  }

  /** Resolves operators, plans and prices, limits the whole, inquires, commits and answers. Rejects with Refused. */
  async #execute({ request, scope: opened, data }: Execution): Promise<string> {
    const { account } = opened
    const key = this.#keyOf(request, opened)
    let scope = opened
    if (account.settings.lookUpNumbers && !scope.key.test) {
      // A repeat asks no lookup service.
      const before = await this.#recall(scope, key)
      if (before !== null) return this.#answerAgain(before)
      scope = await resolveOperators(scope, data)
    }
    const place = data.length >= LARGE_OPERATIONS ? await this.#room.take(account.id, data.length) : null
    try {
      const planned = await this.#plan(scope, data)
      const asks = planned.some(isInquiry)
      if (asks) this.#lookups.check(scope, planned)
      checkWhole(planned, this.#tools.limits)
      if (asks) {
        // What it asks may take long.
        place?.free()
        // Cancellations are not part of the transaction: repeats and missing room for the answer must be detected
        // before anything is done.
        const before = await this.#recall(scope, key)
        if (before !== null) return this.#answerAgain(before)
      }
      const ready = asks ? await answerInquiries(scope, planned) : (planned as readonly Planned[])
      const draft = { requestId: this.#requestIdOf(request), results: ready.map((each) => each.draft) }
      const items = itemsOf(ready)
      if (key === null && items.every(({ kind }) => kind === 'balance')) return this.#answerReads(account, draft, items)
      const keepUntil = scope.now + (request.how?.repeatSeconds ?? this.#tools.limits.idempotencySeconds) * 1000
      const idempotency = key === null ? null : this.#idempotencyOf(asks ? decided(key) : key, draft, keepUntil)
      const accepted = await this.#tools.store.accept(orderOf(scope, idempotency, items))
      // Calls may be waited for.
      place?.free()
      if (accepted.kind !== 'executed') return this.#answerAgain(accepted)
      passAccepted(this.#tools, items, accepted.outcomes)
      return this.#answer(draft, accepted.outcomes)
    } finally {
      place?.free()
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

  /** Returns the earlier request under the key; null without one. */
  async #recall({ account, now }: Scope, key: RoomyKey | null): Promise<RecalledRequest | null> {
    return key === null ? null : this.#tools.store.recall(account.id, key, now)
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
        reporting: request.how?.reporting ?? null,
        sendsCodes: request.how?.sendsCodes ?? false,
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

  #idempotencyOf(key: RequestKey, draft: AnswerDraft, keepUntil: number): Idempotency {
    return { ...key, draft: JSON.stringify(draft), keepUntil }
  }

  #answer(draft: AnswerDraft, outcomes: readonly ItemOutcome[]): string | Promise<string> {
    const calls = awaitedCalls(draft, outcomes)
    if (calls.length === 0) return answerOf(draft, outcomes, NONE)
    return waitForCalls(this.#tools, calls).then((failed) => answerOf(draft, outcomes, failed))
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
  async #answerReads(account: Account, draft: AnswerDraft, items: readonly AcceptItem[]): Promise<string> {
    return answerOf(draft, items.length === 0 ? [] : await this.#readBalances(account, items), NONE)
  }

  async #readBalances(account: Account, items: readonly AcceptItem[]): Promise<readonly ItemOutcome[]> {
    const balances = await this.#tools.store.balancesOf(account.id)
    if (balances === null) throw new RangeError('an account of the directory is not in the store')
    return items.map(() => ({ kind: 'balance', availableMicros: balances.available }))
  }
}

const NO_BODY = Buffer.alloc(0)

/** Smaller requests are not counted: they are only many if an account opens many connections. */
const LARGE_OPERATIONS = 20

/** Stands for the operation of a request that failed as a whole. */
const REFUSED = 'refused'

type PlannedItems = readonly (Planned | Inquiry)[]

type RoomyKey = RequestKey & { readonly room: AnswerRoom }

/** Of a request that has asked: that its answer has room must not be decided differently later. */
function decided(key: RoomyKey): RoomyKey {
  return { ...key, room: { ...key.room, maxBytes: null } }
}

/** Limits what applies to all operations of a request together. Throws Refused. */
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
