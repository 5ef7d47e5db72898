/** Counters of money: what messages were charged, and what they cost. The ledger has the sums of payments. */
import type { Registry } from '@prometheus-io/client'
import type { Turn } from '../../domain/journey/turn.ts'
import type { Micros } from '../../domain/money/money.ts'
import { PairCounter } from './pair-counter.ts'

export class MoneyMetrics {
  readonly #charged: PairCounter
  readonly #cost: PairCounter

  constructor(registry: Registry) {
    const counter = (name: string, help: string) =>
      new PairCounter(registry, { name, help, labelNames: ['channel', 'currency'] })
    this.#charged = counter('posthorn_charged_total', 'Charges of messages, in units of the currency.')
    this.#cost = counter('posthorn_cost_total', 'Known costs of charged messages, in units of the currency.')
  }

  turn({ message, postings }: Turn): void {
    for (const { charge, amountMicros } of postings) {
      if (charge === undefined) continue
      const { channel, cost } = charge
      this.#charged.count(channel, message.currency, inUnits(amountMicros))
      if (cost !== null) this.#cost.count(channel, cost.currency, inUnits(cost.micros))
    }
  }
}

function inUnits(micros: Micros): number {
  return micros / 1_000_000
}
