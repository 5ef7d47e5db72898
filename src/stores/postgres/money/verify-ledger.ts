/**
 * Reads the ledger for its check (../../rows/money/ledger-check.ts) slice by slice. Postings never change, and those of
 * an account are numbered without gaps: so those up to a snapshot's last one can be summed up later and compared with
 * the snapshot's balances, and a missing one is detected. Each message is compared with its own postings within one
 * statement.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { BUCKETS, bucketOf } from '../../../domain/ids/message-id.ts'
import {
  ACCOUNT_COLUMNS,
  ACCOUNTS_WITHOUT_BALANCES,
  type AccountRow,
  CLOSED_COLUMNS,
  type ClosedRow,
  describeMoney,
  describeOrphan,
  describePhase,
  describeUnknown,
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
import type { Connection } from '../connection/connection.ts'
import { numberInJourney, phaseIn } from '../connection/journey-text.ts'
import { inBucket, rare } from '../connection/statement.ts'

const SLICE_POSTINGS = 5_000
const SLICE_MESSAGES = 1_000
/** Concurrent slices: few, so that other clients of this server are served. */
const CONCURRENT_SLICES = 8

const ACCOUNTS = rare<[...AccountRow, postings: number]>(
  `SELECT ${ACCOUNT_COLUMNS}, postings FROM account_balance ORDER BY account_id`,
)
const WITHOUT_BALANCES = rare<[accountId: number]>(ACCOUNTS_WITHOUT_BALANCES)
const UNKNOWN_ACCOUNTS = rare<[accountId: number]>(
  `SELECT DISTINCT account_id FROM posting WHERE NOT EXISTS
     (SELECT 1 FROM account_balance WHERE account_balance.bucket = posting.bucket AND account_balance.account_id = posting.account_id)`,
)
const TOTALS = rare<PostingTotalRow>(`SELECT ${POSTING_TOTAL_COLUMNS} FROM posting_total`)
const CLOSED = rare<ClosedRow>(`SELECT ${CLOSED_COLUMNS} FROM closed_month`)
const QUARTERS = rare<[quartersFrom: number]>(QUARTERS_FROM)
const SUMS = inBucket<QuarterSumRow>(
  `SELECT ${QUARTER_SUM_COLUMNS}
   FROM posting WHERE bucket = $1 AND account_id = $2 AND posting_id > $3 AND posting_id <= $4
   GROUP BY 1, 2, 3, 4, 5, 6, 7`,
)
const SLICE_END = inBucket<[last: number | null, count: number]>(
  `SELECT max(msg_id), count(*) FROM (SELECT msg_id FROM message WHERE bucket = $1 AND msg_id > $2
     ORDER BY msg_id LIMIT ${SLICE_MESSAGES}) AS slice`,
)
const MONEY = inBucket<MoneyCheckRow>(
  `WITH checked AS (
     SELECT message.msg_id,
       coalesce(sum(amount_micros) FILTER (WHERE kind = 'hold'), 0) AS hold,
       coalesce(sum(amount_micros) FILTER (WHERE kind = 'charge'), 0) AS charge,
       coalesce(sum(amount_micros) FILTER (WHERE kind = 'release'), 0) AS release,
       coalesce(sum(amount_micros) FILTER (WHERE kind = 'refund'), 0) AS refund,
       count(*) FILTER (WHERE posting.account_id <> message.account_id) AS strange,
       ${numberInJourney('message.journey', 'heldMicros')} AS held, ${numberInJourney('message.journey', 'chargedMicros')} AS charged
     FROM message LEFT JOIN posting ON posting.bucket = $1 AND posting.msg_id = message.msg_id
     WHERE message.bucket = $1 AND message.msg_id > $2 AND message.msg_id <= $3
     GROUP BY message.msg_id, message.journey
   )
   SELECT * FROM checked WHERE hold <> charge + release + held OR charge <> charged OR refund > charge OR strange > 0`,
)
const PHASES = inBucket<PhaseCheckRow>(
  `SELECT * FROM (
     SELECT message.msg_id, ${phaseIn('message.journey')} AS phase, ${numberInJourney('message.journey', 'heldMicros')} AS held,
       due.msg_id IS NOT NULL AS is_due
     FROM message LEFT JOIN due ON due.bucket = $1 AND due.msg_id = message.msg_id
     WHERE message.bucket = $1 AND message.msg_id > $2 AND message.msg_id <= $3
   ) AS checked WHERE (phase = 'ended') = is_due OR (phase = 'ended' AND held <> 0)`,
)
/** Postings outlive their messages after retention; what they held must have been settled. */
const ORPHANS = rare<[bucket: number, msgId: number, micros: number]>(
  `SELECT * FROM (
     SELECT bucket, msg_id, sum(CASE kind WHEN 'hold' THEN amount_micros WHEN 'refund' THEN 0 ELSE -amount_micros END) AS micros
     FROM posting WHERE msg_id IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM message WHERE message.bucket = posting.bucket AND message.msg_id = posting.msg_id)
     GROUP BY bucket, msg_id
   ) AS orphan WHERE micros <> 0 OR msg_id > coalesce(
     (SELECT max(furthest) FROM sweep_mark WHERE sweep_mark.bucket = orphan.bucket AND action = 'records'), 0)
   LIMIT ${MAX_FINDINGS}`,
)

/** Returns the discrepancies; none if the ledger is right. Needs exclusive use of the connection. */
export async function verifyLedger(connection: Connection): Promise<readonly string[]> {
  const { snapshot, slices, unknownAccounts } = await readSnapshot(connection)
  const check = new LedgerCheck(snapshot)
  const findings: string[] = unknownAccounts.map(describeUnknown)
  for (let start = 0; start < slices.length; start += CONCURRENT_SLICES) {
    const sliced = slices.slice(start, start + CONCURRENT_SLICES).map(async ({ accountId, after, through }) => {
      const sums = await connection.query(SUMS, bucketOf(accountId), accountId, after, through)
      const found = sums.reduce((count, sum) => count + sum[7], 0)
      if (found !== through - after) {
        findings.push(`account ${accountId} has ${found} of its postings ${after + 1} to ${through}`)
      }
      check.add(sums)
    })
    await Promise.all(sliced)
  }
  findings.push(...check.findings())
  const ofMessages: string[] = []
  for (let bucket = 0; bucket < BUCKETS && ofMessages.length < MAX_FINDINGS; bucket += 1) {
    ofMessages.push(...(await checkMessages(connection, bucket)))
  }
  const orphans = (await connection.query(ORPHANS)).map(([, msgId, micros]) => describeOrphan(msgId, micros))
  return [...findings, ...ofMessages.slice(0, MAX_FINDINGS), ...orphans]
}

/** Reads a consistent snapshot. */
async function readSnapshot(connection: Connection) {
  const begun = connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const read = Promise.all([
    connection.query(ACCOUNTS),
    connection.query(WITHOUT_BALANCES),
    connection.query(UNKNOWN_ACCOUNTS),
    connection.query(TOTALS),
    connection.query(CLOSED),
    connection.query(QUARTERS),
  ])
  const ended = connection.run('COMMIT')
  const [accounts, without, unknown, totals, closed, [quarters]] = await read.finally(() =>
    Promise.allSettled([begun, ended]),
  )
  const snapshot: LedgerSnapshot = {
    lastPosting: 0,
    accounts,
    accountsWithoutBalances: without.map(([accountId]) => accountId),
    totals,
    closed,
    quartersFrom: quarters?.[0] ?? 0,
  }
  const slices = accounts.flatMap((row) => slicesOf(row[0], row[6]))
  return { snapshot, slices, unknownAccounts: unknown.map(([accountId]) => accountId) }
}

function slicesOf(accountId: AccountId, postings: number) {
  return Array.from({ length: Math.ceil(postings / SLICE_POSTINGS) }, (_, slice) => {
    const after = slice * SLICE_POSTINGS
    return { accountId, after, through: Math.min(after + SLICE_POSTINGS, postings) }
  })
}

/** Compares each message of a bucket with its postings and its row in `due`. */
async function checkMessages(connection: Connection, bucket: number): Promise<readonly string[]> {
  const findings: string[] = []
  for (let after = 0; findings.length < MAX_FINDINGS; ) {
    const [[through = null, count = 0] = []] = await connection.query(SLICE_END, bucket, after)
    if (through === null) break
    const [money, phases] = await Promise.all([
      connection.query(MONEY, bucket, after, through),
      connection.query(PHASES, bucket, after, through),
    ])
    findings.push(...money.map(describeMoney), ...phases.map(describePhase))
    if (count < SLICE_MESSAGES) break
    after = through
  }
  return findings
}
