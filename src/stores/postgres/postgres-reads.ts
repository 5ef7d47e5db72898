/** The read-only methods of the port: on a connection beside the lanes, ordered after earlier commands if needed. */

import type { OptOut } from '../../domain/consent/opt-out.ts'
import type { UsageWindow } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { BUCKETS, bucketOf, type MessageId } from '../../domain/ids/message-id.ts'
import type { StatisticsQuery } from '../../domain/statistics/message-statistics.ts'
import type { ZonedMonth } from '../../domain/time/zoned-month.ts'
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import type { CarrierUserId } from '../../ports/carriers/user-store.ts'
import type { MessageName } from '../../ports/records/message-name.ts'
import type { Page, PageQuery, PageRows } from '../../ports/records/pages.ts'
import type { ReportTally } from '../../ports/records/pending-report.ts'
import type { DueBulkQuery } from '../../ports/stores/bulk-store.ts'
import type { RequestKey } from '../../ports/stores/intake-store.ts'
import type { ChargeQuery } from '../../ports/stores/query-store.ts'
import type { OpenPage, OpenQuery } from '../../ports/stores/queued-store.ts'
import type { DirectoryRead } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { recallRequest, refuseIfFull, unpackDraft } from '../admission/answered-requests.ts'
import { dueBulks } from '../commands/bulk/bulk-rows.ts'
import { accountMonth } from '../commands/money/account-month.ts'
import { openMessages } from '../commands/reading/open-messages.ts'
import { traceInbound } from '../commands/reading/traces.ts'
import { type Reading, type ReadName, StoreReads } from '../commands/reads.ts'
import type { Command } from '../commands/statement/command.ts'
import { readPageRow } from '../rows/messages/page-row.ts'
import { inSlices } from '../rows/queues/command-queue.ts'
import { KnownDirectory } from '../rows/setup/known-directory.ts'
import { storeClosed } from '../rows/setup/store-limits.ts'
import { TotalSlices } from '../rows/statistics/total-slices.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import { loadDirectory } from './changes/load-directory.ts'
import { blockedQueues } from './claiming/blocked-queues.ts'
import type { NodeLease } from './cluster/node-lease.ts'
import type { Connection } from './connection/connection.ts'
import type { Reader } from './connection/reader.ts'
import { inBucket } from './connection/statement.ts'
import type { BucketLanes } from './engine/bucket-lanes.ts'
import { findUsers } from './inbound/carrier-users.ts'
import { repliesTo } from './inbound/replies-to.ts'
import { chargeTotals, PURPOSES } from './money/read-totals.ts'
import { verifyLedger } from './money/verify-ledger.ts'
import { page } from './reading/page.ts'
import { FIND_INBOUND, trace } from './reading/trace.ts'
import { findAddresses } from './recording/find-addresses.ts'
import { hookWaits } from './reports/hook-waits.ts'
import { findAnswered, findKept, findUsed } from './requests/admission-facts.ts'
import { findMessages } from './requests/find-messages.ts'
import { findOptOuts } from './requests/find-opt-outs.ts'
import { loadMessages } from './requests/stored-message.ts'
import { inSnapshot, runOn } from './session/run-command.ts'
import { sliceTotals, totalPlaces } from './statistics/message-totals.ts'

export interface StoreParts {
  readonly vault: Vault
  readonly clock: Clock
  readonly hashPhone: HashPhone
  readonly lanes: BucketLanes
  readonly reader: Reader
  /** For small idempotent changes that need no transaction with others. */
  readonly writer: Reader
  readonly counters: Reader
  readonly lease: NodeLease
  /** A separate reader for long work. */
  readonly openReader: () => Reader
  readonly close: () => Promise<void>
}

export class PostgresReads extends StoreReads {
  protected readonly parts: StoreParts
  readonly #totals: TotalSlices
  readonly #directory = new KnownDirectory({
    revision: () => this.directoryRevision(),
    load: (known) => this.readBehind((connection) => loadDirectory(connection, this.parts.vault, known)),
  })
  #closing: Promise<void> | null = null

  constructor(parts: StoreParts) {
    super()
    this.parts = parts
    this.#totals = new TotalSlices({
      places: (query) => this.readBehind((connection) => totalPlaces(connection, query)),
      slice: (query, places, rest) => this.read((connection) => sliceTotals(connection, query, places, rest)),
    })
  }

  traceInbound(id: MessageId) {
    return this.readBehind(this.on(() => traceInbound(id, FIND_INBOUND)))
  }

  protected override reads<Args extends readonly unknown[], Answer>(_name: ReadName, reading: Reading<Args, Answer>) {
    const { command, behind } = reading
    return async (...args: Args) => {
      const work = this.on(() => command(...args))
      if (behind === 'nothing') return this.read(work)
      const own = behind === 'all' ? null : behind(...args)
      return own === null ? this.readBehind(work) : this.readBehindOwn(own, work)
    }
  }

  openMessages(query: OpenQuery) {
    const { accountId } = query
    const read = this.on(() => openInBuckets(query))
    return accountId === null ? this.readBehind(read) : this.readBehindOwn(accountId, read)
  }

  blockedQueues(after: string) {
    return this.read((connection) => blockedQueues(connection, this.parts.lease.share, after))
  }

  loadMessages(ids: readonly MessageId[]) {
    return this.read((connection) => loadMessages(connection, this.parts.vault, ids))
  }

  async recall(accountId: AccountId, request: RequestKey, now: number) {
    const [row, kept] = await this.readBehindOwn(accountId, (connection) =>
      Promise.all([findAnswered(connection, accountId, request.key), findKept(connection, request)]),
    )
    const recalled = recallRequest(row, request, this.parts.vault, now) ?? refuseIfFull(request, () => kept)
    return recalled === null ? null : unpackDraft(recalled)
  }

  findAddresses(receipts: readonly CarrierReceipt[]) {
    return this.read((connection) => findAddresses(connection, receipts))
  }

  findUsers(ids: readonly CarrierUserId[]) {
    return this.read((connection) => findUsers(connection, this.parts, ids))
  }

  findOptOuts(destinations: readonly Pick<OptOut, 'accountId' | 'phone'>[]) {
    return this.read((connection) => findOptOuts(connection, this.parts.hashPhone, destinations))
  }

  loadDirectory(how?: DirectoryRead) {
    return this.#directory.read(how)
  }

  async page<Of extends PageQuery['of']>(query: Extract<PageQuery, { of: Of }>): Promise<Page<PageRows[Of]>> {
    const { rows, next } = await this.readBehind((connection) => page(connection, this.parts, query))
    return { rows: rows.map((row) => readPageRow(query.of, row)), next }
  }

  findMessages(accountId: AccountId, names: readonly MessageName[]) {
    return inSlices(names, (slice) =>
      this.read((connection) => findMessages({ connection, vault: this.parts.vault }, accountId, slice)),
    )
  }

  tallyReports(accountId: AccountId, ids: readonly MessageId[]) {
    return inSlices(ids, (slice) =>
      this.readBehindOwn(accountId, (connection) => tallyReports(connection, accountId, slice)),
    )
  }

  repliesTo(accountId: AccountId, ids: readonly MessageId[]) {
    return inSlices(ids, (slice) =>
      this.read((connection) => repliesTo(connection, this.parts.vault, accountId, slice)),
    )
  }

  hookWaits(accountId: AccountId | null) {
    return this.read((connection) => hookWaits(connection, accountId))
  }

  accountMonth(accountId: AccountId, month: ZonedMonth) {
    return this.readBehind((connection) =>
      inSnapshot(connection, () => runOn(connection, this.parts.vault, accountMonth(accountId, month, PURPOSES))),
    )
  }

  chargeTotals(query: ChargeQuery) {
    return this.readBehind((connection) => chargeTotals(connection, query))
  }

  messageTotals(query: StatisticsQuery) {
    return this.#totals.read(query)
  }

  usageIn(accountId: AccountId, windows: readonly UsageWindow[]) {
    return this.readBehindOwn(accountId, (connection) =>
      Promise.all(windows.map((window) => findUsed(connection, window))),
    )
  }

  trace(id: MessageId) {
    return this.readBehind((connection) => trace(connection, this.parts.vault, id))
  }

  async verifyLedger(): Promise<readonly string[]> {
    await this.parts.lanes.reached()
    const reader = this.parts.openReader()
    try {
      return await reader.read(verifyLedger)
    } finally {
      await reader.close()
    }
  }

  /** Each node runs the bulks of its share. */
  dueBulks(query: DueBulkQuery) {
    return this.read(this.on(() => dueBulks(query, this.parts.lease.share)))
  }

  /** Returns the work that runs the command on a connection, anew in each try. */
  protected on<Answer>(command: () => Command<Answer>): (connection: Connection) => Promise<Answer> {
    return (connection) => runOn(connection, this.parts.vault, command())
  }

  protected read<Answer>(work: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    if (this.#closing !== null) return Promise.reject(storeClosed())
    return this.parts.reader.read(work)
  }

  /** Like `read`, on the connection for small changes. */
  protected write<Answer>(work: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    if (this.#closing !== null) return Promise.reject(storeClosed())
    return this.parts.writer.read(work)
  }

  /** Reads after everything that was requested before. */
  protected async readBehind<Answer>(work: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    await this.parts.lanes.reached()
    return this.read(work)
  }

  /** Reads after the account's own earlier requests, whatever other accounts requested. */
  protected async readBehindOwn<Answer>(
    accountId: AccountId,
    work: (connection: Connection) => Promise<Answer>,
  ): Promise<Answer> {
    await this.parts.lanes.laneOf(bucketOf(accountId)).reached(accountId)
    return this.read(work)
  }

  /** Waits for reads in progress. */
  close(): Promise<void> {
    this.#closing ??= this.parts.close()
    return this.#closing
  }
}

/** An id names its bucket; a number below the first id is a bucket that begins. */
function* openInBuckets(query: OpenQuery): Command<OpenPage> {
  const { accountId, after } = query
  const bucket = accountId === null ? after % BUCKETS : bucketOf(accountId)
  const page = yield* openMessages(bucket, query)
  const nextBucket = bucket + 1 < BUCKETS ? bucket + 1 : null
  return accountId === null && page.next === null ? { ...page, next: nextBucket } : page
}

/** Counts the reports of messages by state. */
const TALLY = inBucket<
  [messageId: MessageId, state: ReportTally['state'], count: number, triedAt: number | null, detail: string]
>(
  `SELECT msg_id, state, count(*), max(tried_at), (array_agg(detail ORDER BY tried_at DESC NULLS LAST))[1]
   FROM report WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) GROUP BY msg_id, state`,
)

/** Messages of one account are in one bucket. */
async function tallyReports(
  connection: Connection,
  accountId: AccountId,
  ids: readonly MessageId[],
): Promise<readonly ReportTally[]> {
  const rows = await connection.query(TALLY, bucketOf(accountId), ids)
  return rows.map(([messageId, state, count, triedAt, detail]) => ({ messageId, state, count, triedAt, detail }))
}
