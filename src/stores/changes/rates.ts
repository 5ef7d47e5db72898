/**
 * Rules of rates, which prices and costs are: at most one is valid for the same at a time. Every change of a list of
 * rates raises its revision, by which a gateway knows whether its list is current.
 */
import { type Rate, type RateKind, refuseOverlap, searchOverlap } from '../../domain/money/rate.ts'
import type { RowTable } from '../rows/cells/table.ts'
import type { LongList } from '../rows/sealing/seal-secrets.ts'
import { LONG_LISTS } from '../rows/setup/directory-tables.ts'
import { find, findItems, inPauses, nameOfRow, putItems, type Rule, refuse, slicesOf, updateRow } from './row-step.ts'

/** A rate that starts with one of them is replaced by it; afterwards, none may overlap another. */
export function* putRates<T extends Rate>(
  table: RowTable<T, T, never>,
  kind: RateKind<T>,
  rates: readonly T[],
): Rule<null> {
  const nameOfRate = (rate: T) => nameOfRow(table.toKey(rate as never), table.key)
  const [stored, wanted] = [new Map<string, T>(), new Map<string, T>()]
  for (const slice of slicesOf(rates)) {
    // Those of all times, which are many for each number.
    const destinations = slice.map((rate) => {
      const { valid_from: _, ...rest } = table.toKey(rate as never)
      return [JSON.stringify(rest), rest] as const
    })
    for (const rate of yield* findItems(table, [...new Map(destinations).values()])) stored.set(nameOfRate(rate), rate)
    for (const rate of slice) wanted.set(nameOfRate(rate), rate)
  }
  yield* refuseOverlaps(kind, [...new Map([...stored, ...wanted]).values()])
  return yield* putItems(table, [...wanted.values()])
}

export function* refuseOverlaps<T extends Rate>(kind: RateKind<T>, rates: readonly T[]): Rule<null> {
  const overlap = yield* inPauses(searchOverlap(kind, rates))
  return overlap === null ? null : refuse(refuseOverlap(kind, overlap))
}

export function* raiseRevision(list: LongList): Rule<null> {
  const { revision: column } = LONG_LISTS[list]
  const [meta] = yield* find('meta', { one: 1 }, [column])
  yield* updateRow('meta', { [column]: Number(meta?.[column]) + 1 }, { one: 1 })
  return null
}
