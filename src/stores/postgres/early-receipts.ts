/**
 * Receipts that arrived before the ids of their parts were known. A node that records an id commits it and then looks
 * for receipts; a node that gets a receipt parks it and then looks for its id again: so one of them sees the other, and
 * no transaction needs the rows of both.
 */
import type { MessageId } from '../../domain/message-id.ts'
import type { CarrierReceipt } from '../../ports/carrier.ts'
import type { RecordedTurn } from '../../ports/delivery-store.ts'
import type { EarlyReceipt, ReceiptAddress } from '../../ports/receipt-address.ts'
import type { Cell } from '../rows/cell.ts'
import { EARLY_RECEIPT_COLUMNS, type EarlyReceiptRow, toReceipt } from '../rows/early-receipt.ts'
import { bucketOfRef } from './bucket-of.ts'
import { ByBucket } from './by-bucket.ts'
import type { Link } from './link.ts'
import { columnsOf, type Session } from './session.ts'
import { inBucket, lookUp, rare, unnest } from './statement.ts'

const PARKED = `SELECT ${EARLY_RECEIPT_COLUMNS} FROM early_receipt
   JOIN ${unnest({ bucket: 'smallint', carrier_id: 'text', ref: 'text' }, 1)} USING (bucket, carrier_id, ref)`
const FIND_PARKED = lookUp<EarlyReceiptRow>(`${PARKED} ORDER BY early_receipt_id`)
/** For distributed tables, so that only the servers of these buckets are queried; elsewhere its plans are worse. */
const FIND_PARKED_SPREAD = lookUp<EarlyReceiptRow>(
  `${PARKED} WHERE early_receipt.bucket = ANY ($1) ORDER BY early_receipt_id`,
)
/** The newest part under each carrier id. */
const FIND_REFS = lookUp<[place: number, msgId: MessageId, step: number, part: number]>(
  `SELECT DISTINCT ON (new.place) new.place, part_ref.msg_id, part_ref.step, part_ref.part FROM part_ref
   JOIN ${unnest({ place: 'integer', carrier_id: 'text', ref: 'text' }, 1)} USING (carrier_id, ref)
   ORDER BY new.place, part_ref.msg_id DESC, part_ref.step DESC, part_ref.part DESC`,
)
/** Unless another node has it: one that found its id when it parked it (match-receipts.ts), or claimed it. */
const HAND = inBucket<[carrierId: string, ref: string, outcome: string]>(
  `UPDATE early_receipt SET node = $2
   FROM ${unnest({ carrier_id: 'text', ref: 'text', outcome: 'text' }, 3)}
   WHERE early_receipt.bucket = $1 AND early_receipt.carrier_id = new.carrier_id
     AND early_receipt.ref = new.ref AND early_receipt.outcome = new.outcome
     AND (early_receipt.node = 0 OR early_receipt.node = $2)
   RETURNING early_receipt.carrier_id, early_receipt.ref, early_receipt.outcome`,
)
/** Only those that no other node took since they were found. */
const TAKE_STRANDED = inBucket<[parkedId: number]>(
  `UPDATE early_receipt SET node = $2
   FROM ${unnest({ carrier_id: 'text', ref: 'text', outcome: 'text', node: 'integer' }, 3)}
   WHERE early_receipt.bucket = $1 AND early_receipt.carrier_id = new.carrier_id
     AND early_receipt.ref = new.ref AND early_receipt.outcome = new.outcome AND early_receipt.node = new.node
   RETURNING early_receipt.early_receipt_id`,
)
/** Receipts assigned to no node or to a dead one. */
const FIND_STRANDED = rare<[...EarlyReceiptRow, parkedId: number, node: number]>(
  `SELECT ${EARLY_RECEIPT_COLUMNS}, early_receipt_id, node FROM early_receipt
   WHERE early_receipt_id > $1 AND node NOT IN (SELECT node FROM node) ORDER BY early_receipt_id LIMIT $2`,
)

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
  session.afterCommit.push(async (link) => {
    const parked = await link.query(link.isSpread ? FIND_PARKED_SPREAD : FIND_PARKED, ...columnsOf(rows))
    const handed = await hand(link, session.node, parked)
    for (const row of parked) {
      const address = addresses.get(`${row[0]} ${row[1]}`)
      if (address !== undefined && handed.has(keyOf(row))) earlyReceipts.push({ receipt: toReceipt(row), address })
    }
  })
}

/** Returns the addresses of receipts, in their order; null if the id is unknown. */
export async function findAddresses(
  link: Link,
  receipts: readonly Pick<CarrierReceipt, 'carrierId' | 'ref'>[],
): Promise<(ReceiptAddress | null)[]> {
  const addresses: (ReceiptAddress | null)[] = receipts.map(() => null)
  if (receipts.length === 0) return addresses
  const rows = receipts.map(({ carrierId, ref }, place) => [place, carrierId, ref])
  for (const [place, msgId, step, part] of await link.query(FIND_REFS, ...columnsOf(rows))) {
    addresses[place] = { messageId: msgId, step, part }
  }
  return addresses
}

/** How often a node looks for them, milliseconds: only a crash leaves any. */
const LOOK_EVERY_MS = 1_000

/** Receipts whose ids are known by now and which are assigned to no living node. */
export class StrandedReceipts {
  readonly #node: number
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Where the last look ended and the next continues. */
  #after = 0

  constructor(node: number) {
    this.#node = node
  }

  /** Returns some of them and assigns them to this node. */
  async claim(link: Link, now: number, most: number): Promise<readonly EarlyReceipt[]> {
    if (this.#after === 0 && Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS) return []
    const stranded = await link.query(FIND_STRANDED, this.#after, most)
    this.#lookedAt = now
    this.#after = stranded.length < most ? 0 : (stranded.at(-1)?.[5] ?? 0)
    const receipts = stranded.map(([carrierId, ref]) => ({ carrierId, ref }))
    const addresses = await findAddresses(link, receipts)
    const rows = new ByBucket<Cell[]>()
    for (const [place, [carrierId, ref, outcome, , , , node]] of stranded.entries()) {
      if (addresses[place] !== null) rows.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome, node])
    }
    const taken = await Promise.all(
      rows.entries().map(([bucket, each]) => link.query(TAKE_STRANDED, bucket, this.#node, ...columnsOf(each))),
    )
    const mine = new Set(taken.flat().map(([parkedId]) => parkedId))
    return stranded.flatMap(([carrierId, ref, outcome, detail, category, parkedId], place) => {
      const address = addresses[place] ?? null
      const receipt = toReceipt([carrierId, ref, outcome, detail, category])
      return address === null || !mine.has(parkedId) ? [] : [{ receipt, address }]
    })
  }
}

/** Returns those assigned to this node; all of them if the outcome is unknown: a duplicate is better than a loss. */
async function hand(link: Link, node: number, parked: readonly EarlyReceiptRow[]): Promise<ReadonlySet<string>> {
  const rows = new ByBucket<Cell[]>()
  for (const [carrierId, ref, outcome] of parked) rows.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome])
  const asked = rows.entries().map(([bucket, each]) => link.query(HAND, bucket, node, ...columnsOf(each)))
  return Promise.all(asked).then(
    (handed) => new Set(handed.flat().map(keyOf)),
    () => new Set(parked.map(keyOf)),
  )
}

/** The identity of a parked receipt. */
export function keyOf([carrierId, ref, outcome]: readonly [string, string, string, ...unknown[]]): string {
  return JSON.stringify([carrierId, ref, outcome])
}
