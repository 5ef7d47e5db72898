/**
 * Receipts that arrived before the ids of their parts were known. A node that records an id commits it and then looks
 * for receipts; a node that gets a receipt parks it and then looks for its id again: so one of them sees the other, and
 * no transaction needs the rows of both.
 */

import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { CarrierReceipt } from '../../../ports/carriers/carrier.ts'
import type { EarlyReceipt, ReceiptAddress } from '../../../ports/carriers/receipt-address.ts'
import type { RecordedTurn } from '../../../ports/stores/delivery-store.ts'
import { bucketOfRef } from '../../rows/cells/bucket-of-ref.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { EARLY_RECEIPT_COLUMNS, type EarlyReceiptRow, toEarlyReceipt } from '../../rows/messages/early-receipt.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, lookUp, rare, typesOf, unnest } from '../connection/statement.ts'
import { columnsOf, type Session } from '../session/session.ts'
import { findAddresses } from './find-addresses.ts'

const KEY = typesOf('early_receipt', 'carrier_id, ref, outcome')
const PART = typesOf('early_receipt', 'msg_id, step, part')

type ParkedReceipt = Pick<CarrierReceipt, 'carrierId' | 'ref' | 'outcome'>
type ParkedRow = [...EarlyReceiptRow, node: number, msgId: MessageId | null]

const PARKED = `SELECT ${EARLY_RECEIPT_COLUMNS}, node, msg_id FROM early_receipt
   JOIN ${unnest(typesOf('early_receipt', 'bucket, carrier_id, ref'), 1)} USING (bucket, carrier_id, ref)`
const FIND_PARKED = lookUp<ParkedRow>(`${PARKED} ORDER BY early_receipt_id`)
/** For distributed tables, so that only the servers of these buckets are queried; elsewhere its plans are worse. */
const FIND_PARKED_SPREAD = lookUp<ParkedRow>(
  `${PARKED} WHERE early_receipt.bucket = ANY ($1) ORDER BY early_receipt_id`,
)
/** Unless an assigned one; for those that a node found together with the id. */
const UNPARK = inBucket<[carrierId: string, ref: string, outcome: string]>(
  `DELETE FROM early_receipt USING ${unnest(KEY, 2)}
   WHERE early_receipt.bucket = $1 AND early_receipt.carrier_id = new.carrier_id
     AND early_receipt.ref = new.ref AND early_receipt.outcome = new.outcome AND early_receipt.node = 0
   RETURNING early_receipt.carrier_id, early_receipt.ref, early_receipt.outcome`,
)
/** Not if another message or node has it: one that found its id as it parked it (match-receipts.ts), or claimed it. */
const HAND = inBucket<[carrierId: string, ref: string, outcome: string]>(
  `UPDATE early_receipt SET node = $2, msg_id = new.msg_id, step = new.step, part = new.part
   FROM ${unnest({ ...KEY, ...PART }, 3)}
   WHERE early_receipt.bucket = $1 AND early_receipt.carrier_id = new.carrier_id
     AND early_receipt.ref = new.ref AND early_receipt.outcome = new.outcome
     AND (early_receipt.node = 0 OR (early_receipt.node = $2 AND early_receipt.msg_id = new.msg_id))
   RETURNING early_receipt.carrier_id, early_receipt.ref, early_receipt.outcome`,
)
/** Only those that no other node took since they were found; without a part they become unassigned. */
const TAKE_STRANDED = inBucket<[parkedId: number]>(
  `UPDATE early_receipt SET node = CASE WHEN new.msg_id IS NULL THEN 0 ELSE $2 END,
     msg_id = new.msg_id, step = new.step, part = new.part
   FROM ${unnest({ ...KEY, node: 'integer', ...PART }, 3)}
   WHERE early_receipt.bucket = $1 AND early_receipt.carrier_id = new.carrier_id
     AND early_receipt.ref = new.ref AND early_receipt.outcome = new.outcome AND early_receipt.node = new.node
   RETURNING early_receipt.early_receipt_id`,
)
const ASSIGNED = 'early_receipt_id, node, msg_id, step, part'
type StrandedRow = readonly [
  ...EarlyReceiptRow,
  ...CellsOf<'early_receipt', typeof ASSIGNED, { msg_id: MessageId | null; step: number; part: number }>,
]

/** The place of its id in a StrandedRow. */
const PARKED_ID = 6
const STRANDED = `${EARLY_RECEIPT_COLUMNS}, ${ASSIGNED}`
/** Between the numbers of living nodes: what dead ones left. */
const FIND_OF_DEAD = lookUp<StrandedRow>(
  `SELECT ${STRANDED}
   FROM ${unnest({ above: 'integer', below: 'integer' }, 1)}
   JOIN early_receipt ON early_receipt.node > new.above AND early_receipt.node < new.below LIMIT $3`,
)
const FIND_UNASSIGNED = lookUp<StrandedRow>(
  `SELECT ${STRANDED} FROM early_receipt
   WHERE node = 0 AND early_receipt_id > $1 ORDER BY early_receipt_id LIMIT $2`,
)
const LIVING = rare<[node: number]>('SELECT node FROM node ORDER BY node')

/** Returns what was parked under the ids of these turns, once the turns are committed; assigns it to this node. */
export function handEarlyReceipts(
  session: Session,
  turns: readonly RecordedTurn[],
  earlyReceipts: EarlyReceipt[],
): void {
  const addresses = new Map<string, ReceiptAddress>()
  const rows: Cell[][] = []
  for (const { turn } of turns) {
    for (const { carrierId, ref, step, part } of turn.refs) {
      addresses.set(`${carrierId} ${ref}`, { messageId: turn.message.id, step, part })
      rows.push([bucketOfRef(carrierId, ref), carrierId, ref])
    }
  }
  if (rows.length === 0) return
  const find = async (connection: Connection) => {
    const parked = await connection.query(connection.isSpread ? FIND_PARKED_SPREAD : FIND_PARKED, ...columnsOf(rows))
    const found = parked.flatMap((row): EarlyReceipt[] => {
      const [carrierId, ref, , , , , node, msgId] = row
      const address = addresses.get(`${carrierId} ${ref}`)
      if (address === undefined || (node !== 0 && msgId !== address.messageId)) return []
      return [toEarlyReceipt(row, address)]
    })
    earlyReceipts.push(...(await hand(connection, session.node, found)))
  }
  session.afterCommit.push((connection) => find(connection).catch(() => session.missEarlyReceipts()))
}

/** How often a node looks for stranded receipts, milliseconds: one page each time. */
const LOOK_EVERY_MS = 1_000
const MAX_NODE = 2 ** 31 - 1

/**
 * Early receipts whose ids are known by now and which no living node applies: those that a dead node was assigned, and
 * unassigned ones if a node died, or failed, between a commit and the look that follows it. The cost of a look does not
 * depend on how many receipts are parked.
 */
export class StrandedReceipts {
  readonly #node: number
  #lookedAt = Number.NEGATIVE_INFINITY
  #mayBeMoreOfDead = false
  /** The unassigned receipt at which a check of all of them has arrived; null if no check is under way. */
  #after: number | null = 0
  #checksAgain = false

  constructor(node: number) {
    this.#node = node
  }

  /** Notes that a node came or went, or that a look failed: all unassigned receipts are checked once. */
  expect(): void {
    this.#after ??= 0
    this.#checksAgain = true
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  /** When the next page should be claimed, milliseconds; null if there is none. */
  get nextLookAt(): number | null {
    return this.#mayBeMoreOfDead || this.#after !== null ? this.#lookedAt + LOOK_EVERY_MS : null
  }

  /** Returns some of them and assigns them to this node. */
  async claim(connection: Connection, now: number, limit: number): Promise<readonly EarlyReceipt[]> {
    if (Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS) return []
    this.#lookedAt = now
    const [above, below] = gapsBetween((await connection.query(LIVING)).map(([node]) => node))
    const ofDead = await connection.query(FIND_OF_DEAD, above, below, limit)
    this.#mayBeMoreOfDead = ofDead.length === limit
    const after = this.#mayBeMoreOfDead ? null : this.#after
    if (after === null) return this.#take(connection, ofDead)
    if (after === 0) this.#checksAgain = false
    const unassigned = await connection.query(FIND_UNASSIGNED, after, limit)
    const receipts = await this.#take(connection, [...ofDead, ...unassigned])
    const end = this.#checksAgain ? 0 : null
    this.#after = unassigned.length < limit ? end : (unassigned.at(-1)?.[PARKED_ID] ?? end)
    return receipts
  }

  /** Takes unassigned ones only if their ids are known; all of dead nodes, so that none is found again. */
  async #take(connection: Connection, stranded: readonly StrandedRow[]): Promise<readonly EarlyReceipt[]> {
    const known = await findAddresses(
      connection,
      stranded.map(([carrierId, ref]) => ({ carrierId, ref })),
    )
    const rows = new ByBucket<Cell[]>()
    const found = new Map<number, EarlyReceipt>()
    for (const [place, row] of stranded.entries()) {
      const [carrierId, ref, outcome, , , , parkedId, node, msgId, step, part] = row
      const address = msgId === null ? (known[place] ?? null) : { messageId: msgId, step, part }
      if (address === null && node === 0) continue
      if (address !== null) found.set(parkedId, toEarlyReceipt(row, address))
      rows.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome, node, ...partCells(address)])
    }
    const asked = rows
      .entries()
      .map(([bucket, each]) => connection.query(TAKE_STRANDED, bucket, this.#node, ...columnsOf(each)))
    const taken = (await Promise.all(asked)).flat().flatMap(([parkedId]) => found.get(parkedId) ?? [])
    await unpark(connection, taken.flatMap(copiesOf))
    return taken
  }
}

/** Returns the ranges of numbers that no living node has, as columns, both ends exclusive. */
function gapsBetween(living: readonly number[]): [above: number[], below: number[]] {
  return [
    [0, ...living],
    [...living, MAX_NODE],
  ]
}

/** Returns those assigned to this node; all of them if the outcome is unknown: a duplicate is better than a loss. */
async function hand(
  connection: Connection,
  node: number,
  found: readonly EarlyReceipt[],
): Promise<readonly EarlyReceipt[]> {
  const rows = new ByBucket<Cell[]>()
  for (const { receipt, address } of found) {
    const { carrierId, ref, outcome } = receipt
    rows.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome, ...partCells(address)])
  }
  const asked = rows.entries().map(([bucket, each]) => connection.query(HAND, bucket, node, ...columnsOf(each)))
  const removed = unpark(connection, found.flatMap(copiesOf))
  return Promise.all([Promise.all(asked), removed]).then(
    ([handed]) => {
      const mine = new Set(handed.flat().map(keyOfReceipt))
      return found.filter(({ receipt: { carrierId, ref, outcome } }) =>
        mine.has(keyOfReceipt([carrierId, ref, outcome])),
      )
    },
    () => found,
  )
}

/** Deletes unassigned receipts; returns the keys of those that were there. */
export async function unpark(connection: Connection, receipts: readonly ParkedReceipt[]): Promise<ReadonlySet<string>> {
  const rows = new ByBucket<Cell[]>()
  for (const { carrierId, ref, outcome } of receipts) rows.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome])
  const asked = rows.entries().map(([bucket, each]) => connection.query(UNPARK, bucket, ...columnsOf(each)))
  return new Set((await Promise.all(asked)).flat().map(keyOfReceipt))
}

function copiesOf({ receipt: { ref, outcome }, peers = [] }: EarlyReceipt): readonly ParkedReceipt[] {
  return peers.map((carrierId) => ({ carrierId, ref, outcome }))
}

function partCells(address: ReceiptAddress | null): readonly Cell[] {
  return address === null ? [null, null, null] : [address.messageId, address.step, address.part]
}

/** The identity of a parked receipt. */
export function keyOfReceipt([carrierId, ref, outcome]: readonly [string, string, string]): string {
  return JSON.stringify([carrierId, ref, outcome])
}
