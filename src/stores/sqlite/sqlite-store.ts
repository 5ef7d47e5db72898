/** The writing methods of the port in the caller's thread: objects are converted to rows for the engine and back. */
import { rm, writeFile } from 'node:fs/promises'
import type { InstallationRetention } from '../../domain/accounts/retention.ts'
import type { TrafficCount } from '../../domain/guards/traffic.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { Report } from '../../domain/reports/report.ts'
import type { QualityRow } from '../../domain/routing/quality-counts.ts'
import type { InboundArrival, SettledKey } from '../../ports/carriers/carrier.ts'
import type { ReceiptCopy } from '../../ports/carriers/receipt-address.ts'
import type { CarrierUser } from '../../ports/carriers/user-store.ts'
import type { KeyUse } from '../../ports/changes/account-change.ts'
import type { ChangeRecord } from '../../ports/changes/change-record.ts'
import type { CommitTimer } from '../../ports/records/commit-timer.ts'
import type { BlockedQueue, DueClaim, DueClaimed, QueueOrder } from '../../ports/records/due-claim.ts'
import type { HookClaim, ReportClaim, ReportResult } from '../../ports/records/pending-report.ts'
import type { ClickCount } from '../../ports/records/short-link.ts'
import { StoreError } from '../../ports/records/store-errors.ts'
import type { BulkAnswer, BulkOrder } from '../../ports/stores/bulk-store.ts'
import type { RecordedTurn, RecordOutcome } from '../../ports/stores/delivery-store.ts'
import type { Acknowledgement } from '../../ports/stores/event-store.ts'
import type { AcceptRequest } from '../../ports/stores/intake-store.ts'
import type { EndedParts, NewPart, OneName } from '../../ports/stores/part-store.ts'
import { MAX_REPLAYED, type ReplayRequest } from '../../ports/stores/replay-store.ts'
import type { ReplyResult } from '../../ports/stores/reply-store.ts'
import type { Change, ChangeAnswer } from '../../ports/stores/setup-store.ts'
import type { Store } from '../../ports/stores/store.ts'
import { toAdmissionOrder } from '../admission/admission-order.ts'
import { packDraft, rowsOfRequest, unpackDraft } from '../admission/answered-requests.ts'
import { toTurnOrder } from '../recording/turn-order.ts'
import { divideTurns, joinOutcomes } from '../recording/turn-parts.ts'
import { rowsOfBulkOrder } from '../rows/bulk/bulk-row.ts'
import { eraseLines, forgetRecipient } from '../rows/erasure/forget-slices.ts'
import { fromMessageRow, writeList } from '../rows/messages/message-row.ts'
import { GATEWAY, SLICE_ROWS } from '../rows/queues/command-queue.ts'
import { sumOf, walkSeals } from '../rows/sealing/walk-seals.ts'
import { VERSIONS } from '../tables/changes.ts'
import { prepareBulkOrder } from './bulk/change-bulk.ts'
import { packChange } from './changes/pack-change.ts'
import type { Runner } from './engine/group-commit.ts'
import { recipientForgetter } from './forget-recipient.ts'
import { allAccepted } from './requests/accept-messages.ts'
import { SqliteReads } from './sqlite-reads.ts'

/** Turns of one command: a batch takes a few such commands, never the hundreds that a busy gateway records at once. */
const RECORDED_ROWS = 64

const ALL_WRITTEN: RecordOutcome = { stale: [], elsewhere: [], earlyReceipts: [], queuedReports: [] }

export class SqliteStore extends SqliteReads implements Store {
  readonly #file: string | null
  /** A file has one gateway. */
  readonly cluster = null
  readonly database = { kind: 'sqlite', schema: VERSIONS.sqlite.present } as const

  /** `file`: of the database; null for one in memory. */
  constructor(runner: Runner, timeCommit?: CommitTimer, file: string | null = null) {
    super(runner, timeCommit)
    this.#file = file
  }

  /** Since opening. `commits` are batches that wrote, with one fsync each at most. */
  get work(): { readonly commits: number; readonly commands: number } {
    return this.commit.work
  }

  async accept(request: AcceptRequest) {
    const packed = packDraft(request)
    const order = packed instanceof Promise ? await packed : packed
    const outcome = await this.commit.submitLate(
      { size: rowsOfRequest(order), tenant: order.accountId, verb: 'accept' },
      () => [toAdmissionOrder(order, writeList)],
    )
    return outcome === null ? allAccepted(order) : unpackDraft(outcome)
  }

  reserveIds(count: number) {
    return this.commit.submit(1, 'reserveIds', count)
  }

  /** Writes nothing to the database as long as writing works. */
  async checkWrites() {
    if (this.commit.isFailing) await this.reserveIds(1)
    if (this.#file !== null) await checkRoom(this.#file)
  }

  async record(turns: readonly RecordedTurn[]): Promise<RecordOutcome> {
    const outcomes = await Promise.all(
      divideTurns(turns, RECORDED_ROWS).map((part) =>
        this.commit.submitLate({ size: part.length, tenant: GATEWAY, verb: 'record' }, () => [
          part.map((turn) => toTurnOrder(turn, writeList)),
        ]),
      ),
    )
    return joinOutcomes(outcomes.map((outcome) => outcome ?? ALL_WRITTEN))
  }

  matchReceipts(receipts: readonly ReceiptCopy[], now: number) {
    return this.commit.submit(receipts.length, 'matchReceipts', receipts, now)
  }

  recordInbound(arrivals: readonly InboundArrival[], settled: readonly SettledKey[]) {
    return this.commit.submit(arrivals.length + settled.length, 'recordInbound', arrivals, settled)
  }

  async claimDue(claim: DueClaim): Promise<DueClaimed> {
    const claimed = await this.commit.submit(claim.limit, 'claimDue', claim)
    const { messages, queued, ...rest } = claimed
    return { ...rest, messages: messages.map(fromMessageRow), queued: queued.map(fromMessageRow) }
  }

  release(ids: readonly MessageId[]) {
    return this.commit.submit(ids.length, 'release', ids)
  }

  enqueue(orders: readonly QueueOrder[]) {
    return this.commit.submit(orders.length, 'enqueue', orders)
  }

  blockedQueues(after: string) {
    return this.commit.submit(1, 'blockedQueues', after)
  }

  unblock(queue: BlockedQueue, limit: number) {
    return this.commit.submit(limit, 'unblock', queue, limit)
  }

  claimReports(claim: ReportClaim) {
    return this.commit.submit(claim.limit, 'claimReports', claim)
  }

  claimReportsOf(claim: HookClaim) {
    return this.commit.submit(claim.limit, 'claimReportsOf', claim)
  }

  settleReports(results: readonly ReportResult[]) {
    return this.commit.submit(results.length, 'settleReports', results)
  }

  keepPart(part: NewPart) {
    return this.commit.submit(1, 'keepPart', part)
  }

  endParts(ended: EndedParts): Promise<void> {
    return this.commit.submit(ended.partIds.length, 'endParts', ended)
  }

  nameMessages(named: OneName) {
    return this.commit.submit(named.messageIds.length, 'nameMessages', named)
  }

  acknowledgeEvents(acknowledgement: Acknowledgement) {
    return this.commit.submit(1, 'acknowledgeEvents', acknowledgement)
  }

  async bulk<O extends BulkOrder>(order: O): Promise<BulkAnswer<O>> {
    return (await this.commit.submit(rowsOfBulkOrder(order), 'bulk', prepareBulkOrder(order))) as BulkAnswer<O>
  }

  replayReports(request: ReplayRequest) {
    return this.commit.submit(MAX_REPLAYED, 'replayReports', request)
  }

  countClicks(clicks: readonly ClickCount[]) {
    return this.commit.submit(clicks.length, 'countClicks', clicks)
  }

  writeReport(report: Report, at: number) {
    return this.commit.submit(1, 'writeReport', report, at)
  }

  async change<C extends Change>(change: C, record?: ChangeRecord): Promise<ChangeAnswer<C>> {
    const packing = packChange(change)
    const packed = packing instanceof Promise ? await packing : packing
    return (await this.commit.submit(1, 'change', packed, record ?? null)) as ChangeAnswer<C>
  }

  keepAnswer(actor: string, key: string, answer: string) {
    return this.commit.submit(1, 'keepAnswer', actor, key, answer)
  }

  countQuality(rows: readonly QualityRow[]): Promise<void> {
    return this.commit.submit(rows.length, 'countQuality', rows)
  }

  noteKeyUses(uses: readonly KeyUse[]) {
    return this.commit.submit(uses.length, 'noteKeyUses', uses)
  }

  rememberUsers(users: readonly CarrierUser[], now: number) {
    return this.commit.submit(users.length, 'rememberUsers', users, now)
  }

  settleReplies(results: readonly ReplyResult[]): Promise<void> {
    return this.commit.submit(results.length, 'settleReplies', results)
  }

  async forget(phone: Phone, now: number) {
    const names = await this.commit.submit(1, 'findNames', phone)
    return forgetRecipient(recipientForgetter(this.commit, { names, now, lines: () => eraseLines(this, phone) }))
  }

  async sealAnew() {
    return sumOf(await walkSeals((place) => this.commit.submit(SLICE_ROWS, 'sealAnew', place)))
  }

  async sweep(now: number, keeping: InstallationRetention) {
    // Every slice is a command of its own, so that others get their turn between two of them.
    for (let begins = true; await this.commit.submit(1, 'sweep', { now, keeping, begins }); ) begins = false
  }

  countTraffic(traffic: readonly TrafficCount[]) {
    return this.commit.submit(traffic.length, 'countTraffic', traffic)
  }

  close() {
    return this.commit.close()
  }
}

/** Whether the disk of a database has room: its own files may have some left, so that the next writes show nothing. */
const PAGES = Buffer.alloc(64 * 1024, 1)

/** Writes a file beside the database and removes it. Rejects with StoreError if it cannot be written. */
async function checkRoom(database: string): Promise<void> {
  const file = `${database}-room`
  try {
    await writeFile(file, PAGES)
  } catch (cause) {
    throw new StoreError((cause as Error).message, { cause })
  } finally {
    await rm(file, { force: true })
  }
}
