/** The cost of what a turn charges, by what carriers charge us. */
import type { CostOf } from '../money/cost.ts'
import type { Amount, Charge } from '../money/ledger.ts'
import { toMicros } from '../money/money.ts'
import { MAX_RATE } from '../money/rate.ts'
import type { Turn } from './turn.ts'

/**
 * Returns the turn with the cost of its charges, as valid at that time. A message is charged once and has each channel
 * once.
 */
export function withCost(turn: Turn, at: number, costOf: CostOf): Turn {
  const { postings, message } = turn
  if (!postings.some(({ charge }) => charge !== undefined)) return turn
  const costOfPart = (carrierId: string, category: string | null) => costOf(carrierId, message, { category, at })
  return {
    ...turn,
    postings: postings.map((posting) => {
      const { charge } = posting
      return charge === undefined
        ? posting
        : { ...posting, charge: { ...charge, cost: costOfStep(message, charge, costOfPart) } }
    }),
  }
}

/**
 * Sums the cost of all parts, each at the carrier that took it; null if one is unknown, or too high to be summed, or
 * the currencies differ.
 */
function costOfStep(
  message: Turn['message'],
  { channel, carrierId }: Charge,
  costOfPart: (carrierId: string, category: string | null) => Amount | null,
): Amount | null {
  const step = message.plan.findIndex((each) => each.channel === channel)
  const parts = message.journey.steps[step]?.parts ?? []
  const costs = parts.map((part) => {
    const taker = part.carrierId ?? carrierId
    return taker === null ? null : costOfPart(taker, part.category ?? null)
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
