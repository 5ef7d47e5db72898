/** What a tariff file adds, changes and removes, as counts and as the first lines of a list. */
import { writeDecimal } from '../../../domain/money/money.ts'
import { describePrice, type Price, type PriceKey } from '../../../domain/money/price.ts'
import { describeValidity } from '../../../domain/money/rate.ts'
import { runInSlices, SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'

/** Maximum lines of the list: a tariff may have hundreds of thousands of prices. */
const MAX_LINES = 20

export interface TariffDifference {
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** The first lines, as `config apply` writes them. */
  readonly lines: readonly string[]
}

/** By key and start. */
export type PriceMap = ReadonlyMap<string, Price>

export function keyOfPrice({ channel, prefix, operator, from }: PriceKey): string {
  return `${channel} ${prefix} ${operator ?? ''} ${from ?? ''}`
}

/** Compares two tariffs of the same owner and currency. */
export function compareTariffs(before: PriceMap, after: PriceMap): Promise<TariffDifference> {
  return runInSlices(compare(before, after))
}

function* compare(before: PriceMap, after: PriceMap): SlicedWork<TariffDifference> {
  const counts = { added: 0, changed: 0, removed: 0 }
  const lines: string[] = []
  const note = (kind: keyof typeof counts, write: () => string) => {
    counts[kind] += 1
    if (lines.length < MAX_LINES) lines.push(write())
  }
  let compared = 0
  for (const [key, price] of before) {
    if (!after.has(key)) note('removed', () => `- ${describe(price)}`)
    compared += 1
    if (compared % SLICE_ITEMS === 0) yield
  }
  for (const [key, price] of after) {
    const old = before.get(key)
    if (old === undefined) note('added', () => `+ ${describe(price)}`)
    else if (old.priceMicros !== price.priceMicros || old.until !== price.until) {
      note('changed', () => `~ ${describe(old)} → ${amountOf(price)}`)
    }
    compared += 1
    if (compared % SLICE_ITEMS === 0) yield
  }
  return { ...counts, lines }
}

function describe(price: Price): string {
  return `${describePrice(price)}: ${amountOf(price)}`
}

function amountOf(price: Price): string {
  const validity = price.from === null && price.until === null ? '' : ` ${describeValidity(price)}`
  return `${writeDecimal(price.priceMicros)}${validity}`
}
