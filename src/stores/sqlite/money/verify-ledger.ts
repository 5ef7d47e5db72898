/**
 * Reads the ledger for its check (../../rows/money/ledger-check.ts) slice by slice, so that no transaction is long:
 * postings never change, so those up to a snapshot's last one can be summed up later and compared with the snapshot's
 * balances.
 * Each message is compared with its own postings within one slice.
 */

import { memberOfJourney } from '../../rows/messages/message-row.ts'
import {
  ACCOUNT_COLUMNS,
  ACCOUNTS_WITHOUT_BALANCES,
  type AccountRow,
  CLOSED_COLUMNS,
  type ClosedRow,
  describeMoney,
  describeOrphan,
  describePhase,
  LedgerCheck,
  type LedgerSnapshot,
  MAX_FINDINGS,
  type MoneyCheckRow,
  type PhaseCheckRow,
  QUARTER_SUM_COLUMNS,
  QUARTERS_FROM,
  type QuarterSumRow,
} from '../../rows/money/ledger-check.ts'
import { POSTING_TOTAL_COLUMNS, type PostingTotalRow } from '../../rows/money/posting-row.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

const SLICE_POSTINGS = 5_000
const SLICE_MESSAGES = 1_000

export interface Slice {
  readonly findings: readonly string[]
  /** Where the next slice begins; null if this was the last. */
  readonly next: number | null
}

/** The slices, as commands to the engine. */
export interface LedgerReader {
  snapshot(): Promise<LedgerSnapshot>
  sums(after: number, through: number): Promise<readonly QuarterSumRow[]>
  messages(after: number): Promise<Slice>
  orphans(after: number): Promise<Slice>
}

/** Returns the discrepancies; none if the ledger is right. */
export async function verifyLedger(read: LedgerReader): Promise<string[]> {
  const snapshot = await read.snapshot()
  const check = new LedgerCheck(snapshot)
  for (let after = 0; after < snapshot.lastPosting; after += SLICE_POSTINGS) {
    check.add(await read.sums(after, Math.min(after + SLICE_POSTINGS, snapshot.lastPosting)))
  }
  const findings = check.findings()
  for (const slices of [read.messages, read.orphans]) {
    const found: string[] = []
    for (let after: number | null = 0; after !== null && found.length < MAX_FINDINGS; ) {
      const slice: Slice = await slices(after)
      found.push(...slice.findings)
      after = slice.next
    }
    findings.push(...found.slice(0, MAX_FINDINGS))
  }
  return findings
}

export function ledgerSnapshot({ database }: Pick<Session, 'database'>): () => LedgerSnapshot {
  const last = new SqlStatement<[last: number | null]>(database, 'SELECT max(posting_id) FROM posting')
  const accounts = new SqlStatement<AccountRow>(
    database,
    `SELECT ${ACCOUNT_COLUMNS} FROM account_balance ORDER BY account_id`,
  )
  const without = new SqlStatement<[accountId: number]>(database, ACCOUNTS_WITHOUT_BALANCES)
  const totals = new SqlStatement<PostingTotalRow>(database, `SELECT ${POSTING_TOTAL_COLUMNS} FROM posting_total`)
  const closed = new SqlStatement<ClosedRow>(database, `SELECT ${CLOSED_COLUMNS} FROM closed_month`)
  const quarters = new SqlStatement<[quartersFrom: number]>(database, QUARTERS_FROM)
  return () => ({
    quartersFrom: quarters.first()?.[0] ?? 0,
    lastPosting: last.first()?.[0] ?? 0,
    accounts: accounts.all(),
    accountsWithoutBalances: without.all().map(([accountId]) => accountId),
    totals: totals.all(),
    closed: closed.all(),
  })
}

export function sumPostings({
  database,
}: Pick<Session, 'database'>): (after: number, through: number) => QuarterSumRow[] {
  const sums = new SqlStatement<QuarterSumRow>(
    database,
    `SELECT ${QUARTER_SUM_COLUMNS} FROM posting WHERE posting_id > ? AND posting_id <= ? GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  )
  return (after, through) => sums.all(after, through)
}

/** Compares each message with its postings and its row in `due`. */
export function checkMessages({ database }: Pick<Session, 'database'>): (after: number) => Slice {
  const last = new SqlStatement<[last: number, count: number]>(
    database,
    `SELECT max(msg_id), count(*) FROM
       (SELECT msg_id FROM message WHERE msg_id > ? ORDER BY msg_id LIMIT ${SLICE_MESSAGES})`,
  )
  const between = 'message.msg_id > ? AND message.msg_id <= ?'
  const money = new SqlStatement<MoneyCheckRow>(
    database,
    `WITH checked AS (
       SELECT message.msg_id AS msg_id,
         coalesce(sum(amount_micros) FILTER (WHERE kind = 'hold'), 0) AS hold,
         coalesce(sum(amount_micros) FILTER (WHERE kind = 'charge'), 0) AS charge,
         coalesce(sum(amount_micros) FILTER (WHERE kind = 'release'), 0) AS release,
         coalesce(sum(amount_micros) FILTER (WHERE kind = 'refund'), 0) AS refund,
         coalesce(sum(posting.account_id <> message.account_id), 0) AS strange,
         ${memberOfJourney('heldMicros')} AS held,
         ${memberOfJourney('chargedMicros')} AS charged
       FROM message LEFT JOIN posting USING (msg_id) WHERE ${between} GROUP BY message.msg_id
     )
     SELECT * FROM checked WHERE hold <> charge + release + held OR charge <> charged OR refund > charge OR strange > 0`,
  )
  const phases = new SqlStatement<PhaseCheckRow>(
    database,
    `SELECT msg_id, phase, held FROM
       (SELECT msg_id, ${memberOfJourney('phase')} AS phase, ${memberOfJourney('heldMicros')} AS held FROM message
        WHERE ${between})
     WHERE (phase = 'ended') = (msg_id IN (SELECT msg_id FROM due)) OR (phase = 'ended' AND held <> 0)`,
  )
  return (after) => {
    const [through = 0, count = 0] = last.first(after) ?? []
    const findings = [...money.all(after, through).map(describeMoney), ...phases.all(after, through).map(describePhase)]
    return { findings, next: count < SLICE_MESSAGES ? null : through }
  }
}

/** Postings outlive their messages after retention; what they held must have been settled. */
export function checkOrphans({ database }: Pick<Session, 'database'>): (after: number) => Slice {
  const ids = new SqlStatement<[msgId: number]>(
    database,
    `SELECT DISTINCT msg_id FROM posting WHERE msg_id > ? ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`,
  )
  const isThere = new SqlStatement(database, 'SELECT 1 FROM message WHERE msg_id = ?')
  const swept = new SqlStatement<[furthest: number | null]>(
    database,
    `SELECT max(furthest) FROM sweep_mark WHERE action = 'records'`,
  )
  const left = new SqlStatement<[micros: number]>(
    database,
    `SELECT sum(CASE kind WHEN 'hold' THEN amount_micros WHEN 'refund' THEN 0 ELSE -amount_micros END) FROM posting WHERE msg_id = ?`,
  )
  return (after) => {
    const found = ids.all(after).map(([msgId]) => msgId)
    const sweptUpTo = swept.first()?.[0] ?? 0
    const findings = found
      .filter((msgId) => isThere.first(msgId) === undefined)
      .flatMap((msgId) => {
        const micros = left.first(msgId)?.[0] ?? 0
        return micros !== 0 || msgId > sweptUpTo ? [describeOrphan(msgId, micros)] : []
      })
    return { findings, next: found.length < SLICE_MESSAGES ? null : (found.at(-1) ?? null) }
  }
}
