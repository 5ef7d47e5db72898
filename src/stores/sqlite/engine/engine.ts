/**
 * The engine: runs each batch of commands in one transaction and so with one fsync. Synchronous and independent of
 * threads.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { Report } from '../../../domain/reports/report.ts'
import type { QualityRow } from '../../../domain/routing/quality-counts.ts'
import type { StatisticsQuery } from '../../../domain/statistics/message-statistics.ts'
import type { ZonedMonth } from '../../../domain/time/zoned-month.ts'
import type { KeyUse } from '../../../ports/changes/account-change.ts'
import type { ReportTally } from '../../../ports/records/pending-report.ts'
import { ChangeConflict, ChangeRefused, StoreError } from '../../../ports/records/store-errors.ts'
import type { DueBulkQuery } from '../../../ports/stores/bulk-store.ts'
import type { Acknowledgement } from '../../../ports/stores/event-store.ts'
import type { EndedParts, NewPart, OneName } from '../../../ports/stores/part-store.ts'
import type { OpenQuery } from '../../../ports/stores/queued-store.ts'
import type { ReplyResult } from '../../../ports/stores/reply-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { AdmissionOrder } from '../../admission/admission-order.ts'
import { dueBulks } from '../../commands/bulk/bulk-rows.ts'
import {
  type ForgetOrder,
  findInTheWay,
  findNames,
  forgetMessages,
  forgetReplies,
  forgetRest,
} from '../../commands/erasure/forget-phone.ts'
import { settleReplies } from '../../commands/inbound/read-inbound.ts'
import { keepAnswer } from '../../commands/installation/admin-requests.ts'
import { readPhoneSecret, settleKey } from '../../commands/installation/sealing-key.ts'
import { accountMonth } from '../../commands/money/account-month.ts'
import { endParts, keepPart } from '../../commands/parts/long-messages.ts'
import { nameMessages } from '../../commands/parts/message-names.ts'
import { openMessages } from '../../commands/reading/open-messages.ts'
import { traceInbound } from '../../commands/reading/traces.ts'
import { READ_NAMES, type ReadName, READS as SHARED_READS } from '../../commands/reads.ts'
import { acknowledgeEvents } from '../../commands/reports/event-feed.ts'
import type { Command } from '../../commands/statement/command.ts'
import { countQuality } from '../../commands/statistics/quality.ts'
import { useKey } from '../../vault/open-vault.ts'
import { phoneHasher } from '../../vault/phone-hash.ts'
import { changeBulk } from '../bulk/change-bulk.ts'
import { applyChange } from '../changes/apply-change.ts'
import { loadDirectory } from '../changes/load-directory.ts'
import { blockedMessages } from '../claiming/blocked-queues.ts'
import { claimDue, enqueue, release } from '../claiming/claim-due.ts'
import { findUsers, rememberUsers } from '../inbound/carrier-users.ts'
import { recordInbound } from '../inbound/record-inbound.ts'
import { repliesTo } from '../inbound/replies-to.ts'
import { chargeTotals, PURPOSES } from '../money/read-totals.ts'
import { checkMessages, checkOrphans, ledgerSnapshot, sumPostings } from '../money/verify-ledger.ts'
import { page } from '../reading/page.ts'
import { FIND_INBOUND, trace } from '../reading/trace.ts'
import { findAddresses } from '../recording/find-addresses.ts'
import { matchReceipts } from '../recording/match-receipts.ts'
import { recordSteps } from '../recording/record-steps.ts'
import { claimReports, claimReportsOf, waitingHooks } from '../reports/claim-reports.ts'
import { hookWaits } from '../reports/hook-waits.ts'
import { replayReports } from '../reports/replay-reports.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { Requests, recall, usageIn } from '../requests/accept-messages.ts'
import { findMessages } from '../requests/find-messages.ts'
import { findOptOuts } from '../requests/find-opt-outs.ts'
import { reserveIds } from '../requests/reserve-ids.ts'
import { loadMessages } from '../requests/stored-message.ts'
import { EventReports } from '../session/event-reports.ts'
import { SqliteLedger } from '../session/ledger.ts'
import type { OpenDatabase } from '../session/open-database.ts'
import type { Session } from '../session/session.ts'
import { SqliteTotals } from '../session/sqlite-totals.ts'
import { commandRunner, type RunCommand } from '../statement/run-command.ts'
import { SqlStatement } from '../statement/statement.ts'
import { countClicks } from '../statistics/count-clicks.ts'
import { countTraffic } from '../statistics/count-traffic.ts'
import { sliceTotals, totalPlaces } from '../statistics/message-totals.ts'
import { overwriteLeftovers } from '../sweeping/overwrite-leftovers.ts'
import { countSeals, sealAnew } from '../sweeping/seal-anew.ts'
import { sweep } from '../sweeping/sweep.ts'
import { DROP_CONTENTS, leaveToSweep, readFurthestMark } from '../sweeping/sweep-messages.ts'

/** The methods of the port as the engine runs them: on rows instead of objects. Texts are sealed only in here. */
export type Verbs = ReturnType<typeof verbsOf>
export type Verb = keyof Verbs
export type EngineCommand = { [V in Verb]: readonly [verb: V, ...args: Parameters<Verbs[V]>] }[Verb]

/** The outcome of a command. A failed one wrote nothing; the text says why. */
export type CommandOutcome =
  | readonly ['done', value: unknown]
  | readonly ['refused' | 'overtaken' | 'failed', text: string]

/** A batch of only these needs neither the write lock nor an fsync. */
const READS: ReadonlySet<Verb> = new Set<Verb>([
  ...READ_NAMES,
  'findMessages',
  'findAddresses',
  'recall',
  'loadMessages',
  'findOptOuts',
  'findUsers',
  'findNames',
  'findInTheWay',
  'traceInbound',
  ...(['waitingHooks', 'hookWaits'] as const),
  ...(['blockedQueues', 'openMessages'] as const),
  'dueBulks',
  'tallyReports',
  'repliesTo',
  'loadDirectory',
  'page',
  'usageIn',
  'trace',
  'accountMonth',
  'chargeTotals',
  'totalPlaces',
  'sliceTotals',
  'ledgerSnapshot',
  'sumPostings',
  'checkMessages',
  'checkOrphans',
  'countSeals',
])

/** Run outside of transactions. */
const OUTSIDE: ReadonlySet<Verb> = new Set<Verb>(['overwriteLeftovers'])

export function writes(batch: readonly EngineCommand[]): boolean {
  return batch.some(([verb]) => !READS.has(verb))
}

export class Engine {
  readonly #opened: OpenDatabase
  readonly #session: Session
  readonly #requests: Requests
  readonly #verbs: Verbs
  readonly #meta: SqlStatement<[node: number, sealingKey: string, version: number]>

  /** Throws a StoreError, and closes the database, if the vault lacks its key. */
  constructor(opened: OpenDatabase, vault: Vault) {
    const { database, node, whileAlone } = opened
    this.#opened = opened
    try {
      const run = commandRunner({ database, vault })
      useKey(vault, run(settleKey(vault.keyId)).sealingKey)
      const swept = { upTo: readFurthestMark({ database }) }
      const hashPhone = phoneHasher(run(readPhoneSecret()))
      const ledger = new SqliteLedger({ database, vault })
      const totals = new SqliteTotals(database)
      const parked = { mayExist: true }
      this.#session = { database, node, ledger, totals, vault, hashPhone, whileAlone, swept, parked }
    } catch (error) {
      opened.close()
      throw error
    }
    this.#requests = new Requests(this.#session)
    this.#verbs = verbsOf(this.#session, this.#requests)
    this.#meta = new SqlStatement(database, 'SELECT node, sealing_key, data_version FROM meta, pragma_data_version')
  }

  /** Returns one answer per command, in their order. Never throws. */
  run(batch: readonly EngineCommand[]): readonly CommandOutcome[] {
    try {
      if (batch.every(([verb]) => OUTSIDE.has(verb))) return batch.map((command) => this.#execute(command))
      return this.#transact(batch)
    } catch (error) {
      if (batch.length > 1 && isOfOneCommand(error)) return batch.flatMap((command) => this.run([command]))
      const failed: CommandOutcome = ['failed', error instanceof Error ? error.message : String(error)]
      return batch.map(() => failed)
    }
  }

  close(): void {
    this.#opened.close()
  }

  #transact(batch: readonly EngineCommand[]): CommandOutcome[] {
    const { database, ledger, totals, parked } = this.#session
    const isWriting = writes(batch)
    try {
      database.exec(isWriting ? 'BEGIN IMMEDIATE' : 'BEGIN')
      ledger.begin(this.#checkMeta())
      const answers = batch.map((command) => this.#execute(command))
      this.#requests.flush()
      this.#flush()
      if (isWriting) totals.keepShort()
      if (batch.every(([verb]) => READS_NO_SUMS.has(verb))) ledger.end()
      database.exec('COMMIT')
      return answers
    } catch (error) {
      this.#requests.clear()
      ledger.forget()
      totals.forget()
      if (database.isTransaction) database.exec('ROLLBACK')
      // Receipts that were removed are there again.
      parked.mayExist = true
      throw error
    }
  }

  /** A refused change is already rolled back (apply-change.ts). */
  #execute(command: EngineCommand): CommandOutcome {
    try {
      if (command[0] !== 'accept') this.#requests.flush()
      if (!READS_NO_SUMS.has(command[0])) this.#flush()
      return ['done', this.#call(command)]
    } catch (error) {
      if (error instanceof ChangeConflict) return ['overtaken', error.message]
      if (error instanceof ChangeRefused) return ['refused', error.message]
      throw error
    }
  }

  #flush(): void {
    this.#session.ledger.flush()
    this.#session.totals.flush()
  }

  #call([verb, ...args]: EngineCommand): unknown {
    const run = this.#verbs[verb] as (...args: readonly unknown[]) => unknown
    return run(...args)
  }

  /** Returns the data_version of the database. */
  #checkMeta(): number {
    const { node, vault } = this.#session
    const [nodeNow, sealingKey, version] = this.#meta.first() ?? [0, '', 0]
    if (node !== 0 && nodeNow !== node) throw new StoreError('another gateway has taken over this database')
    useKey(vault, sealingKey)
    return version
  }
}

function verbsOf(session: Session, requests: Requests) {
  const run = commandRunner(session)
  const leave = leaveToSweep(session)
  const events = new EventReports(session)
  return {
    ...readVerbs(run),
    accept: (order: AdmissionOrder) => requests.admit(order),
    findMessages: findMessages(session),
    recall: recall(session),
    reserveIds: reserveIds(session),
    record: recordSteps(session),
    matchReceipts: matchReceipts(session),
    findAddresses: findAddresses(session),
    recordInbound: recordInbound(session),
    traceInbound: (id: MessageId) => run(traceInbound(id, FIND_INBOUND)),
    settleReplies: (results: readonly ReplyResult[]) => run(settleReplies(results)),
    claimDue: claimDue(session),
    release: release(session),
    enqueue: enqueue(session),
    ...blockedMessages(session),
    openMessages: (query: OpenQuery) => run(openMessages(0, query)),
    loadMessages: loadMessages(session),
    findOptOuts: findOptOuts(session),
    ...{ rememberUsers: rememberUsers(session), findUsers: findUsers(session) },
    findNames: (phone: Phone) => run(findNames(phone, session.hashPhone)),
    findInTheWay: (names: readonly Phone[]) => run(findInTheWay(names)),
    forgetMessages: (order: ForgetOrder) => run(forgetMessages(order, { contents: DROP_CONTENTS })),
    forgetReplies: (names: readonly Phone[], after: number) => run(forgetReplies(names, after)),
    forgetRest: (names: readonly Phone[]) => run(forgetRest(names, session.hashPhone)),
    overwriteLeftovers: overwriteLeftovers(session),
    claimReports: claimReports(session),
    claimReportsOf: claimReportsOf(session),
    waitingHooks: waitingHooks(session),
    settleReports: settleReports(session),
    bulk: changeBulk(session, run),
    dueBulks: (query: DueBulkQuery) => run(dueBulks(query, [])),
    acknowledgeEvents: (acknowledgement: Acknowledgement) =>
      run(acknowledgeEvents(acknowledgement, (ids) => ids.forEach(leave))),
    keepPart: (part: NewPart) => run(keepPart(part, session.hashPhone)),
    endParts: (ended: EndedParts) =>
      run(endParts(ended, { hashPhone: session.hashPhone, report: (report, at) => events.write(report, at) })),
    nameMessages: (named: OneName) => run(nameMessages(named, session.hashPhone)),
    replayReports: replayReports(session, run),
    tallyReports: tallyReports(session),
    repliesTo: repliesTo(session),
    hookWaits: hookWaits(session),
    countClicks: countClicks(session),
    loadDirectory: loadDirectory(session),
    writeReport: (report: Report, at: number) => events.write(report, at),
    change: applyChange(session),
    keepAnswer: (actor: string, key: string, answer: string) => run(keepAnswer(actor, key, answer)),
    page: page(session),
    countQuality: (rows: readonly QualityRow[]) => run(countQuality(rows)),
    noteKeyUses: noteKeyUses(session),
    usageIn: usageIn(session),
    trace: trace(session, run),
    accountMonth: (accountId: AccountId, month: ZonedMonth) => run(accountMonth(accountId, month, PURPOSES)),
    chargeTotals: chargeTotals(session),
    // The query decides whose turn it takes (command-tenant.ts).
    sumUpCounts: (_query: StatisticsQuery) => session.totals.sumUp(),
    totalPlaces: totalPlaces(session),
    sliceTotals: sliceTotals(session),
    ledgerSnapshot: ledgerSnapshot(session),
    sumPostings: sumPostings(session),
    checkMessages: checkMessages(session),
    checkOrphans: checkOrphans(session),
    countSeals: countSeals(session),
    sealAnew: sealAnew(session),
    sweep: sweep(session, run),
    countTraffic: countTraffic(session),
  }
}

type AnswerOf<Name extends ReadName> =
  ReturnType<(typeof SHARED_READS)[Name]['command']> extends Command<infer Answer> ? Answer : never

/** The reads of both stores. */
function readVerbs(run: RunCommand): {
  readonly [Name in ReadName]: (...args: Parameters<(typeof SHARED_READS)[Name]['command']>) => AnswerOf<Name>
} {
  const verbs = Object.entries(SHARED_READS).map(([name, { command }]) => {
    const start = command as (...args: readonly unknown[]) => Command<unknown>
    return [name, (...args: readonly unknown[]) => run(start(...args))]
  })
  return Object.fromEntries(verbs)
}

/**
 * Frequent commands that read no money and no totals, so unwritten changes of these can wait. They change accounts only
 * through the ledger, which therefore still knows them in the next transaction.
 */
const READS_NO_SUMS: ReadonlySet<Verb> = new Set<Verb>([
  ...(['accept', 'record', 'matchReceipts', 'settleReports', 'claimDue', 'claimReports', 'claimReportsOf'] as const),
  ...(['enqueue', 'release', 'loadMessages', 'recordInbound', 'countClicks', 'countTraffic', 'findMessages'] as const),
  ...(['blockedQueues', 'unblock', 'openMessages'] as const),
  ...([
    'directoryRevision',
    'alarms',
    'loadHooks',
    'reserveIds',
    'tallyReports',
    'repliesTo',
    'inboundOf',
    'pendingReplies',
    'settleReplies',
    'readEvents',
    'keepPart',
    'endParts',
    'nameMessages',
    'findNamed',
    'oldParts',
    'findLinks',
    'findOptOuts',
    'findAddresses',
    'recall',
    'bulk',
    'findBulk',
    'dueBulks',
    'readBulkLines',
  ] as const),
])

/**
 * SQLITE_TOOBIG, SQLITE_CONSTRAINT and SQLITE_MISMATCH are caused by a command, other codes by the state of the disk.
 */
const CODES_OF_COMMANDS: ReadonlySet<number> = new Set([18, 19, 20])

/** Whether one command caused it, so that the others of its batch are retried without it. */
function isOfOneCommand(error: unknown): boolean {
  if (error instanceof StoreError) return false
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null
  return code === null || CODES_OF_COMMANDS.has(code)
}

/** Records when API keys were last used. */
function noteKeyUses({ database }: Session): (uses: readonly KeyUse[]) => void {
  const note = new SqlStatement(
    database,
    'UPDATE api_key SET last_used_at = ? WHERE hash = ? AND (last_used_at IS NULL OR last_used_at < ?)',
  )
  return (uses) => {
    for (const { hash, at } of uses) note.run(at, hash, at)
  }
}

/** Counts the reports of messages by state. */
type Row = [state: ReportTally['state'], count: number, triedAt: number | null, detail: string]

function tallyReports({
  database,
}: Session): (accountId: AccountId, ids: readonly MessageId[]) => readonly ReportTally[] {
  // With max(), SQLite takes the other columns from the same row.
  const tally = new SqlStatement<Row>(
    database,
    'SELECT state, count(*), max(tried_at), detail FROM report WHERE msg_id = ? GROUP BY state',
  )
  return (_accountId, ids) =>
    ids.flatMap((messageId) =>
      tally.all(messageId).map(([state, count, triedAt, detail]) => ({ messageId, state, count, triedAt, detail })),
    )
}
