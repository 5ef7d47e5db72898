/** Costs: what carriers take from us for one part. They order routes and show the margin of each charge. */
import type { Amount, Charge } from './ledger.ts'
import { NO_MONEY, toMicros } from './money.ts'
import { describeNumbers, type Rate, type RatedNumber, RateTable, UNLIMITED } from './rate-table.ts'
import type { Turn } from './turn.ts'

/**
 * Known by its carrier, category, prefix and operator. A cost of the category goes before one of every category; then one
 * for the operator goes before any prefix, and the longest prefix wins.
 */
export interface Cost extends Pick<Rate, 'prefix' | 'operator' | 'priceMicros'> {
  readonly carrierId: string
  /** What the carrier says in its receipts that it bills a part as, such as `utility`; null for every category. */
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

/** What the cost is for, in words: `acme 49… of operator 26201`, `meta utility 49…`. */
export function describeCost({ carrierId, category, prefix, operator }: CostKey): string {
  return `${nameTable(carrierId, category)} ${describeNumbers(prefix, operator)}`
}

/** Neither of them has a space. */
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

  /** Null when nobody has said what it is. Without a category, only costs of every category count. */
  find(carrierId: string, number: RatedNumber, category: string | null = null): Cost | null {
    const ofCategory = category === null ? null : this.#tables.get(nameTable(carrierId, category))?.find(number, 0)
    return ofCategory ?? this.#tables.get(carrierId)?.find(number, 0) ?? null
  }

  /** What the carrier takes for one part; `currency` is that of costs which name none. Null when nobody has said. */
  amount(carrierId: string, number: RatedNumber, about: { category: string | null; currency: string }): Amount | null {
    const cost = this.find(carrierId, number, about.category)
    const currency = cost?.currency ?? about.currency
    if (about.category === FREE_CATEGORY) return { micros: NO_MONEY, currency }
    return cost === null ? null : { micros: cost.priceMicros, currency }
  }
}

/** What a carrier takes for one part of a category to a number; null when nobody knows. */
export type CostOf = (carrierId: string, number: RatedNumber, category: string | null) => Amount | null

/** The turn with the cost of what it charges. A message is charged once and has each channel once. */
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

/** Of all parts, each at the carrier that took it; null when it is not known of one, or not in one currency. */
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
    if (cost?.currency !== currency) return null
    total += cost.micros
  }
  return { micros: toMicros(total), currency }
}
