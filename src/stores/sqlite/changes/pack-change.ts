/** Long lists of prices and costs in pieces, on their way between the threads. */
import type { Cost } from '../../../domain/money/cost.ts'
import type { Price } from '../../../domain/money/price.ts'
import type { RoutingChange } from '../../../ports/changes/routing-change.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { runInSlices } from '../../../ports/system/slices.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { inPieces, type Pieces } from '../../rows/cells/pieces.ts'

/** A change whose long lists are empty, and these lists by the place of their change within it. */
export interface PackedChange {
  readonly change: Change
  readonly lists: ReadonlyMap<number, Pieces>
}

/** Returns at once what has no long list, so that it keeps its place before later commands. */
export function packChange(change: Change): PackedChange | Promise<PackedChange> {
  const isLong = change.kind === 'all' && change.changes.some((each) => listOf(each) !== null)
  return isLong ? packLists(change) : { change, lists: new Map() }
}

async function packLists(change: Extract<Change, { kind: 'all' }>): Promise<PackedChange> {
  const lists = new Map<number, Pieces>()
  const changes = []
  for (const [place, each] of change.changes.entries()) {
    const list = listOf(each)
    if (list !== null) lists.set(place, await runInSlices(inPieces(list)))
    changes.push(withList(each, []))
  }
  return { change: { ...change, changes }, lists }
}

export function unpackChange({ change, lists }: PackedChange): Change {
  if (change.kind !== 'all' || lists.size === 0) return change
  const changes = change.changes.map((each, place) => {
    const items = (lists.get(place) ?? []).flatMap((piece) => JSON.parse(piece) as readonly unknown[])
    return withList(each, items)
  })
  return { ...change, changes }
}

function listOf(change: RoutingChange): readonly unknown[] | null {
  if (change.kind === 'set tariff') return change.prices
  return change.kind === 'set costs' ? change.costs : null
}

function withList(change: RoutingChange, items: readonly unknown[]): RoutingChange {
  if (change.kind === 'set tariff') return { ...change, prices: items as readonly Price[] }
  return change.kind === 'set costs' ? { ...change, costs: items as readonly Cost[] } : change
}

export function packRows(rows: readonly (readonly Cell[])[]): Pieces {
  const work = inPieces(rows)
  let next = work.next()
  while (next.done !== true) next = work.next()
  return next.value
}
