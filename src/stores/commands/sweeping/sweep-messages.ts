/**
 * Walks the messages of a bucket in id order, which is time order, and deletes data past its retention. A mark stores
 * the progress of each action and retention period, so that each message is visited once for each of them and no table
 * is ever searched. Open messages and those with a pending report are skipped and return to the sweeper later.
 */
import { DAY_MS, type InstallationRetention } from '../../../domain/accounts/retention.ts'
import { type MessageFacts, RetentionRules, SWEEP_ACTIONS, type SweepAction } from '../../rows/setup/retention-rules.ts'
import { busyAmong, type IsLeft, type RedactTools, redact } from '../erasure/redact-messages.ts'
import { type Command, query, readAll, withBucket, write } from '../statement/command.ts'
import { insert, type Sql, select, sql } from '../statement/sql.ts'

/** Small enough to delay traffic by only some milliseconds. */
const SLICE_MESSAGES = 100

const REVISION = sql<[revision: number]>('SELECT revision FROM meta')
const SETTINGS = sql<[accountId: number, settings: string]>('SELECT account_id, settings FROM account')
/** Blocks operator changes and new nodes until this transaction ends. */
const HOLD_REVISION = sql<[revision: number]>('SELECT revision FROM meta {hold}')
const MARKS = sql<[action: SweepAction, days: number, msgId: number]>(
  'SELECT action, days, msg_id FROM sweep_mark WHERE {bucket} true {lock}',
)
const SET_MARK = insert(
  'sweep_mark',
  'action, days, msg_id, furthest',
  `ON CONFLICT ({bucket,} action, days) DO UPDATE SET msg_id = excluded.msg_id,
     furthest = CASE WHEN sweep_mark.furthest > excluded.furthest THEN sweep_mark.furthest ELSE excluded.furthest END`,
)
const LEFT = sql<[msgId: number]>(
  `SELECT msg_id FROM sweep_skipped WHERE {bucket} true ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`,
)
const DROP_LEFT = sql('DELETE FROM sweep_skipped WHERE {bucket} msg_id {any bigint}')
const FACTS = 'msg_id, account_id, created_at'
const FIND = select<MessageFacts>('message', FACTS, 'WHERE {bucket} msg_id {any bigint}')
const NEXT = select<MessageFacts>('message', FACTS, `WHERE {bucket} msg_id > ? ORDER BY msg_id LIMIT ${SLICE_MESSAGES}`)

/** The rules with the directory revision that they belong to. */
export interface SweepRules {
  readonly revision: number
  readonly rules: RetentionRules
}

export interface SweepOrder extends SweepRules {
  readonly bucket: number
  readonly now: number
}

/** What each store does in its own way. */
export interface SweepTools extends Pick<RedactTools, 'contents'> {
  /** How many actions and periods one slice is about. */
  readonly classes: number
  /** Sees to it that messages up to this one that end later are reported to the sweeper. */
  raise(last: number): Command<unknown>
  isLeft(action: SweepAction, accounts: ReadonlyMap<number, number>): IsLeft
  /** Deletes reports of account events by the range of their ids and their latest time, unless partitions do. */
  readonly eventReports?: Sql
}

/** The revision is read first: newer rules are read again, and older ones never used. */
export function* readRules(keeping: InstallationRetention): Command<SweepRules> {
  const [[revision], settings] = yield* readAll(query(REVISION), query(SETTINGS))
  return { revision: revision?.[0] ?? 0, rules: new RetentionRules(settings, keeping) }
}

/** Sweeps one slice of a bucket; returns `overtaken` if the rules no longer match the directory. */
export function sweepMessages(order: SweepOrder, tools: SweepTools): Command<'more' | 'done' | 'overtaken'> {
  return withBucket(order.bucket, sweep(order, tools))
}

function* sweep(
  { now, revision, rules }: SweepOrder,
  { classes, contents, raise, isLeft, eventReports }: SweepTools,
): Command<'more' | 'done' | 'overtaken'> {
  const [[held], marks, left] = yield* readAll(query(HOLD_REVISION), query(MARKS), query(LEFT))
  if (held?.[0] !== revision) return 'overtaken'
  const leftIds = left.map(([msgId]) => msgId)
  const places = rules.classes.map(([action, days]) => {
    return { action, days, mark: marks.find((each) => each[0] === action && each[1] === days)?.[2] ?? 0 }
  })
  const [leftFacts, ...slices] = yield* readAll(query(FIND, leftIds), ...places.map(({ mark }) => query(NEXT, mark)))
  const found = places.flatMap(({ days, ...place }, index) => {
    const facts = slices[index] ?? []
    const young = facts.findIndex(([, , createdAt]) => createdAt > now - days * DAY_MS)
    const old = young === -1 ? facts : facts.slice(0, young)
    const last = old.at(-1)?.[0]
    return last === undefined ? [] : [{ ...place, days, old, last }]
  })
  const passed = found.slice(0, classes)
  if (passed.length > 0) yield* raise(Math.max(...passed.map(({ last }) => last)))
  const requests = [
    ...leftFacts.flatMap((facts) => SWEEP_ACTIONS.map((action) => ({ action, facts }))),
    ...passed.flatMap(({ action, old }) => old.map((facts) => ({ action, facts }))),
  ].filter(({ action, facts }) => rules.isDue(action, facts, now))
  const busy = yield* busyAmong([...new Set(requests.map(({ facts }) => facts[0]))])
  for (const action of SWEEP_ACTIONS) {
    const ended = requests.filter((request) => request.action === action && !busy.has(request.facts[0]))
    const accounts = new Map(ended.map(({ facts: [msgId, accountId] }) => [msgId, accountId]))
    yield* redact(action, [...accounts.keys()], now, { contents, isLeft: isLeft(action, accounts) })
  }
  if (leftIds.length > 0) yield* write(DROP_LEFT, [leftIds])
  if (eventReports !== undefined) {
    const without = leftIds.filter((id) => leftFacts.every(([msgId]) => msgId !== id))
    yield* write(eventReports, ...without.map((id) => [id - 1, id, rules.settledUntil(now)]))
    const settled = passed.filter(({ action }) => action === 'settled')
    yield* write(eventReports, ...settled.map(({ mark, last }) => [mark, last, now]))
  }
  yield* write(SET_MARK, ...passed.map(({ action, days, last }) => [action, days, last, last]))
  const isFull = passed.some(({ old }) => old.length === SLICE_MESSAGES) || left.length === SLICE_MESSAGES
  return isFull || found.length > passed.length ? 'more' : 'done'
}
