/** Stores inbound messages once and sealed, long ones once they are complete. */
import {
  INBOUND_PARTS_KEPT_MS,
  type InboundArrival,
  type InboundKey,
  type SettledKey,
} from '../../../ports/carriers/carrier.ts'
import {
  type InboundFacts,
  InboundRecorder,
  type InboundRows,
  inboundKeyName,
  type PartRow,
  type PartsKey,
  partsKeyName,
  partsKeyOf,
} from '../../recording/inbound-recorder.ts'
import { bucketOfCarrier } from '../../rows/cells/bucket-of-ref.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, insertion, rare, type SqlStatement, typesOf, unnest } from '../connection/statement.ts'
import { lockNames } from '../session/lock-names.ts'
import type { Session } from '../session/session.ts'
import { storeInbound } from './write-inbound.ts'

const KEY = typesOf('inbound_key', 'carrier_id, key')
const WHOLE_COLUMNS = 'carrier_id, sender, recipient, reference, total'
const WHOLE = typesOf('inbound_part', WHOLE_COLUMNS)

const FIND_KEYS = inBucket<[carrierId: string, key: string, keepUntil: number]>(
  `SELECT carrier_id, key, keep_until FROM inbound_key JOIN ${unnest(KEY, 2)} USING (carrier_id, key) WHERE bucket = $1`,
)
const KEEP_KEYS = insertion(
  'inbound_key',
  'carrier_id, key, keep_until',
  'ON CONFLICT (bucket, carrier_id, key) DO UPDATE SET keep_until = excluded.keep_until',
)
const FIND_PARTS = inBucket<[...PartsKey, ...PartRow]>(
  `SELECT ${WHOLE_COLUMNS}, number, text, at FROM inbound_part
   JOIN ${unnest(WHOLE, 2)} USING (${WHOLE_COLUMNS}) WHERE bucket = $1`,
)
const REMOVE_PARTS = inBucket(
  `DELETE FROM inbound_part USING ${unnest(WHOLE, 2)} WHERE inbound_part.bucket = $1 AND ${Object.keys(WHOLE)
    .map((column) => `inbound_part.${column} = new.${column}`)
    .join(' AND ')}`,
)
const INSERT_PARTS = insertion('inbound_part', `${WHOLE_COLUMNS}, number, text, at`)
const OVERDUE = rare<[...PartsKey]>(`SELECT DISTINCT ${WHOLE_COLUMNS} FROM inbound_part WHERE at <= $1 LIMIT $2`)
export interface InboundOrder {
  readonly arrivals: readonly InboundArrival[]
  /** Processed first. */
  readonly settled: readonly SettledKey[]
}

export async function recordInbound(session: Session, orders: readonly InboundOrder[]): Promise<readonly null[]> {
  const arrivals = orders.flatMap((order) => order.arrivals)
  const settled = orders.flatMap((order) => order.settled)
  const partsKeys = arrivals.map(partsKeyOf).filter((key) => key !== null)
  const recorder = new InboundRecorder(await readFacts(session, [...arrivals, ...settled], partsKeys), session.vault)
  for (const order of orders) {
    for (const key of order.settled) recorder.settle(key)
    for (const arrival of order.arrivals) recorder.take(arrival)
  }
  await write(session, recorder.rows())
  return orders.map(() => null)
}

/** Stores incomplete messages whose parts have waited long enough. */
export async function joinOverdue(
  session: Session,
  orders: readonly (readonly PartsKey[])[],
): Promise<readonly null[]> {
  const keys = orders.flat()
  const recorder = new InboundRecorder(await readFacts(session, [], keys), session.vault)
  for (const key of keys) recorder.join(key)
  await write(session, recorder.rows())
  return orders.map(() => null)
}

export function findOverdue(connection: Connection, now: number, most: number): Promise<readonly PartsKey[]> {
  return connection.query(OVERDUE, now - INBOUND_PARTS_KEPT_MS, most)
}

/** Several nodes may get parts of one message, or repeats: locks their names until the commit. */
async function readFacts(
  session: Session,
  asked: readonly InboundKey[],
  askedParts: readonly PartsKey[],
): Promise<InboundFacts> {
  const keysByName = new Map(asked.map((key) => [inboundKeyName(key), key]))
  const partsByName = new Map(askedParts.map((key) => [partsKeyName(key), key]))
  const [keys, wholes] = [new ByBucket<Cell[]>(), new ByBucket<readonly Cell[]>()]
  for (const { carrierId, key } of keysByName.values()) keys.add(bucketOfCarrier(carrierId), [carrierId, key])
  for (const key of partsByName.values()) wholes.add(bucketOfCarrier(key[0]), key)
  const names = [...keysByName.keys(), ...partsByName.keys()].map((name) => `inbound ${name.replaceAll('\0', ' ')}`)
  const [, foundKeys, foundParts] = await Promise.all([
    lockNames(session, names),
    session.queryRows(FIND_KEYS, keys),
    session.queryRows(FIND_PARTS, wholes),
  ])
  const keepUntil = new Map(foundKeys.map(([carrierId, key, until]) => [inboundKeyName({ carrierId, key }), until]))
  const parts = new Map<string, PartRow[]>()
  for (const [carrierId, sender, recipient, reference, total, ...part] of foundParts) {
    const name = partsKeyName([carrierId, sender, recipient, reference, total])
    parts.set(name, [...(parts.get(name) ?? []), part])
  }
  return {
    keepUntil: (key) => keepUntil.get(inboundKeyName(key)),
    parts: (key) => parts.get(partsKeyName(key)) ?? [],
  }
}

async function write(session: Session, { keys, removedParts, parts, messages }: InboundRows): Promise<void> {
  const insert = (statement: SqlStatement, rows: readonly (readonly [carrierId: string, ...Cell[]])[]) => {
    session.insert(statement, byCarrier(rows))
  }
  insert(KEEP_KEYS, keys)
  session.update(REMOVE_PARTS, byCarrier(removedParts))
  insert(INSERT_PARTS, parts)
  await storeInbound(session, messages)
}

function byCarrier<Row extends readonly [carrierId: string, ...Cell[]]>(rows: readonly Row[]): ByBucket<Row> {
  return ByBucket.of(rows, ([carrierId]) => bucketOfCarrier(carrierId))
}
