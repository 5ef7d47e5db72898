/** The methods of the port in the caller's thread: objects are converted to rows for the engine and back. */
import type { AccountId } from '../../domain/account.ts'
import type { BulkId } from '../../domain/bulk.ts'
import type { CallQuery } from '../../domain/call-statistics.ts'
import type { FeedQuery } from '../../domain/event-feed.ts'
import type { MessageId } from '../../domain/message-id.ts'
import type { Month } from '../../domain/month.ts'
import type { OptOut } from '../../domain/opt-out.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Price } from '../../domain/price.ts'
import type { Report } from '../../domain/report.ts'
import type { InstallationRetention } from '../../domain/retention.ts'
import type { TrafficCount } from '../../domain/traffic.ts'
import type { KeyUse } from '../../ports/account-change.ts'
import type { BulkAnswer, BulkErrorQuery, BulkOrder, BulkQuery, DueBulkQuery } from '../../ports/bulk-store.ts'
import type { CarrierReceipt, InboundArrival, SettledKey } from '../../ports/carrier.ts'
import type { ChangeRecord } from '../../ports/change-record.ts'
import type { RecordedTurn, RecordOutcome } from '../../ports/delivery-store.ts'
import type { DueClaim, DueClaimed, QueueOrder } from '../../ports/due-claim.ts'
import type { Acknowledgement } from '../../ports/event-store.ts'
import type { AcceptRequest, RequestKey } from '../../ports/intake-store.ts'
import type { MessageName } from '../../ports/message-name.ts'
import type { Months } from '../../ports/money-change.ts'
import type { Page, PageQuery, PageRows } from '../../ports/pages.ts'
import type { HookClaim, ReportClaim, ReportFilter, ReportResult } from '../../ports/pending-report.ts'
import type { InboundQuery } from '../../ports/query-store.ts'
import type { ReceiptCopy } from '../../ports/receipt-address.ts'
import { MAX_REPLAYED, type ReplayRequest } from '../../ports/replay-store.ts'
import type { PendingReply, PendingReplyQuery, ReplyResult } from '../../ports/reply-store.ts'
import type { HookStopQuery } from '../../ports/report-store.ts'
import type { Change, ChangeAnswer } from '../../ports/setup-store.ts'
import type { ClickCount } from '../../ports/short-link.ts'
import type { Store } from '../../ports/store.ts'
import type { InboundTrace, Trace } from '../../ports/trace.ts'
import { packDraft, rowsOfRequest, unpackDraft } from '../admission/pack-text.ts'
import { toTurnOrder } from '../recording/turn-order.ts'
import { divideTurns, joinOutcomes } from '../recording/turn-parts.ts'
import { rowsOfBulkOrder } from '../rows/bulk-row.ts'
import { inSlices, SLICE_ROWS } from '../rows/command-queue.ts'
import { eraseLines, forgetRecipient } from '../rows/forget-slices.ts'
import { fromMessageRow } from '../rows/message-row.ts'
import { readPageRow } from '../rows/page-row.ts'
import { sumOf, walkSeals } from '../rows/walk-seals.ts'
import { packOrder } from './accept-messages.ts'
import { packBulkOrder } from './change-bulk.ts'
import { recipientForgetter } from './forget-recipient.ts'
import { GroupCommit, type Runner } from './group-commit.ts'
import { packTurn } from './packed-turn.ts'
import { packChange, readPrices } from './price-pieces.ts'
import { verifyLedger } from './verify-ledger.ts'

/** Turns of one command: a batch takes a few such commands, never the hundreds that a busy gateway records at once. */
const RECORDED_ROWS = 64

const ALL_WRITTEN: RecordOutcome = { stale: [], elsewhere: [], earlyReceipts: [], queuedReports: [] }

export class SqliteStore implements Store {
  /** A file has one gateway. */
  readonly cluster = null
  readonly #commit: GroupCommit
  /** The prices loaded last: a reloaded directory reuses the same list while no price changed. */
  #prices: { readonly revision: number; readonly list: readonly Price[] } = { revision: 0, list: [] }

  constructor(runner: Runner) {
    this.#commit = new GroupCommit(runner)
  }

  /** Since opening. `commits` are batches that wrote, with one fsync each at most. */
  get work(): { readonly commits: number; readonly commands: number } {
    return this.#commit.work
  }

  async accept(request: AcceptRequest) {
    const packed = packDraft(request)
    const order = packed instanceof Promise ? await packed : packed
    return unpackDraft(await this.#commit.submit(rowsOfRequest(order), 'accept', packOrder(order)))
  }

  async recall(accountId: AccountId, request: RequestKey, now: number) {
    const recalled = await this.#commit.submit(1, 'recall', accountId, request, now)
    return recalled === null ? null : unpackDraft(recalled)
  }

  async findMessages(accountId: AccountId, names: readonly MessageName[]) {
    const found = await inSlices(names, (slice) => this.#commit.submit(slice.length, 'findMessages', accountId, slice))
    return found.map((row) => (row === null ? null : fromMessageRow(row)))
  }

  tallyReports(accountId: AccountId, ids: readonly MessageId[]) {
    return inSlices(ids, (slice) => this.#commit.submit(slice.length, 'tallyReports', accountId, slice))
  }

  reserveIds(count: number) {
    return this.#commit.submit(1, 'reserveIds', count)
  }

  /** Writes nothing as long as writing works. */
  async checkWrites() {
    if (this.#commit.isFailing) await this.reserveIds(1)
  }

  async record(turns: readonly RecordedTurn[]): Promise<RecordOutcome> {
    const outcomes = await Promise.all(
      divideTurns(turns, RECORDED_ROWS).map((part) =>
        this.#commit.submit(
          part.length,
          'record',
          part.map((turn) => packTurn(toTurnOrder(turn))),
        ),
      ),
    )
    return joinOutcomes(outcomes.map((outcome) => outcome ?? ALL_WRITTEN))
  }

  matchReceipts(receipts: readonly ReceiptCopy[], now: number) {
    return this.#commit.submit(receipts.length, 'matchReceipts', receipts, now)
  }

  findAddresses(receipts: readonly CarrierReceipt[]) {
    return this.#commit.submit(receipts.length, 'findAddresses', receipts)
  }

  recordInbound(arrivals: readonly InboundArrival[], settled: readonly SettledKey[]) {
    return this.#commit.submit(arrivals.length + settled.length, 'recordInbound', arrivals, settled)
  }

  inboundMessages(most: number) {
    return this.#commit.submit(most, 'inboundMessages', most)
  }

  inboundOf(query: InboundQuery) {
    return this.#commit.submit(query.limit, 'inboundOf', query)
  }

  async claimDue(claim: DueClaim): Promise<DueClaimed> {
    const claimed = await this.#commit.submit(claim.limit, 'claimDue', claim)
    const { messages, queued, ...rest } = claimed
    return { ...rest, messages: messages.map(fromMessageRow), queued: queued.map(fromMessageRow) }
  }

  release(ids: readonly MessageId[]) {
    return this.#commit.submit(ids.length, 'release', ids)
  }

  enqueue(orders: readonly QueueOrder[]) {
    return this.#commit.submit(orders.length, 'enqueue', orders)
  }

  async loadMessages(ids: readonly MessageId[]) {
    const rows = await this.#commit.submit(ids.length, 'loadMessages', ids)
    return rows.map(fromMessageRow)
  }

  findOptOuts(destinations: readonly Pick<OptOut, 'accountId' | 'phone'>[]) {
    return this.#commit.submit(destinations.length, 'findOptOuts', destinations)
  }

  claimReports(claim: ReportClaim) {
    return this.#commit.submit(claim.limit, 'claimReports', claim)
  }

  claimReportsOf(claim: HookClaim) {
    return this.#commit.submit(claim.limit, 'claimReportsOf', claim)
  }

  waitingHooks() {
    return this.#commit.submit(1, 'waitingHooks')
  }

  countReports(filter: ReportFilter & { readonly at: number }) {
    return this.#commit.submit(1, 'countReports', filter)
  }

  stoppedHooks(query: HookStopQuery) {
    return this.#commit.submit(1, 'stoppedHooks', query)
  }

  settleReports(results: readonly ReportResult[]) {
    return this.#commit.submit(results.length, 'settleReports', results)
  }

  readEvents(query: FeedQuery) {
    return this.#commit.submit(query.limit, 'readEvents', query)
  }

  acknowledgeEvents(acknowledgement: Acknowledgement) {
    return this.#commit.submit(1, 'acknowledgeEvents', acknowledgement)
  }

  async bulk<O extends BulkOrder>(order: O): Promise<BulkAnswer<O>> {
    return (await this.#commit.submit(rowsOfBulkOrder(order), 'bulk', packBulkOrder(order))) as BulkAnswer<O>
  }

  findBulk(accountId: AccountId, id: BulkId) {
    return this.#commit.submit(1, 'findBulk', accountId, id)
  }

  listBulks(query: BulkQuery) {
    return this.#commit.submit(query.limit, 'listBulks', query)
  }

  bulkErrors(query: BulkErrorQuery) {
    return this.#commit.submit(query.limit, 'bulkErrors', query)
  }

  bulksWithLines() {
    return this.#commit.submit(1, 'bulksWithLines')
  }

  dueBulks(query: DueBulkQuery) {
    return this.#commit.submit(1, 'dueBulks', query)
  }

  readBulkLines(bulkId: BulkId, from: number) {
    return this.#commit.submit(1, 'readBulkLines', bulkId, from)
  }

  replayReports(request: ReplayRequest) {
    return this.#commit.submit(MAX_REPLAYED, 'replayReports', request)
  }

  findLinks(codes: readonly string[]) {
    return this.#commit.submit(codes.length, 'findLinks', codes)
  }

  countClicks(clicks: readonly ClickCount[]) {
    return this.#commit.submit(clicks.length, 'countClicks', clicks)
  }

  async loadDirectory() {
    const known = this.#prices
    const { priceRevision, priceRows, ...rest } = await this.#commit.submit(1, 'loadDirectory', known.revision)
    if (priceRows === null) return { ...rest, prices: known.list }
    const list = await readPrices(priceRows)
    if (this.#prices === known || priceRevision > this.#prices.revision)
      this.#prices = { revision: priceRevision, list }
    return { ...rest, prices: list }
  }

  directoryRevision() {
    return this.#commit.submit(1, 'directoryRevision')
  }

  loadHooks(after: number) {
    return this.#commit.submit(1, 'loadHooks', after)
  }

  writeReport(report: Report, at: number) {
    return this.#commit.submit(1, 'writeReport', report, at)
  }

  async change<C extends Change>(change: C, record?: ChangeRecord): Promise<ChangeAnswer<C>> {
    const packing = packChange(change)
    const packed = packing instanceof Promise ? await packing : packing
    return (await this.#commit.submit(1, 'change', packed, record ?? null)) as ChangeAnswer<C>
  }

  findRequest(actor: string, key: string) {
    return this.#commit.submit(1, 'findRequest', actor, key)
  }

  keepAnswer(actor: string, key: string, answer: string) {
    return this.#commit.submit(1, 'keepAnswer', actor, key, answer)
  }

  async page<Of extends PageQuery['of']>(query: Extract<PageQuery, { of: Of }>): Promise<Page<PageRows[Of]>> {
    const { rows, next } = await this.#commit.submit(query.limit, 'page', query)
    return { rows: rows.map((row) => readPageRow(query.of, row)), next }
  }

  noteKeyUses(uses: readonly KeyUse[]) {
    return this.#commit.submit(uses.length, 'noteKeyUses', uses)
  }

  balancesOf(accountId: AccountId) {
    return this.#commit.submit(1, 'balancesOf', accountId)
  }

  pendingReplies(query: PendingReplyQuery): Promise<readonly PendingReply[]> {
    return this.#commit.submit(query.limit, 'pendingReplies', query)
  }

  settleReplies(results: readonly ReplyResult[]): Promise<void> {
    return this.#commit.submit(results.length, 'settleReplies', results)
  }

  traceInbound(id: MessageId): Promise<InboundTrace | null> {
    return this.#commit.submit(1, 'traceInbound', id)
  }

  async trace(id: MessageId): Promise<Trace | null> {
    const rows = await this.#commit.submit(1, 'trace', id)
    return rows === null ? null : { ...rows, message: fromMessageRow(rows.message) }
  }

  accountMonth(accountId: AccountId, month: Month) {
    return this.#commit.submit(1, 'accountMonth', accountId, month)
  }

  chargeTotals(months: Months) {
    return this.#commit.submit(1, 'chargeTotals', months)
  }

  callTotals(query: CallQuery) {
    return this.#commit.submit(1, 'callTotals', query)
  }

  verifyLedger() {
    return verifyLedger({
      snapshot: () => this.#commit.submit(SLICE_ROWS, 'ledgerSnapshot'),
      sums: (after, through) => this.#commit.submit(SLICE_ROWS, 'sumPostings', after, through),
      messages: (after) => this.#commit.submit(SLICE_ROWS, 'checkMessages', after),
      orphans: (after) => this.#commit.submit(SLICE_ROWS, 'checkOrphans', after),
    })
  }

  forget(phone: Phone, now: number) {
    return forgetRecipient(recipientForgetter(this.#commit, { phone, now, lines: () => eraseLines(this, phone) }))
  }

  sealingKey() {
    return this.#commit.submit(1, 'sealingKey')
  }

  async sealAnew() {
    return sumOf(await walkSeals((place) => this.#commit.submit(SLICE_ROWS, 'sealAnew', place)))
  }

  countSeals() {
    return walkSeals((place) => this.#commit.submit(SLICE_ROWS, 'countSeals', place))
  }

  async sweep(now: number, keeping: InstallationRetention) {
    // Every slice is a command of its own, so that others get their turn between two of them.
    for (let begins = true; await this.#commit.submit(1, 'sweep', { now, keeping, begins }); ) begins = false
  }

  counts() {
    return this.#commit.submit(1, 'counts')
  }

  countTraffic(traffic: readonly TrafficCount[]) {
    return this.#commit.submit(traffic.length, 'countTraffic', traffic)
  }

  close() {
    return this.#commit.close()
  }
}
