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
type StrandedRow = [...EarlyReceiptRow, parkedId: number, node: number]

/** Between the numbers of living nodes: what dead ones left. */
const FIND_OF_DEAD = lookUp<StrandedRow>(
  `SELECT ${EARLY_RECEIPT_COLUMNS}, early_receipt_id, node
   FROM ${unnest({ above: 'integer', below: 'integer' }, 1)}
   JOIN early_receipt ON early_receipt.node > new.above AND early_receipt.node < new.below LIMIT $3`,
)
const FIND_UNASSIGNED = lookUp<StrandedRow>(
  `SELECT ${EARLY_RECEIPT_COLUMNS}, early_receipt_id, node FROM early_receipt
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
  const find = async (link: Link) => {
    const parked = await link.query(link.isSpread ? FIND_PARKED_SPREAD : FIND_PARKED, ...columnsOf(rows))
    const handed = await hand(link, session.node, parked)
    for (const row of parked) {
      const address = addresses.get(`${row[0]} ${row[1]}`)
      if (address !== undefined && handed.has(keyOf(row))) earlyReceipts.push({ receipt: toReceipt(row), address })
    }
  }
  session.afterCommit.push((link) => find(link).catch(() => session.missEarlyReceipts()))
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
  async claim(link: Link, now: number, limit: number): Promise<readonly EarlyReceipt[]> {
    if (Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS) return []
    this.#lookedAt = now
    const [above, below] = gapsBetween((await link.query(LIVING)).map(([node]) => node))
    const ofDead = await link.query(FIND_OF_DEAD, above, below, limit)
    this.#mayBeMoreOfDead = ofDead.length === limit
    const after = this.#mayBeMoreOfDead ? null : this.#after
    if (after === null) return this.#take(link, ofDead)
    if (after === 0) this.#checksAgain = false
    const unassigned = await link.query(FIND_UNASSIGNED, after, limit)
    const receipts = await this.#take(link, [...ofDead, ...unassigned])
    const end = this.#checksAgain ? 0 : null
    this.#after = unassigned.length < limit ? end : (unassigned.at(-1)?.[5] ?? end)
    return receipts
  }

  /** Takes unassigned ones only if their ids are known; all of dead nodes, so that none is found again. */
  async #take(link: Link, stranded: readonly StrandedRow[]): Promise<readonly EarlyReceipt[]> {
    const receipts = stranded.map(([carrierId, ref]) => ({ carrierId, ref }))
    const addresses = await findAddresses(link, receipts)
    const rows = new ByBucket<Cell[]>()
    for (const [place, [carrierId, ref, outcome, , , , node]] of stranded.entries()) {
      if (addresses[place] === null && node === 0) continue
      rows.add(bucketOfRef(carrierId, ref), [carrierId, ref, outcome, node])
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

/** Returns the ranges of numbers that no living node has, as columns, both ends exclusive. */
function gapsBetween(living: readonly number[]): [above: number[], below: number[]] {
  return [
    [0, ...living],
    [...living, MAX_NODE],
  ]
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
