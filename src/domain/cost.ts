/** Costs: what carriers take from us for one part. They order routes and show the margin of each charge. */
import type { Amount, Charge } from './ledger.ts'
import { toMicros } from './money.ts'
import { describeNumbers, type Rate, type RatedNumber, RateTable, UNLIMITED } from './rate-table.ts'
import type { Turn } from './turn.ts'

/** Known by its carrier, prefix and operator. One for the operator goes before any prefix, and the longest prefix wins. */
export interface Cost extends Pick<Rate, 'prefix' | 'operator' | 'priceMicros'> {
  readonly carrierId: string
  /** ISO 4217; null for the currency of the installation. */
  readonly currency: string | null
}

export type CostKey = Pick<Cost, 'carrierId' | 'prefix' | 'operator'>

/** What the cost is for, in words: `acme 49… of operator 26201`. */
export function describeCost({ carrierId, prefix, operator }: CostKey): string {
  return `${carrierId} ${describeNumbers(prefix, operator)}`
}

export class CostTable {
  readonly #tables = new Map<string, RateTable<Cost & Rate>>()

  constructor(costs: readonly Cost[]) {
    for (const cost of costs) {
      const table = this.#tables.get(cost.carrierId) ?? new RateTable()
      table.add({ ...cost, ...UNLIMITED, operator: cost.operator })
      this.#tables.set(cost.carrierId, table)
    }
  }

  /** Null when nobody has said what it is. */
  find(carrierId: string, number: RatedNumber): Cost | null {
    return this.#tables.get(carrierId)?.find(number, 0) ?? null
  }
}

/** What a carrier takes for one part to a number; null when nobody knows. */
export type CostOf = (carrierId: string, number: RatedNumber) => Amount | null

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
  const carriers = message.journey.steps[step]?.parts.map((part) => part.carrierId ?? carrierId) ?? []
  const costs = carriers.map((each) => (each === null ? null : costOf(each, message)))
  const currency = costs[0]?.currency
  if (currency === undefined) return null
  let total = 0
  for (const cost of costs) {
    if (cost?.currency !== currency) return null
    total += cost.micros
  }
  return { micros: toMicros(total), currency }
}
