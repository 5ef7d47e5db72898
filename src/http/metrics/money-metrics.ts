/** Counters of money: what messages were charged, and what they cost. The ledger has the sums of payments. */
import { Counter, type Registry } from '@prometheus-io/client'
import type { Turn } from '../../domain/journey/turn.ts'
import type { Micros } from '../../domain/money/money.ts'

export class MoneyMetrics {
  readonly #charged: Counter<'channel' | 'currency'>
  readonly #cost: Counter<'channel' | 'currency'>

  constructor(registry: Registry) {
    const counter = (name: string, help: string) =>
      new Counter({ name, help, labelNames: ['channel', 'currency'] as const, registers: [registry] })
    this.#charged = counter('posthorn_charged_total', 'Charges of messages, in units of the currency.')
    this.#cost = counter('posthorn_cost_total', 'Known costs of charged messages, in units of the currency.')
  }

  turn({ message, postings }: Turn): void {
    for (const { charge, amountMicros } of postings) {
      if (charge === undefined) continue
      const { channel, cost } = charge
      this.#charged.inc({ channel, currency: message.currency }, inUnits(amountMicros))
      if (cost !== null) this.#cost.inc({ channel, currency: cost.currency }, inUnits(cost.micros))
    }
  }
}

function inUnits(micros: Micros): number {
  return micros / 1_000_000
}
