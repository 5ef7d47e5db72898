/**
 * Prices on their way between the threads, as JSON texts of a thousand each. A thread copies a text at once, but an
 * object or array takes it microseconds: a whole tariff of them would stop the event loop for seconds.
 */
import type { Price } from '../../../domain/money/price.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { runInSlices, SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { readPrice } from '../../rows/setup/directory-tables.ts'

/** JSON arrays. */
export type Pieces = readonly string[]

/** A change whose tariffs have no prices, and their prices by the place of the tariff in the change. */
export interface PackedChange {
  readonly change: Change
  readonly prices: ReadonlyMap<number, Pieces>
}

/** Returns at once what has no tariff, so that it keeps its place before later commands. */
export function packChange(change: Change): PackedChange | Promise<PackedChange> {
  const hasTariff = change.kind === 'all' && change.changes.some(({ kind }) => kind === 'set tariff')
  return hasTariff ? packTariffs(change) : { change, prices: new Map() }
}

async function packTariffs(change: Extract<Change, { kind: 'all' }>): Promise<PackedChange> {
  const prices = new Map<number, Pieces>()
  const changes = []
  for (const [place, each] of change.changes.entries()) {
    if (each.kind !== 'set tariff') {
      changes.push(each)
    } else {
      prices.set(place, await runInSlices(inPieces(each.prices)))
      changes.push({ ...each, prices: [] })
    }
  }
  return { change: { ...change, changes }, prices }
}

export function unpackChange({ change, prices }: PackedChange): Change {
  if (change.kind !== 'all' || prices.size === 0) return change
  const changes = change.changes.map((each, place) => {
    const pieces = prices.get(place)
    return each.kind === 'set tariff' && pieces !== undefined ? { ...each, prices: joined<Price>(pieces) } : each
  })
  return { ...change, changes }
}

export function packRows(rows: readonly (readonly Cell[])[]): Pieces {
  const work = inPieces(rows)
  let next = work.next()
  while (next.done !== true) next = work.next()
  return next.value
}

/** Reads one piece in each turn of the event loop. */
export function readPrices(pieces: Pieces): Promise<readonly Price[]> {
  return runInSlices(pricesOf(pieces))
}

function* pricesOf(pieces: Pieces): SlicedWork<readonly Price[]> {
  const prices: Price[] = []
  for (const piece of pieces) {
    for (const row of JSON.parse(piece) as readonly (readonly Cell[])[]) prices.push(readPrice(row))
    yield
  }
  return prices
}

function* inPieces(items: readonly unknown[]): SlicedWork<Pieces> {
  const pieces: string[] = []
  for (let at = 0; at < items.length; at += SLICE_ITEMS) {
    pieces.push(JSON.stringify(items.slice(at, at + SLICE_ITEMS)))
    yield
  }
  return pieces
}

function joined<T>(pieces: Pieces): readonly T[] {
  return pieces.flatMap((piece) => JSON.parse(piece) as readonly T[])
}
