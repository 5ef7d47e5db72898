/**
 * Runs bulks: takes the lines of each at its pace, makes messages of them, and stores those with the bulk's progress in
 * one transaction. Nothing else is kept, so another node can go on at any time: of two that try the same lines, one
 * succeeds.
 */

import type { Account } from '../../domain/accounts/account.ts'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import {
  BLOCK_LINES,
  type Bulk,
  type BulkCommand,
  type BulkView,
  mayEnd,
  queuedMessages,
} from '../../domain/bulk/bulk.ts'
import type { BulkLine, LineCause } from '../../domain/bulk/bulk-lines.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId } from '../../domain/ids/message-id.ts'
import type { CheckedLine, LineStep, OfBulk, SentLines, StoredLines } from '../../ports/stores/bulk-store.ts'
import type { AcceptItem } from '../../ports/stores/intake-store.ts'
import { resolveOperators } from '../lookup/resolve-operators.ts'
import { cancelQueuedOfBulk } from '../read/cancel-queued.ts'
import { passAccepted } from '../request/answer.ts'
import { internalKey } from '../request/internal-key.ts'
import type { MessageIds } from '../request/message-ids.ts'
import { openScope } from '../request/open-scope.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import type { Scope } from '../request/planned.ts'
import type { WorkQueue } from '../request/work-queue.ts'
import { LineChecker } from './line-checker.ts'
import { Paces } from './paces.ts'

/** Bulks read in one query. */
const DUE_LIMIT = 100
/** Accounts whose bulks advance at one time, and bulks of one account: each has its turn, however many another has. */
const MAX_ACCOUNTS = 16
const MAX_OF_ACCOUNT = 2
/** Short links that one step makes at most, but for those of its last line: each is a row of the transaction. */
const MAX_LINKS = 1_800
/** Messages of a bulk that no carrier has yet: this many seconds of its pace, and at least MIN_AHEAD. */
const AHEAD_SECONDS = 5
/** How often messages of a stopped bulk that could not be cancelled are tried again. */
const CANCEL_AGAIN_MS = 1_000
const MIN_AHEAD = 200

export class BulkRunner {
  readonly #tools: OperationTools
  readonly #work: WorkQueue
  readonly #onEnd: () => void
  readonly #ids: MessageIds
  readonly #paces: Paces
  readonly #advancing = new Map<AccountId, Promise<void>>()
  /** When the rest of stopped bulks is looked for again, monotonic milliseconds. */
  readonly #stopped = new Map<BulkId, number>()

  /** Calls `onEnd` when the report of a bulk's end waits in the store. */
  constructor(tools: OperationTools, work: WorkQueue, onEnd: () => void) {
    this.#tools = tools
    this.#onEnd = onEnd
    this.#work = work
    this.#ids = tools.messageIds
    this.#paces = new Paces(tools.clock)
  }

  /** Advances every bulk that is due; resolves when all have begun, with `more` if there are any. */
  async look(): Promise<'more' | 'done'> {
    const seen = new Set<BulkId>()
    for await (const bulks of this.#dueByAccount()) {
      for (const { id } of bulks) seen.add(id)
      await this.#begin(bulks)
    }
    this.#paces.keep(seen)
    for (const id of this.#stopped.keys()) if (!seen.has(id)) this.#stopped.delete(id)
    return seen.size === 0 ? 'done' : 'more'
  }

  /** Waits for steps in progress. */
  async settle(): Promise<void> {
    await Promise.all(this.#advancing.values())
  }

  /** Yields the due bulks of one account after the other. */
  async *#dueByAccount(): AsyncGenerator<Due> {
    let bulks: BulkView[] = []
    for (let after: OfBulk | null = null, more = true; more; ) {
      const page = await this.#tools.store.dueBulks({ now: this.#tools.clock.now(), after, limit: DUE_LIMIT })
      for (const bulk of page) {
        const { accountId, id } = bulk
        if (isDue(bulks) && bulks[0].accountId !== accountId) {
          yield bulks
          bulks = []
        }
        bulks.push(bulk)
        after = { accountId, bulkId: id }
      }
      more = page.length === DUE_LIMIT
    }
    if (isDue(bulks)) yield bulks
  }

  async #begin(bulks: Due): Promise<void> {
    const [{ accountId }] = bulks
    if (this.#advancing.has(accountId)) return
    while (this.#advancing.size >= MAX_ACCOUNTS) await Promise.race(this.#advancing.values())
    const advancing = this.#advanceAll(bulks).then(() => void this.#advancing.delete(accountId))
    this.#advancing.set(accountId, advancing)
  }

  async #advanceAll(bulks: Due): Promise<void> {
    const account = this.#tools.directory().account(bulks[0].accountId)
    const most = account?.settings.bulkPace ?? this.#tools.limits.bulkPace
    const waiting = shareOut(bulks, most).values()
    const advanceOne = async () => {
      for (const bulk of waiting) {
        const advanced = this.#advance(bulk)
        await advanced.catch((error: Error) => this.#tools.log.warn({ error }, 'bulk does not advance; retrying'))
      }
    }
    await Promise.all(Array.from({ length: MAX_OF_ACCOUNT }, advanceOne))
  }

  async #advance(bulk: BulkView): Promise<void> {
    const at = this.#tools.clock.now()
    if (mayEnd(bulk)) return this.#command(bulk, { kind: 'end', at })
    if (bulk.state === 'stopped') return this.#cancelRest(bulk)
    if (bulk.state === 'ready') return this.#command(bulk, { kind: 'begin', at })
    if (!isSending(bulk)) return
    const account = this.#tools.directory().account(bulk.accountId)
    if (account?.state !== 'active') return this.#command(bulk, { kind: 'pause', at, reason: 'account' })
    await this.#send(bulk, account)
  }

  /** Messages of a stopped bulk that are left: of a stop that broke off, or held by another node. */
  async #cancelRest(bulk: BulkView): Promise<void> {
    const { accountId, id } = bulk
    const most = queuedMessages(bulk)
    const now = this.#tools.clock.monotonic()
    if (most === 0 || (this.#stopped.get(id) ?? now) > now) return
    this.#stopped.set(id, now + CANCEL_AGAIN_MS)
    await cancelQueuedOfBulk(this.#tools, { accountId, id, most })
  }

  async #command({ accountId, id }: Bulk, command: BulkCommand): Promise<void> {
    await this.#tools.store.bulk({ kind: 'command', accountId, bulkId: id, command })
    if (command.kind === 'end') this.#onEnd()
  }

  /** Sends as many lines as the pace and the messages ahead allow. */
  async #send(view: BulkView, account: Account): Promise<void> {
    const ahead = Math.max(MIN_AHEAD, view.pace * AHEAD_SECONDS) - queuedMessages(view)
    let left = Math.min(ahead, this.#paces.available(view))
    let bulk: Bulk = view
    while (left >= 1 && isSending(bulk)) {
      const sent = await this.#step(bulk, account, Math.min(left, BLOCK_LINES))
      if (sent === null) return
      const processed = sent.outcomes.length
      this.#paces.take(bulk.id, processed)
      left -= Math.max(1, processed)
      bulk = sent.bulk
    }
  }

  /** Makes messages of at most this many lines. */
  async #step(bulk: Bulk, account: Account, most: number): Promise<SentLines | null> {
    const { store } = this.#tools
    const block = await store.readBulkLines(bulk.id, bulk.nextLine)
    const { step, items } = await this.#plan(bulk, account, { block, most })
    const sent = await store.bulk(step)
    if (sent !== null) passAccepted(this.#tools, items, sent.outcomes)
    return sent
  }

  async #plan(
    bulk: Bulk,
    account: Account,
    { block, most }: { readonly block: StoredLines | null; readonly most: number },
  ): Promise<{ readonly step: LineStep; readonly items: readonly AcceptItem[] }> {
    const lines = block?.lines.slice(0, most) ?? []
    const now = this.#tools.clock.now()
    const newId: Scope['newId'] = (id) => this.#ids.next(id)
    const opened = { ...openScope(this.#tools, { account, key: keyOf(bulk), now, newId }), bulk: bulk.id }
    const { lookUpNumbers } = account.settings
    const scope = lookUpNumbers && !bulk.test ? await resolveOperators(opened, sendsOf(bulk, lines)) : opened
    const planned = await this.#planLines(new LineChecker(scope, bulk), account, lines)
    const checked = planned.map((each, index): CheckedLine => {
      return { line: lines[index]?.line ?? 0, cause: isItem(each) ? null : each }
    })
    const items = planned.filter(isItem)
    const limits = scope.usage === null || scope.usage.limits.length === 0 ? {} : { limits: scope.usage.limits }
    const request = { accountId: account.id, now, idempotency: null, items, ...limits }
    const isWhole = block === null || checked.length === block.lines.length
    const through = isWhole ? (block?.last ?? bulk.lines) : (checked.at(-1)?.line ?? bulk.lines)
    const range = { from: bulk.nextLine, through, erased: bulk.erased }
    return {
      items,
      step: { kind: 'send lines', accountId: account.id, bulkId: bulk.id, ...range, lines: checked, request },
    }
  }

  /** In turn with the requests of all accounts. Ends early with a line that makes too many short links. */
  async #planLines(
    checker: LineChecker,
    account: Account,
    lines: readonly BulkLine[],
  ): Promise<readonly (AcceptItem | LineCause)[]> {
    const planned: (AcceptItem | LineCause)[] = []
    let links = 0
    const isLeft = () => planned.length < lines.length && links < MAX_LINKS
    while (isLeft()) {
      while (this.#ids.left === 0) await this.#ids.refill(lines.length - planned.length)
      await this.#work.run(account.id, () => {
        const line = lines[planned.length]
        // Another step may have taken the last id while this one waited.
        if (line === undefined || this.#ids.left === 0) return false
        const each = checker.plan(line)
        planned.push(each)
        links += linksOf(each)
        return isLeft()
      })
    }
    return planned
  }
}

/** The due bulks of one account. */
type Due = readonly [BulkView, ...BulkView[]]

function isDue(bulks: BulkView[]): bulks is [BulkView, ...BulkView[]] {
  return bulks.length > 0
}

function isSending({ state, nextLine, lines }: Bulk): boolean {
  return state === 'running' && nextLine <= lines
}

/** Returns the bulks of an account, slowed down so that those that send have at most this pace together. */
function shareOut(bulks: Due, most: number): readonly BulkView[] {
  const sum = bulks.reduce((paces, bulk) => paces + (isSending(bulk) ? bulk.pace : 0), 0)
  return sum <= most ? bulks : bulks.map((bulk) => ({ ...bulk, pace: (bulk.pace * most) / sum }))
}

/** Returns what is known of the sends before they are planned. */
function sendsOf({ message }: Bulk, lines: readonly BulkLine[]): readonly object[] {
  const { type } = JSON.parse(message)
  return lines.map(({ phone }) => ({ type, phone }))
}

function linksOf(each: AcceptItem | LineCause): number {
  return isItem(each) && each.kind === 'message' ? each.links.length : 0
}

function isItem(each: AcceptItem | LineCause): each is AcceptItem {
  return 'kind' in each
}

/** The rights of a run: those of the key that made the bulk, whether or not the key still exists. */
function keyOf({ accountId, test, createdAt }: Bulk): ApiKey {
  return internalKey({ accountId, name: 'bulk', scopes: ['send'], test, createdAt })
}
