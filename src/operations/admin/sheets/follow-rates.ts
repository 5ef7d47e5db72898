/** What follows from new rates: earlier ones end where they begin; in a complete list, also what it does not name. */
import { isValid, type Rate, type RateKind } from '../../../domain/money/rate.ts'
import { SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'
import type { FindPaid } from './paid-rates.ts'

/** In the order in which a preview shows them. */
export const RATE_EFFECTS = ['raised', 'lowered', 'added', 'ended'] as const
type RateEffect = (typeof RATE_EFFECTS)[number]

export interface RateChange<T> {
  readonly effect: RateEffect
  /** No rate was valid before for exactly the same. */
  readonly isNew: boolean
  /** The rate that the numbers had before, also one for more numbers; null for none. */
  readonly before: T | null
  /** Null for one that ends. */
  readonly after: T | null
}

export interface FollowedRates<T> {
  /** All rates afterwards. */
  readonly rates: readonly T[]
  /** By effect, in each the largest rises first. */
  readonly changes: readonly RateChange<T>[]
  /** New rates whose amount is valid already. */
  readonly unchanged: number
  /** Rates that a complete list does not end, because it names them without an amount. */
  readonly kept: number
}

interface FollowOptions<T extends Rate> {
  /** The list is complete: what it does not name ends then, and what was set for later goes. Null keeps both. */
  readonly endOthersAt: number | null
  /** Descriptions of what the list names without an amount. */
  readonly unrated: ReadonlySet<string>
  /** Of the stored rates, and of lists that apply where they have none. */
  readonly paid: FindPaid<T>
}

/**
 * `wanted` have a beginning and no end; of the same numbers, each ends the one before it. Without `endOthersAt`, they
 * end where a rate begins that was set for later.
 */
export function* followRates<T extends Rate>(
  kind: RateKind<T>,
  stored: readonly T[],
  wanted: readonly (T & { readonly from: number })[],
  { endOthersAt, unrated, paid }: FollowOptions<T>,
): SlicedWork<FollowedRates<T>> {
  const named = new Set(wanted.map((rate) => kind.describe(rate)))
  const isKept = (name: string) => unrated.has(name) && !named.has(name)
  const isLater = ({ from }: T) => endOthersAt !== null && from !== null && from >= endOthersAt
  yield
  const following = stored.filter((rate) => !isLater(rate) || isKept(kind.describe(rate)))
  const byName = new Map<string, readonly T[]>(Map.groupBy(following, (rate) => kind.describe(rate)))
  const changes: RateChange<T>[] = []
  let unchanged = 0
  for (const [index, rate] of wanted.toSorted((a, b) => a.from - b.from).entries()) {
    if (index % SLICE_ITEMS === SLICE_ITEMS - 1) yield
    const name = kind.describe(rate)
    const same = byName.get(name) ?? []
    const followed = follow(same, rate)
    byName.set(name, followed.rates)
    if (followed.isUnchanged) unchanged += 1
    else changes.push(changeOf(followed, paid(rate, rate.from)))
  }
  let kept = 0
  if (endOthersAt !== null) {
    for (const [name, same] of byName) {
      if (isKept(name)) kept += same.filter(({ until }) => until === null || until > endOthersAt).length
      else if (!named.has(name)) byName.set(name, endAt(same, endOthersAt, changes))
    }
    yield
    const begins = new Set(wanted.map((rate) => `${rate.from} ${kind.describe(rate)}`))
    const gone = stored.filter((rate) => {
      const name = kind.describe(rate)
      return isLater(rate) && !isKept(name) && !begins.has(`${rate.from} ${name}`)
    })
    changes.push(...gone.map((before) => ({ effect: 'ended', isNew: false, before, after: null }) as const))
  }
  yield
  return { rates: [...byName.values()].flat(), changes: changes.toSorted(byEffect), unchanged, kept }
}

function follow<T extends Rate>(same: readonly T[], rate: T & { readonly from: number }) {
  const before = same.find((each) => isValid(each, rate.from)) ?? null
  const later = same.flatMap(({ from }) => (from !== null && from > rate.from ? [from] : []))
  const after = { ...rate, until: later.length === 0 ? null : Math.min(...later) }
  const isUnchanged = before !== null && isSameAmount(before, rate)
  if (isUnchanged && before.until === after.until) return { rates: same, before, after, isUnchanged }
  const others = same.filter((each) => each !== before)
  // One with the same beginning is replaced.
  const ended = before === null || before.from === rate.from ? [] : [{ ...before, until: rate.from }]
  return { rates: [...others, ...ended, after], before, after, isUnchanged }
}

/** `paid` is what its numbers had before if they had no rate of their own. */
function changeOf<T extends Rate>(
  { before, after }: { readonly before: T | null; readonly after: T },
  paid: T | null,
): RateChange<T> {
  if (before !== null) return { effect: effectOf(before, after), isNew: false, before, after }
  const isAdded = paid === null || isSameAmount(paid, after) || currencyOf(paid) !== currencyOf(after)
  return { effect: isAdded ? 'added' : effectOf(paid, after), isNew: true, before: paid, after }
}

function endAt<T extends Rate>(same: readonly T[], at: number, changes: RateChange<T>[]): readonly T[] {
  return same.map((rate) => {
    if (!isValid(rate, at)) return rate
    changes.push({ effect: 'ended', isNew: false, before: rate, after: null })
    return { ...rate, until: at }
  })
}

/** Costs have a currency each. */
function isSameAmount<T extends Rate>(one: T, other: T): boolean {
  return one.priceMicros === other.priceMicros && currencyOf(one) === currencyOf(other)
}

function currencyOf(rate: Rate): unknown {
  return 'currency' in rate ? rate.currency : undefined
}

function effectOf(before: Rate, after: Rate): RateEffect {
  return after.priceMicros >= before.priceMicros ? 'raised' : 'lowered'
}

function byEffect(a: RateChange<Rate>, b: RateChange<Rate>): number {
  const order = RATE_EFFECTS.indexOf(a.effect) - RATE_EFFECTS.indexOf(b.effect)
  if (order !== 0 || a.before === null || b.before === null) return order
  return riseOf(b) - riseOf(a)
}

/** How many times the amount before. */
export function riseOf({ before, after }: RateChange<Rate>): number {
  const [was, is] = [before?.priceMicros ?? 0, after?.priceMicros ?? 0]
  return was === 0 ? is : is / was
}
