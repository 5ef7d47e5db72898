/** The writing methods of the port on PostgreSQL, in the lanes of the accounts concerned. */

import type { InstallationRetention } from '../../domain/accounts/retention.ts'
import type { Traffic, TrafficCount } from '../../domain/guards/traffic.ts'
import { bucketOf, bucketOfMessage, type MessageId } from '../../domain/ids/message-id.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { Report } from '../../domain/reports/report.ts'
import type { QualityRow } from '../../domain/routing/quality-counts.ts'
import type { InboundArrival, InboundKey, SettledKey } from '../../ports/carriers/carrier.ts'
import type { ReceiptCopy } from '../../ports/carriers/receipt-address.ts'
import type { CarrierUser } from '../../ports/carriers/user-store.ts'
import type { KeyUse } from '../../ports/changes/account-change.ts'
import type { ChangeRecord } from '../../ports/changes/change-record.ts'
import type { Cluster } from '../../ports/records/cluster.ts'
import type { BlockedQueue, DueClaim, DueClaimed, QueueOrder } from '../../ports/records/due-claim.ts'
import type {
  HookClaim,
  PendingReport,
  ReportClaim,
  ReportResult,
  WaitingHook,
} from '../../ports/records/pending-report.ts'
import type { ClickCount } from '../../ports/records/short-link.ts'
import type { BulkAnswer, BulkOrder } from '../../ports/stores/bulk-store.ts'
import type { RecordedTurn, RecordOutcome } from '../../ports/stores/delivery-store.ts'
import type { Acknowledgement } from '../../ports/stores/event-store.ts'
import type { AcceptRequest } from '../../ports/stores/intake-store.ts'
import type { EndedParts, KeptPart, NewPart, OneName } from '../../ports/stores/part-store.ts'
import { MAX_REPLAYED, type ReplayRequest } from '../../ports/stores/replay-store.ts'
import type { ReplyResult } from '../../ports/stores/reply-store.ts'
import type { Change, ChangeAnswer } from '../../ports/stores/setup-store.ts'
import type { Store } from '../../ports/stores/store.ts'
import { packDraft, rowsOfRequest, unpackDraft } from '../admission/answered-requests.ts'
import { findNames } from '../commands/erasure/forget-phone.ts'
import { settleReplies } from '../commands/inbound/read-inbound.ts'
import { countQuality } from '../commands/statistics/quality.ts'
import { joinOutcomes } from '../recording/turn-parts.ts'
import { rowsOfBulkOrder } from '../rows/bulk/bulk-row.ts'
import { bucketOfCarrier } from '../rows/cells/bucket-of-ref.ts'
import { eraseLines, forgetRecipient } from '../rows/erasure/forget-slices.ts'
import { sumOf, walkSeals } from '../rows/sealing/walk-seals.ts'
import { VERSIONS } from '../tables/changes.ts'
import { NONE_QUEUED, QueueClaims } from './claim-queued.ts'
import { unblock } from './claiming/blocked-queues.ts'
import { DUE, findDue, type ReportKey } from './claiming/claim-due.ts'
import { dueAtOf, earlier, orElse } from './claiming/due-times.ts'
import { NextDue } from './claiming/next-due.ts'
import { claim } from './claims.ts'
import { SET_UP_BUCKET } from './cluster/node-lease.ts'
import { Notifier } from './cluster/notifier.ts'
import type { Connection } from './connection/connection.ts'
import { rare, unnest } from './connection/statement.ts'
import type { BucketLanes } from './engine/bucket-lanes.ts'
import { recipientForgetter } from './forget-recipient.ts'
import { rememberUsers } from './inbound/carrier-users.ts'
import { reserveIds } from './partitions/reserve-ids.ts'
import { PostgresCluster } from './postgres-cluster.ts'
import { PostgresReads, type StoreParts } from './postgres-reads.ts'
import { StrandedReceipts } from './recording/early-receipts.ts'
import { matchReceipts } from './recording/match-receipts.ts'
import { findDueReports, findReportsOf, findWaitingHooks, REPORTS } from './reports/claim-reports.ts'
import type { LinkClicks } from './statistics/count-clicks.ts'
import { Sweeper } from './sweeper.ts'
import { countSeals, sealAnew } from './sweeping/seal-anew.ts'

const SET_UP = [SET_UP_BUCKET]

export class PostgresStore extends PostgresReads implements Store {
  readonly #lanes: BucketLanes
  readonly #stranded: StrandedReceipts
  readonly #nextDue = new NextDue()
  readonly #nextReport = new NextDue()
  readonly #queues = new QueueClaims()
  readonly cluster: Cluster
  readonly database = { kind: 'postgresql', schema: VERSIONS.postgres.present } as const
  readonly #sweeper: Sweeper
  readonly #notifier: Notifier

  constructor(parts: StoreParts) {
    super(parts)
    this.#lanes = parts.lanes
    this.#sweeper = new Sweeper(parts, (work) => this.write(work))
    this.#stranded = new StrandedReceipts(parts.lease.node)
    this.cluster = new PostgresCluster(parts)
    this.#notifier = new Notifier({ node: parts.lease.node, clock: parts.clock, write: (work) => this.write(work) })
  }

  /** Since opening. `commits` are batches that wrote, each in one transaction. */
  get work(): { readonly commits: number; readonly commands: number } {
    return this.#lanes.load.work
  }

  /** Other nodes came, went or released something: anything may be due. */
  expectDue(): void {
    this.#nextDue.forgetAll()
    this.#nextReport.forgetAll()
    this.#stranded.expect()
  }

  /** There may be early receipts that no node has looked for. */
  expectStranded(): void {
    this.#stranded.expect()
  }

  /** Another node left something in these buckets. Returns whether this one should look. */
  noteWaiting(from: number, buckets: readonly number[]): boolean {
    if (from === this.parts.lease.node) return false
    for (const bucket of buckets) {
      this.#nextDue.forget(bucket)
      this.#nextReport.forget(bucket)
    }
    return true
  }

  /** New reports wait in these buckets, for the node whose share they are. */
  expectReports(buckets: readonly number[]): void {
    for (const bucket of buckets) {
      this.#nextReport.forget(bucket)
      this.#notifier.notify(bucket)
    }
  }

  async accept(request: AcceptRequest) {
    const { accountId, items } = request
    const bucket = bucketOf(accountId)
    const packed = packDraft(request)
    const order = packed instanceof Promise ? await packed : packed
    const outcome = await this.#lanes.laneOf(bucket).submit(rowsOfRequest(order), [bucket], 'accept', order)
    for (const item of items) {
      if ((item.kind === 'message' || item.kind === 'call') && item.waits) this.#nextDue.forget(bucket)
    }
    if (!this.parts.lease.delivers) this.#notifier.notify(bucket)
    return unpackDraft(outcome)
  }

  reserveIds(count: number) {
    const { counters, clock } = this.parts
    return counters.read((link) => reserveIds(link, count, clock.now()))
  }

  checkWrites() {
    return this.read(checkRoom)
  }

  async record(turns: readonly RecordedTurn[]): Promise<RecordOutcome> {
    const outcomes = await this.#lanes.share(turns, bucketOfTurn, (lane, buckets, part) => {
      return lane.submit(part.length, buckets, 'record', part)
    })
    for (const { turn, held, reportsHeld } of turns) {
      if (!held) this.#expect(turn.message)
      if (reportsHeld) continue
      for (const { messageId } of turn.reports) this.#nextReport.forget(bucketOfMessage(messageId))
    }
    return joinOutcomes(outcomes)
  }

  async matchReceipts(receipts: readonly ReceiptCopy[], now: number) {
    try {
      return await this.write((link) => matchReceipts(link, this.parts.lease.node, receipts, now))
    } catch (error) {
      // Some may be parked without the second look for their ids.
      this.#stranded.expect()
      throw error
    }
  }

  async recordInbound(arrivals: readonly InboundArrival[], settled: readonly SettledKey[]): Promise<void> {
    const carriers = [...new Set([...arrivals, ...settled].map(({ carrierId }) => carrierId))]
    await this.#lanes.share(carriers, bucketOfCarrier, (lane, buckets, part) => {
      const isTheirs = ({ carrierId }: InboundKey) => part.includes(carrierId)
      const order = { arrivals: arrivals.filter(isTheirs), settled: settled.filter(isTheirs) }
      return lane.submit(order.arrivals.length + order.settled.length, buckets, 'recordInbound', order)
    })
  }

  async claimDue(asked: DueClaim): Promise<DueClaimed> {
    const { now, limit } = asked
    const tools = { ...this.parts, nextDue: this.#nextDue }
    const { held, nextDueAt } = await claim(tools, {
      kind: DUE,
      now,
      limit,
      bucketOf: bucketOfMessage,
      find: (link, bucket, most) => findDue(link, bucket, { now, limit: most }),
      hold: (lane, buckets, ids) => lane.submit(ids.length, buckets, 'holdDue', { ids, now }),
    })
    // Messages held so far belong to this node, so they are returned even if a later claim fails.
    const queued = await orElse(held.length > 0, { ...NONE_QUEUED, more: true }, () => this.#queues.claim(tools, asked))
    const holdsAny = held.length + queued.queued.length > 0
    const claimStranded = () => this.write((link) => this.#stranded.claim(link, now, limit))
    const earlyReceipts = await orElse(holdsAny, [], claimStranded)
    const messages = held.toSorted((a, b) => dueAtOf(a) - dueAtOf(b))
    return { ...queued, messages, earlyReceipts, nextDueAt: earlier(nextDueAt, this.#stranded.nextLookAt) }
  }

  async release(ids: readonly MessageId[]): Promise<void> {
    await this.#lanes.share(ids, bucketOfMessage, (lane, buckets, messages) => {
      return lane.submit(messages.length, buckets, 'release', { messages, reports: [] })
    })
    for (const id of ids) this.#nextDue.forget(bucketOfMessage(id))
  }

  async unblock(queue: BlockedQueue, limit: number): Promise<number> {
    const { bucket, moved } = await this.write((link) => unblock(link, queue, limit))
    this.#nextDue.forget(bucket)
    return moved
  }

  async enqueue(orders: readonly QueueOrder[]): Promise<readonly MessageId[]> {
    const passedOver = await this.#lanes.share(
      orders,
      ({ messageId }) => bucketOfMessage(messageId),
      (lane, buckets, part) => lane.submit(part.length, buckets, 'enqueue', part),
    )
    for (const { messageId } of orders) {
      const bucket = bucketOfMessage(messageId)
      this.#nextDue.forget(bucket)
      this.#notifier.notify(bucket)
    }
    return passedOver.flat()
  }

  async claimReports({ now, limit }: ReportClaim) {
    const { held, nextDueAt } = await claim(
      { ...this.parts, nextDue: this.#nextReport },
      {
        kind: REPORTS,
        now,
        limit,
        bucketOf: ({ messageId }: ReportKey) => bucketOfMessage(messageId),
        find: (link, bucket, most) => findDueReports(link, bucket, { now, limit: most }),
        hold: (lane, buckets, keys) => lane.submit(keys.length, buckets, 'holdReports', keys),
      },
    )
    return { reports: held, nextDueAt }
  }

  async claimReportsOf(claim: HookClaim): Promise<readonly PendingReport[]> {
    const keys = await this.read((link) => findReportsOf(link, claim))
    if (keys.length === 0) return []
    const bucket = bucketOf(claim.accountId)
    const held = await this.#lanes.laneOf(bucket).submit(keys.length, [bucket], 'holdReports', keys)
    return held.toSorted((a, b) => a.messageId - b.messageId)
  }

  async waitingHooks(): Promise<readonly WaitingHook[]> {
    const { share } = this.parts.lease
    return (await this.read((link) => Promise.all(share.map((bucket) => findWaitingHooks(link, bucket))))).flat()
  }

  async settleReports(results: readonly ReportResult[]): Promise<readonly PendingReport[]> {
    const settled = await this.#lanes.share(
      results,
      ({ messageId }) => bucketOfMessage(messageId),
      (lane, buckets, part) => lane.submit(part.length, buckets, 'settleReports', part),
    )
    for (const { messageId, held, dueAt } of results) {
      if (!held && dueAt !== null) {
        this.#nextReport.expect(bucketOfMessage(messageId), REPORTS, dueAt)
      }
    }
    const gone = settled.flatMap((each) => each.gone)
    if (gone.length > 0) await this.#lanes.laneOf(SET_UP_BUCKET).submit(gone.length, SET_UP, 'stopHooks', gone)
    return settled.flatMap(({ next }) => next)
  }

  async replayReports(request: ReplayRequest): Promise<number> {
    const bucket = bucketOf(request.accountId)
    const count = await this.#lanes.laneOf(bucket).submit(MAX_REPLAYED, [bucket], 'replayReports', request)
    if (count > 0) this.#nextReport.forget(bucket)
    return count
  }

  async writeReport(report: Report, at: number): Promise<void> {
    const bucket = bucketOf(report.accountId)
    await this.#lanes.laneOf(bucket).submit(1, [bucket], 'writeReports', { report, at })
  }

  async bulk<O extends BulkOrder>(order: O): Promise<BulkAnswer<O>> {
    const bucket = bucketOf(order.accountId)
    const answer = await this.#lanes.laneOf(bucket).submit(rowsOfBulkOrder(order), [bucket], 'bulk', order)
    if (order.kind === 'send lines') {
      this.#nextDue.forget(bucket)
      this.#notifier.notify(bucket)
    }
    return answer as BulkAnswer<O>
  }

  keepPart(part: NewPart): Promise<KeptPart> {
    const bucket = bucketOf(part.accountId)
    return this.#lanes.laneOf(bucket).submit(1, [bucket], 'keepPart', part)
  }

  async endParts(ended: EndedParts): Promise<void> {
    const bucket = bucketOf(ended.accountId)
    await this.#lanes.laneOf(bucket).submit(ended.partIds.length, [bucket], 'endParts', ended)
  }

  nameMessages(named: OneName): Promise<MessageId> {
    const bucket = bucketOf(named.accountId)
    return this.#lanes.laneOf(bucket).submit(named.messageIds.length, [bucket], 'nameMessages', named)
  }

  async acknowledgeEvents(acknowledgement: Acknowledgement): Promise<void> {
    const bucket = bucketOf(acknowledgement.accountId)
    await this.#lanes.laneOf(bucket).submit(1, [bucket], 'acknowledgeEvents', acknowledgement)
  }

  async countClicks(clicks: readonly ClickCount[]): Promise<readonly string[]> {
    const links = await this.findLinks([...new Set(clicks.map(({ code }) => code))])
    const messages = new Map(links.map(({ code, messageId }) => [code, messageId]))
    const known = clicks.flatMap((click): LinkClicks[] => {
      const messageId = messages.get(click.code)
      return messageId === undefined ? [] : [{ ...click, messageId }]
    })
    const unreported = await this.#lanes.share(
      known,
      ({ messageId }) => bucketOfMessage(messageId),
      (lane, buckets, part) => lane.submit(part.length, buckets, 'countClicks', part),
    )
    return unreported.flat()
  }

  async change<C extends Change>(change: C, record?: ChangeRecord): Promise<ChangeAnswer<C>> {
    const order = { change, record: record ?? null }
    const answer = await this.#lanes.laneOf(SET_UP_BUCKET).submit(1, SET_UP, 'change', order)
    if (change.kind === 'resend reports') this.#nextReport.forgetAll()
    return answer as ChangeAnswer<C>
  }

  async keepAnswer(actor: string, key: string, answer: string): Promise<void> {
    await this.#lanes.laneOf(SET_UP_BUCKET).submit(1, SET_UP, 'keepAnswer', { actor, key, answer })
  }

  rememberUsers(users: readonly CarrierUser[], now: number) {
    return this.write((link) => rememberUsers(link, this.parts, users, now))
  }

  settleReplies(results: readonly ReplyResult[]) {
    return this.write(this.on(() => settleReplies(results)))
  }

  countQuality(rows: readonly QualityRow[]) {
    return this.write(this.on(() => countQuality(rows)))
  }

  noteKeyUses(uses: readonly KeyUse[]) {
    return this.write((link) => noteKeyUses(link, uses))
  }

  sweep(now: number, keeping: InstallationRetention) {
    return this.#sweeper.sweep(now, keeping)
  }

  async countTraffic(counts: readonly TrafficCount[]): Promise<readonly Traffic[]> {
    return this.#lanes.laneOf(SET_UP_BUCKET).submit(counts.length, SET_UP, 'countTraffic', counts)
  }

  async forget(phone: Phone, now: number) {
    const names = await this.read(this.on(() => findNames(phone, this.parts.hashPhone)))
    const lines = () => eraseLines(this, phone)
    const [read, readBehind] = [this.write.bind(this), this.readBehind.bind(this)]
    return forgetRecipient(recipientForgetter({ ...this.parts, read, readBehind, lines }, names, now))
  }

  async sealAnew() {
    const key = await this.sealingKey()
    const { vault } = this.parts
    return sumOf(await walkSeals((place) => this.write((link) => sealAnew(link, vault, key, place))))
  }

  countSeals() {
    return walkSeals((place) => this.readBehind((link) => countSeals(link, this.parts.vault, place)))
  }

  #expect({ id, journey, createdAt }: RecordedTurn['turn']['message']): void {
    this.#nextDue.expect(bucketOfMessage(id), DUE, journey.dueAt ?? createdAt)
  }
}

function bucketOfTurn({ turn }: RecordedTurn): number {
  return bucketOfMessage(turn.message.id)
}

/** About 300 kB, in a temporary file: it fails as an insert does that needs a new page, and leaves no rows behind. */
const FILL_PAGES = `SET LOCAL work_mem = '64kB'; SET LOCAL temp_tablespaces = '';
  SELECT count(*) FROM generate_series(1, 10000)`

async function checkRoom(connection: Connection): Promise<void> {
  await connection.run(FILL_PAGES)
}

/** Records when API keys were last used. */
const NOTE = rare(
  `UPDATE api_key SET last_used_at = new.at FROM ${unnest({ hash: 'text', at: 'bigint' }, 1)}
   WHERE api_key.hash = new.hash AND (last_used_at IS NULL OR last_used_at < new.at)`,
)

/** Repeating it after a failure has the same result. */
async function noteKeyUses(connection: Connection, uses: readonly KeyUse[]): Promise<void> {
  await connection.query(
    NOTE,
    uses.map(({ hash }) => hash),
    uses.map(({ at }) => at),
  )
}
