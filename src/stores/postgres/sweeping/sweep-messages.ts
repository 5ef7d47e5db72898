/**
 * Walks the messages of a bucket in id order, which is time order, and deletes data past its retention. A mark stores
 * the progress of each action and retention period, so that each message is visited once for each of them and no table
 * is ever searched. Open messages and those with a pending report are skipped and return to the sweeper later: the node
 * that ends one sees the sweep position in its lease.
 */
import { DAY_MS, type InstallationRetention } from '../../../domain/accounts/retention.ts'
import { bucketOfMessage } from '../../../domain/ids/message-id.ts'
import { type MessageFacts, RetentionRules, SWEEP_ACTIONS, type SweepAction } from '../../rows/setup/retention-rules.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, insertion, rare, STILL_PENDING } from '../connection/statement.ts'
import { Partitions } from '../partitions/partitions.ts'
import type { Session } from '../session/session.ts'
import { applyAction, type IsLeft } from './redact-messages.ts'

/** Small enough to delay traffic by only some milliseconds. */
const SLICE_MESSAGES = 100

const REVISION = rare<[revision: number]>('SELECT revision FROM meta')
const SETTINGS = rare<[accountId: number, settings: string]>('SELECT account_id, settings FROM account')
/** Blocks operator changes and new nodes until this transaction ends. */
const HOLD_REVISION = rare<[revision: number]>('SELECT revision FROM meta FOR KEY SHARE')
const MARKS = inBucket<[action: SweepAction, days: number, msgId: number]>(
  'SELECT action, days, msg_id FROM sweep_mark WHERE bucket = $1 FOR UPDATE',
)
const SET_MARKS = insertion(
  'sweep_mark',
  'action, days, msg_id, furthest',
  `ON CONFLICT (bucket, action, days) DO UPDATE SET msg_id = excluded.msg_id,
     furthest = greatest(sweep_mark.furthest, excluded.furthest)`,
)
const LEFT = inBucket<[msgId: number]>(
  `SELECT msg_id FROM sweep_skipped WHERE bucket = $1 ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`,
)
const DROP_LEFT = inBucket('DELETE FROM sweep_skipped WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])')
const KEEP_LEFT = insertion('sweep_skipped', 'msg_id', 'ON CONFLICT DO NOTHING')
const FACTS = 'msg_id, account_id, created_at FROM message'
const NEXT = inBucket<MessageFacts>(
  `SELECT ${FACTS} WHERE bucket = $1 AND msg_id > $2 ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`,
)
const FIND = inBucket<MessageFacts>(`SELECT ${FACTS} WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])`)
/** Waits for transactions in progress in the bucket; messages that end later are reported to the sweeper. */
const RAISE = inBucket('UPDATE lease SET swept_to = $2 WHERE bucket = $1 AND swept_to < $2')
const BUSY = inBucket<[msgId: number]>(
  `SELECT msg_id FROM due WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])
   UNION SELECT msg_id FROM report WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) AND ${STILL_PENDING}`,
)
const ANY_MESSAGE = inBucket<[any: number]>(
  `SELECT (EXISTS (SELECT 1 FROM message WHERE bucket = $1) OR EXISTS (SELECT 1 FROM sweep_skipped WHERE bucket = $1)
     OR EXISTS (SELECT 1 FROM message_total WHERE bucket = $1))::integer`,
)

/** The rules with the directory revision that they belong to. */
export interface SweepRules {
  readonly revision: number
  readonly rules: RetentionRules
  readonly partitions: Partitions
}

export interface SweepOrder extends SweepRules {
  readonly bucket: number
  readonly now: number
}

export async function readRules(link: Link, keeping: InstallationRetention): Promise<SweepRules> {
  // The revision first: newer rules are read again, and older ones never used.
  const [[revision], settings, partitions] = await Promise.all([
    link.query(REVISION),
    link.query(SETTINGS),
    Partitions.read(link),
  ])
  return { revision: revision?.[0] ?? 0, rules: new RetentionRules(settings, keeping), partitions }
}

/** Returns the buckets that have messages or statistics. */
export async function bucketsToSweep(link: Link, buckets: readonly number[]): Promise<readonly number[]> {
  const found = await Promise.all(buckets.map((bucket) => link.query(ANY_MESSAGE, bucket)))
  return buckets.filter((_, index) => found[index]?.[0]?.[0] === 1)
}

/** Sweeps one slice of a bucket; returns `overtaken` if the rules no longer match the directory. */
export async function sweepMessages(
  session: Session,
  orders: readonly SweepOrder[],
): Promise<readonly ('more' | 'done' | 'overtaken')[]> {
  const answers: ('more' | 'done' | 'overtaken')[] = []
  for (const order of orders) answers.push(await sweepBucket(session, order))
  return answers
}

async function sweepBucket(session: Session, { bucket, now, revision, rules, partitions }: SweepOrder) {
  const [[held], marks, left] = await Promise.all([
    session.query(HOLD_REVISION),
    session.query(MARKS, bucket),
    session.query(LEFT, bucket),
  ])
  if (held?.[0] !== revision) return 'overtaken'
  const leftIds = left.map(([msgId]) => msgId)
  const [leftFacts, ...slices] = await Promise.all([
    session.query(FIND, bucket, leftIds),
    ...rules.classes.map(async ([action, days]) => {
      const mark = marks.find((each) => each[0] === action && each[1] === days)?.[2] ?? 0
      const facts = await session.query(NEXT, bucket, mark)
      const young = facts.findIndex(([, , createdAt]) => createdAt > now - days * DAY_MS)
      return { action, days, old: young === -1 ? facts : facts.slice(0, young) }
    }),
  ])
  const passed = slices.filter(({ old }) => old.length > 0)
  await raise(
    session,
    bucket,
    passed.flatMap(({ old }) => old.at(-1)?.[0] ?? []),
  )
  const requests = [
    ...leftFacts.flatMap((facts) => SWEEP_ACTIONS.map((action) => ({ action, facts }))),
    ...passed.flatMap(({ action, old }) => old.map((facts) => ({ action, facts }))),
  ].filter(({ action, facts }) => rules.isDue(action, facts, now))
  const busy = await busyOf(
    session,
    bucket,
    requests.map(({ facts }) => facts[0]),
  )
  for (const action of SWEEP_ACTIONS) {
    const ended = requests.filter((request) => request.action === action && !busy.has(request.facts[0]))
    const accounts = new Map(ended.map(({ facts: [msgId, accountId] }) => [msgId, accountId]))
    const isLeft: IsLeft = (table, msgId) => {
      const isSoon = table === 'event' ? rules.keepsLongest(accounts.get(msgId) ?? 0) : action === 'settled'
      return isSoon && partitions.has(table, msgId)
    }
    await applyAction(session, bucket, action, [...accounts.keys()], now, isLeft)
  }
  if (leftIds.length > 0) session.write(DROP_LEFT, bucket, leftIds)
  const rows = passed.map(({ action, days, old }) => [action, days, old.at(-1)?.[0] ?? 0, old.at(-1)?.[0] ?? 0])
  session.insert(
    SET_MARKS,
    ByBucket.of(rows, () => bucket),
  )
  const isFull = passed.some(({ old }) => old.length === SLICE_MESSAGES) || left.length === SLICE_MESSAGES
  return isFull ? 'more' : 'done'
}

/** Reports messages to the sweeper that may have nothing open any more. */
export function leaveToSweep(session: Session, ids: Iterable<number>): void {
  const passed = new ByBucket<number[]>()
  for (const id of new Set(ids)) {
    const bucket = bucketOfMessage(id as never)
    if (id <= session.sweptTo(bucket)) passed.add(bucket, [id])
  }
  session.insert(KEEP_LEFT, passed)
}

async function raise(session: Session, bucket: number, lasts: readonly number[]): Promise<void> {
  if (lasts.length > 0) await session.query(RAISE, bucket, Math.max(...lasts))
}

async function busyOf(session: Session, bucket: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  return new Set((await session.query(BUSY, bucket, [...new Set(ids)])).map(([msgId]) => msgId))
}
