/** The parts of long messages, in the bucket of their account. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import type { Report } from '../../../domain/reports/report.ts'
import {
  type EndedParts,
  type KeptPart,
  type LongMessageKey,
  MAX_WAITING_PARTS,
  type Named,
  type NameQuery,
  type NewPart,
  PARTS_REMEMBERED_MS,
  type WaitingPart,
} from '../../../ports/stores/part-store.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import { type Command, change, query, readAll, rows, withBucket, write } from '../statement/command.ts'
import { insert, lookUpRows, select, sql } from '../statement/sql.ts'
import { findOnce, messagesNamed, nameAll } from './message-names.ts'

const TABLE = 'smpp_part'
const COLUMNS = 'account_id, login, message, number, part_id, text, facts, at'
const READ = `${COLUMNS}, ended_at`
type ReadRow = CellsOf<typeof TABLE, typeof READ, { account_id: AccountId; part_id: MessageId }>

const OF_MESSAGE = select<ReadRow>(
  TABLE,
  READ,
  'WHERE {bucket} account_id = ? AND login = ? AND message = ? ORDER BY number',
)
const MESSAGE_OF_PART = sql<[message: string]>(
  `SELECT message FROM ${TABLE} WHERE {bucket} account_id = ? AND login = ? AND part_id = ? AND ended_at IS NULL`,
)
const COUNT = sql<[parts: number]>(
  `SELECT CAST(count(*) AS integer) FROM (SELECT 1 FROM ${TABLE} WHERE {bucket} account_id = ? AND login = ? AND ended_at IS NULL
     LIMIT ${MAX_WAITING_PARTS}) AS counted`,
)
const KEEP = insert(TABLE, COLUMNS, 'ON CONFLICT DO NOTHING')
const END = sql<[partId: MessageId]>(
  `UPDATE ${TABLE} SET ended_at = ? WHERE {bucket} account_id = ? AND login = ? AND message = ? AND ended_at IS NULL
     AND part_id {any bigint} RETURNING part_id`,
)
const FORGET = sql(
  `DELETE FROM ${TABLE} WHERE {bucket} account_id = ? AND login = ? AND message = ? AND ended_at IS NOT NULL`,
)
/** Of the oldest parts: those of one message arrive together, so few messages are cut off. */
const OLD = lookUpRows<[accountId: AccountId, login: string, message: string]>(
  TABLE,
  'account_id, login, message',
  'WHERE at <= ? AND ended_at IS NULL ORDER BY at LIMIT 5000',
)

export function keepPart(part: NewPart, hashPhone: HashPhone): Command<KeptPart> {
  const { joinedBy, once, ...rest } = part
  return withBucket(bucketOf(part.accountId), keep({ ...rest, message: hashPhone(joinedBy) }))

  function* keep(given: WaitingPart): Command<KeptPart> {
    const { accountId, login, message, number, text, facts, at } = given
    const [found, [counted]] = yield* readAll(
      query(OF_MESSAGE, accountId, login, message),
      query(COUNT, accountId, login),
    )
    const earlier = once === null ? null : yield* findOnce(accountId, once, hashPhone)
    const partId = earlier ?? given.partId
    const ended = found.filter(hasEnded)
    if (ended.length > 0) {
      const repeated = ended.find(
        (row) => row[3] === number && row[5] === text && at - endOf(row) <= PARTS_REMEMBERED_MS,
      )
      if (repeated !== undefined) return { kind: 'kept', partId: repeated[4], parts: [] }
      yield* change(query(FORGET, accountId, login, message))
    }
    const parts = waitingOf(found)
    const known = knownAs(given, parts)
    if (known !== null) return known
    if ((counted?.[0] ?? 0) >= MAX_WAITING_PARTS) return { kind: 'full' }
    yield* write(KEEP, [accountId, login, message, number, partId, text, facts, at])
    // Another node may have stored the same part, or others of the message, since.
    const stored = waitingOf(yield* rows(OF_MESSAGE, accountId, login, message))
    return knownAs(given, stored) ?? { kind: 'taken', parts: stored }
  }
}

/** Null for a part that is not there. */
function knownAs({ number, text }: WaitingPart, parts: readonly WaitingPart[]): KeptPart | null {
  const known = parts.find((each) => each.number === number)
  if (known === undefined) return null
  return known.text === text ? { kind: 'kept', partId: known.partId, parts } : { kind: 'taken', parts }
}

function waitingOf(rows: readonly ReadRow[]): readonly WaitingPart[] {
  return rows.filter((row) => !hasEnded(row)).map(readPart)
}

export interface EndTools {
  readonly hashPhone: HashPhone
  readonly report: (report: Report, at: number) => void
}

export function endParts(ended: EndedParts, { hashPhone, report }: EndTools): Command<void> {
  const { accountId, login, message, partIds, named, at } = ended
  return withBucket(bucketOf(accountId), end())

  function* end(): Command<void> {
    const changed = yield* rows(END, at, accountId, login, message, partIds)
    if (changed.length === 0) return
    if (named !== null) yield* nameAll(named, hashPhone)
    if (ended.report !== null) report(ended.report, at)
  }
}

export function findNamed({ accountId, login, id }: NameQuery): Command<Named> {
  return withBucket(bucketOf(accountId), find())

  function* find(): Command<Named> {
    const messageIds = yield* messagesNamed(accountId, id)
    const [part] = yield* rows(MESSAGE_OF_PART, accountId, login, id)
    const waiting = part === undefined ? [] : yield* rows(OF_MESSAGE, accountId, login, part[0])
    return { messageIds, waiting: waitingOf(waiting) }
  }
}

export function* oldParts(until: number): Command<readonly (readonly WaitingPart[])[]> {
  const keys = new Map<string, LongMessageKey>()
  for (const [accountId, login, message] of yield* rows(OLD, until)) {
    keys.set(`${accountId} ${message} ${login}`, { accountId, login, message })
  }
  const messages: (readonly WaitingPart[])[] = []
  for (const { accountId, login, message } of keys.values()) {
    const parts = yield* withBucket(bucketOf(accountId), rows(OF_MESSAGE, accountId, login, message))
    messages.push(waitingOf(parts))
  }
  return messages
}

function readPart([accountId, login, message, number, partId, text, facts, at]: ReadRow): WaitingPart {
  return { accountId, login, message, number, partId, text, facts, at }
}

function hasEnded(row: ReadRow): boolean {
  return row[8] !== null
}

function endOf(row: ReadRow): number {
  return row[8] ?? 0
}
