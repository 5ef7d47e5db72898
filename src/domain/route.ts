/** Routes: which carrier a step goes to. The longest prefix wins, then the lowest priority number. */
import type { Channel } from './channel.ts'
import type { Phone } from './phone.ts'
import { PrefixTable } from './prefix-table.ts'

export interface Route {
  readonly channel: Channel
  /** Digits; empty for every number. */
  readonly prefix: string
  /** Mobile operators (MCC and MNC, `26201`) that it serves; null for all. */
  readonly operators: readonly string[] | null
  readonly carrierId: string
  /** Lower is tried first. */
  readonly priority: number
  /** For calls: where the calling numbers come from. Null in other channels. */
  readonly poolId: string | null
}

/** The numbers that flash calls come from. */
export interface NumberPool {
  readonly id: string
  /** E.164 digits. */
  readonly numbers: readonly string[]
  /** Last digits of the number that make the code: 4 to 6. */
  readonly codeDigits: number
}

export class RouteTable {
  readonly #tables = new Map<Channel, PrefixTable<Route[]>>()

  constructor(routes: readonly Route[]) {
    for (const route of [...routes].sort((a, b) => a.priority - b.priority)) {
      const table = this.#tables.get(route.channel) ?? new PrefixTable<Route[]>()
      const same = table.get(route.prefix) ?? []
      table.set(route.prefix, [...same, route])
      this.#tables.set(route.channel, table)
    }
  }

  /** The route for a number; null when no carrier serves it. `operator` is null when nobody knows it. */
  find(channel: Channel, phone: Phone, operator: string | null): Route | null {
    const candidates = this.#tables.get(channel)?.find(phone) ?? []
    return candidates.find((route) => serves(route, operator)) ?? null
  }
}

function serves(route: Route, operator: string | null): boolean {
  return route.operators === null || operator === null || route.operators.includes(operator)
}
