/** The read-only methods of the port in the caller's thread: rows of the engine become objects. */
import type { OptOut } from '../../domain/consent/opt-out.ts'
import type { UsageWindow } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { StatisticsQuery } from '../../domain/statistics/message-statistics.ts'
import type { ZonedMonth } from '../../domain/time/zoned-month.ts'
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import type { CarrierUserId } from '../../ports/carriers/user-store.ts'
import type { CommitTimer } from '../../ports/records/commit-timer.ts'
import type { MessageName } from '../../ports/records/message-name.ts'
import type { Page, PageQuery, PageRows } from '../../ports/records/pages.ts'
import type { InboundTrace, Trace } from '../../ports/records/trace.ts'
import type { DueBulkQuery } from '../../ports/stores/bulk-store.ts'
import type { RequestKey } from '../../ports/stores/intake-store.ts'
import type { ChargeQuery } from '../../ports/stores/query-store.ts'
import { OPEN_LOOKS, type OpenQuery } from '../../ports/stores/queued-store.ts'
import type { DirectoryRead } from '../../ports/stores/setup-store.ts'
import { unpackDraft } from '../admission/answered-requests.ts'
import { type Reading, type ReadName, StoreReads } from '../commands/reads.ts'
import { fromMessageRow } from '../rows/messages/message-row.ts'
import { readPageRow } from '../rows/messages/page-row.ts'
import { inSlices, SLICE_ROWS } from '../rows/queues/command-queue.ts'
import { walkSeals } from '../rows/sealing/walk-seals.ts'
import { KnownDirectory } from '../rows/setup/known-directory.ts'
import { TotalSlices } from '../rows/statistics/total-slices.ts'
import { GroupCommit, type Runner } from './engine/group-commit.ts'
import { verifyLedger } from './money/verify-ledger.ts'

export class SqliteReads extends StoreReads {
  protected readonly commit: GroupCommit
  readonly #totals: TotalSlices
  readonly #directory = new KnownDirectory({
    revision: () => this.directoryRevision(),
    load: (known) => this.commit.submit(1, 'loadDirectory', known),
  })

  constructor(runner: Runner, timeCommit?: CommitTimer) {
    super()
    this.commit = new GroupCommit(runner, timeCommit)
    this.#totals = new TotalSlices({
      places: async (query) => {
        while (await this.commit.submit(SLICE_ROWS, 'sumUpCounts', query));
        return this.commit.submit(SLICE_ROWS, 'totalPlaces', query)
      },
      slice: (query, places, rest) => this.commit.submit(SLICE_ROWS, 'sliceTotals', query, places, rest),
    })
  }

  /** The engine answers a read under its name. */
  protected override reads<Args extends readonly unknown[], Answer>(name: ReadName, { size }: Reading<Args, Answer>) {
    return (...args: Args) =>
      this.commit.submit(size(...args), name, ...(args as never)) as Promise<unknown> as Promise<Answer>
  }

  async recall(accountId: AccountId, request: RequestKey, now: number) {
    const recalled = await this.commit.submit(1, 'recall', accountId, request, now)
    return recalled === null ? null : unpackDraft(recalled)
  }

  async findMessages(accountId: AccountId, names: readonly MessageName[]) {
    const found = await inSlices(names, (slice) => this.commit.submit(slice.length, 'findMessages', accountId, slice))
    return found.map((row) => (row === null ? null : fromMessageRow(row)))
  }

  tallyReports(accountId: AccountId, ids: readonly MessageId[]) {
    return inSlices(ids, (slice) => this.commit.submit(slice.length, 'tallyReports', accountId, slice))
  }

  repliesTo(accountId: AccountId, ids: readonly MessageId[]) {
    return inSlices(ids, (slice) => this.commit.submit(slice.length, 'repliesTo', accountId, slice))
  }

  findAddresses(receipts: readonly CarrierReceipt[]) {
    return this.commit.submit(receipts.length, 'findAddresses', receipts)
  }

  async loadMessages(ids: readonly MessageId[]) {
    const rows = await this.commit.submit(ids.length, 'loadMessages', ids)
    return rows.map(fromMessageRow)
  }

  openMessages(query: OpenQuery) {
    return this.commit.submit(OPEN_LOOKS, 'openMessages', query)
  }

  findOptOuts(destinations: readonly Pick<OptOut, 'accountId' | 'phone'>[]) {
    return this.commit.submit(destinations.length, 'findOptOuts', destinations)
  }

  findUsers(ids: readonly CarrierUserId[]) {
    return this.commit.submit(ids.length, 'findUsers', ids)
  }

  waitingHooks() {
    return this.commit.submit(1, 'waitingHooks')
  }

  dueBulks(query: DueBulkQuery) {
    return this.commit.submit(1, 'dueBulks', query)
  }

  loadDirectory(how?: DirectoryRead) {
    return this.#directory.read(how)
  }

  async page<Of extends PageQuery['of']>(query: Extract<PageQuery, { of: Of }>): Promise<Page<PageRows[Of]>> {
    const { rows, next } = await this.commit.submit(query.limit, 'page', query)
    return { rows: rows.map((row) => readPageRow(query.of, row)), next }
  }

  usageIn(accountId: AccountId, windows: readonly UsageWindow[]) {
    return this.commit.submit(windows.length, 'usageIn', accountId, windows)
  }

  traceInbound(id: MessageId): Promise<InboundTrace | null> {
    return this.commit.submit(1, 'traceInbound', id)
  }

  async trace(id: MessageId): Promise<Trace | null> {
    const rows = await this.commit.submit(1, 'trace', id)
    return rows === null ? null : { ...rows, message: fromMessageRow(rows.message) }
  }

  hookWaits(accountId: AccountId | null) {
    return this.commit.submit(1, 'hookWaits', accountId)
  }

  accountMonth(accountId: AccountId, month: ZonedMonth) {
    return this.commit.submit(1, 'accountMonth', accountId, month)
  }

  chargeTotals(query: ChargeQuery) {
    return this.commit.submit(1, 'chargeTotals', query)
  }

  messageTotals(query: StatisticsQuery) {
    return this.#totals.read(query)
  }

  verifyLedger() {
    return verifyLedger({
      snapshot: () => this.commit.submit(SLICE_ROWS, 'ledgerSnapshot'),
      sums: (after, through) => this.commit.submit(SLICE_ROWS, 'sumPostings', after, through),
      messages: (after) => this.commit.submit(SLICE_ROWS, 'checkMessages', after),
      orphans: (after) => this.commit.submit(SLICE_ROWS, 'checkOrphans', after),
    })
  }

  countSeals() {
    return walkSeals((place) => this.commit.submit(SLICE_ROWS, 'countSeals', place))
  }
}
