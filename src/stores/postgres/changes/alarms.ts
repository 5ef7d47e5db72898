/** Reads alarms and the notifications that wait, and what the store knows of conditions. */
import { BUCKETS } from '../../../domain/ids/message-id.ts'
import type { AlarmRows, StoreConditions } from '../../../ports/stores/alarm-store.ts'
import { selectFrom } from '../../rows/cells/table.ts'
import {
  ALARMS,
  type LowBalanceRow,
  MAX_LISTED,
  NOTIFICATIONS,
  readLowBalance,
  SELECT_LOW_BALANCES,
} from '../../rows/setup/alarm-tables.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, rare, type Statement } from '../connection/statement.ts'

const SELECT_ALARMS = rare(`${selectFrom(ALARMS)} ORDER BY opened_at DESC, alarm_id DESC`)
const SELECT_NOTIFICATIONS = rare(`${selectFrom(NOTIFICATIONS)} ORDER BY due_at, target, alarm_id`)
const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => bucket)
const OLDEST_DUE = inBucket<[at: number]>(
  'SELECT due_at FROM due WHERE bucket = $1 AND node = 0 AND due_at > 0 ORDER BY due_at LIMIT 1',
)
const OLDEST_REPORT = inBucket<[at: number]>(
  `SELECT due_at FROM report WHERE bucket = $1 AND state = 'pending' AND node = 0 AND due_at IS NOT NULL AND due_at > 0
   ORDER BY due_at LIMIT 1`,
)
const LOW_BALANCES = rare<LowBalanceRow>(`${SELECT_LOW_BALANCES} ORDER BY account_id LIMIT ${MAX_LISTED}`)

export async function loadAlarms(link: Link): Promise<AlarmRows> {
  const [alarms, notifications] = await Promise.all([link.query(SELECT_ALARMS), link.query(SELECT_NOTIFICATIONS)])
  return { alarms: alarms.map(ALARMS.read), notifications: notifications.map(NOTIFICATIONS.read) }
}

/** One look at the index of each bucket. */
export async function findConditions(link: Link): Promise<StoreConditions> {
  const oldest = async (statement: Statement<[at: number]>) => {
    const rows = await Promise.all(ALL_BUCKETS.map((bucket) => link.query(statement, bucket)))
    return rows.flat().reduce<number | null>((first, [at]) => (first === null || at < first ? at : first), null)
  }
  const [messageDueAt, reportDueAt, low] = await Promise.all([
    oldest(OLDEST_DUE),
    oldest(OLDEST_REPORT),
    link.query(LOW_BALANCES),
  ])
  return { messageDueAt, reportDueAt, lowBalances: low.map(readLowBalance) }
}
