/** Costs: what carriers charge us for one part. They order routes and give the margin of each charge. */
import type { Amount, Charge } from './ledger.ts'
import { NO_MONEY, toMicros } from './money.ts'
import { describeNumbers, MAX_RATE, type Rate, type RatedNumber, RateTable, UNLIMITED } from './rate-table.ts'
import type { Turn } from './turn.ts'

/**
 * Identified by carrier, category, prefix and operator. A cost of the category wins over one for every category; then
 * one for the operator wins over any prefix, and the longest prefix wins.
 */
export interface Cost extends Pick<Rate, 'prefix' | 'operator' | 'priceMicros'> {
  readonly carrierId: string
  /** The billing category in the carrier's receipts, such as `utility`; null for every category. */
  readonly category: string | null
  /** ISO 4217; null for the currency of the installation. */
  readonly currency: string | null
}

export type CostKey = Pick<Cost, 'carrierId' | 'category' | 'prefix' | 'operator'>

/** The category of a part that its carrier does not bill. */
export const FREE_CATEGORY = 'free'

export function isCategory(word: string): boolean {
  return /^[\w-]{1,64}$/.test(word)
}

/** Describes what the cost is for: `acme 49… of operator 26201`, `meta utility 49…`. */
export function describeCost({ carrierId, category, prefix, operator }: CostKey): string {
  return `${nameTable(carrierId, category)} ${describeNumbers(prefix, operator)}`
}

/** Neither contains a space. */
function nameTable(carrierId: string, category: string | null): string {
  return category === null ? carrierId : `${carrierId} ${category}`
}

export class CostTable {
  readonly #tables = new Map<string, RateTable<Cost & Rate>>()

  constructor(costs: readonly Cost[]) {
    for (const cost of costs) {
      const name = nameTable(cost.carrierId, cost.category)
      const table = this.#tables.get(name) ?? new RateTable()
      table.add({ ...cost, ...UNLIMITED, operator: cost.operator })
      this.#tables.set(name, table)
    }
  }

  /** Returns null if no cost is set. Without a category, only costs for every category apply. */
  find(carrierId: string, number: RatedNumber, category: string | null = null): Cost | null {
    const ofCategory = category === null ? null : this.#tables.get(nameTable(carrierId, category))?.find(number, 0)
    return ofCategory ?? this.#tables.get(carrierId)?.find(number, 0) ?? null
  }

  /** Returns the carrier's charge for one part; `currency` applies to costs that name none. Null if no cost is set. */
  amount(carrierId: string, number: RatedNumber, about: { category: string | null; currency: string }): Amount | null {
    const cost = this.find(carrierId, number, about.category)
    const currency = cost?.currency ?? about.currency
    if (about.category === FREE_CATEGORY) return { micros: NO_MONEY, currency }
    return cost === null ? null : { micros: cost.priceMicros, currency }
  }
}

/** The carrier's charge for one part of a category to a number; null if unknown. */
export type CostOf = (carrierId: string, number: RatedNumber, category: string | null) => Amount | null

/** Returns the turn with the cost of its charges. A message is charged once and has each channel once. */
export function withCost(turn: Turn, costOf: CostOf): Turn {
  const { postings, message } = turn
  if (!postings.some(({ charge }) => charge !== undefined)) return turn
  return {
    ...turn,
    postings: postings.map((posting) => {
      const { charge } = posting
      return charge === undefined
        ? posting
        : { ...posting, charge: { ...charge, cost: costOfStep(message, charge, costOf) } }
    }),
  }
}

/**
 * Sums the cost of all parts, each at the carrier that took it; null if one is unknown, or too high to be summed, or
 * the currencies differ.
 */
function costOfStep(message: Turn['message'], { channel, carrierId }: Charge, costOf: CostOf): Amount | null {
  const step = message.plan.findIndex((each) => each.channel === channel)
  const parts = message.journey.steps[step]?.parts ?? []
  const costs = parts.map((part) => {
    const taker = part.carrierId ?? carrierId
    return taker === null ? null : costOf(taker, message, part.category ?? null)
  })
  const currency = costs[0]?.currency
  if (currency === undefined) return null
  let total = 0
  for (const cost of costs) {
    if (cost?.currency !== currency || cost.micros > MAX_RATE) return null
    total += cost.micros
  }
  return { micros: toMicros(total), currency }
}
