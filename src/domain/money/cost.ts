/** Costs: what carriers charge us for one part. They order routes and give the margin of each charge. */
import type { Amount } from './ledger.ts'
import { NO_MONEY } from './money.ts'
import { describeNumbers, eachInSlices, type Rate, type RatedNumber, type RateKind, RateTable } from './rate.ts'

/**
 * Unique by carrier, category, prefix and operator at any time. A cost of the category wins over one for every
 * category; then one for the operator wins over any prefix, and the longest prefix wins.
 */
export interface Cost extends Rate {
  readonly carrierId: string
  /** The billing category in the carrier's receipts, such as `utility`; null for every category. */
  readonly category: string | null
  /** ISO 4217; null for the currency of the installation. */
  readonly currency: string | null
}

export type CostKey = Pick<Cost, 'carrierId' | 'category' | 'prefix' | 'operator' | 'from'>

/** The category of a part that its carrier does not bill. */
export const FREE_CATEGORY = 'free'

export function isCategory(word: string): boolean {
  return /^[\w-]{1,64}$/.test(word)
}

/** Describes what the cost is for: `acme 49… of operator 26201`, `meta utility 49…`. */
export function describeCost({ carrierId, category, prefix, operator }: Omit<CostKey, 'from'>): string {
  return `${nameTable(carrierId, category)} ${describeNumbers(prefix, operator)}`
}

/** At most one is valid for the same at a time. */
export const COST_KIND: RateKind<Cost> = { what: 'cost', describe: describeCost }

/** Neither contains a space. */
function nameTable(carrierId: string, category: string | null): string {
  return category === null ? carrierId : `${carrierId} ${category}`
}

/** What a part is billed as, and when. */
export interface CostTerms {
  /** Null if the carrier named none. */
  readonly category: string | null
  /** Milliseconds since 1970: the cost that is valid then. */
  readonly at: number
}

export class CostTable {
  readonly #tables = new Map<string, RateTable<Cost>>()

  constructor(costs: readonly Cost[]) {
    for (const cost of costs) this.#add(cost)
  }

  /** Returns the table of the costs; yields after each slice of the work. */
  static *build(costs: readonly Cost[]): Generator<undefined, CostTable> {
    const table = new CostTable([])
    yield* eachInSlices(costs, (cost) => table.#add(cost))
    return table
  }

  #add(cost: Cost): void {
    const name = nameTable(cost.carrierId, cost.category)
    const table = this.#tables.get(name) ?? new RateTable()
    table.add(cost)
    this.#tables.set(name, table)
  }

  /** Returns null if no cost is set. Without a category, only costs for every category apply. */
  find(carrierId: string, number: RatedNumber, { category, at }: CostTerms): Cost | null {
    const ofCategory = category === null ? null : this.#tables.get(nameTable(carrierId, category))?.find(number, at)
    return ofCategory ?? this.#tables.get(carrierId)?.find(number, at) ?? null
  }

  /** Returns the carrier's charge for one part; `currency` applies to costs that name none. Null if no cost is set. */
  amount(carrierId: string, number: RatedNumber, about: CostTerms & { readonly currency: string }): Amount | null {
    const cost = this.find(carrierId, number, about)
    const currency = cost?.currency ?? about.currency
    if (about.category === FREE_CATEGORY) return { micros: NO_MONEY, currency }
    return cost === null ? null : { micros: cost.priceMicros, currency }
  }
}

/** The carrier's charge for one part to a number; null if unknown. */
export type CostOf = (carrierId: string, number: RatedNumber, terms: CostTerms) => Amount | null
