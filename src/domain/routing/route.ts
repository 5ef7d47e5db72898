/**
 * Routes: which carriers a step may go to, and in which order. The more specific route wins, then the lower priority
 * number, then the cheaper carrier; the rest is drawn by weight.
 */
import type { RoutedChannel } from '../channels/channel.ts'
import type { AccountId } from '../ids/account-id.ts'
import { type Cost, CostTable } from '../money/cost.ts'
import type { Phone } from '../numbers/phone.ts'
import { PrefixTable } from '../numbers/prefix-table.ts'
import { hashText } from '../structures/hash-text.ts'

/** Unique by channel, account, sender, prefix and carrier. */
export interface Route {
  readonly channel: RoutedChannel
  /** Null for every account. */
  readonly accountId: AccountId | null
  /** The exact sender name of the step, or its pool, of which it then is a member; null for every sender. */
  readonly sender: string | null
  /** Digits; empty for every number. */
  readonly prefix: string
  /** Mobile operators (MCC and MNC, `26201`) that it serves; null for all. */
  readonly operators: readonly string[] | null
  readonly carrierId: string
  /** Lower is tried first. */
  readonly priority: number
  /** Its share among otherwise equal routes; 1 or more. */
  readonly weight: number
  /** For calls: the pool of calling numbers. Null in other channels. */
  readonly poolId: string | null
  /** For calls: how long the phone rings. Absent for the carrier's setting. */
  readonly ringSeconds?: number
}

export type RouteKey = Pick<Route, 'channel' | 'accountId' | 'sender' | 'prefix' | 'carrierId'>

export const CODE_DIGITS_MIN = 4
export const CODE_DIGITS_MAX = 6

/** The numbers that flash calls come from. */
export interface NumberPool {
  readonly id: string
  /** E.164 digits. */
  readonly numbers: readonly string[]
  /** Last digits of the number that make the code: 4 to 6. */
  readonly codeDigits: number
}

/** The facts of a step that decide its routes. */
export interface RoutedStep {
  readonly channel: RoutedChannel
  readonly phone: Phone
  /** Null if unknown, which excludes no route. */
  readonly operator: string | null
  readonly accountId: AccountId
  /** The name that the recipient sees. */
  readonly sender: string
  /** Milliseconds since 1970: the costs that are valid then decide. */
  readonly at: number
  /** The name that the client gave, if that is a pool of which the sender is a member. */
  readonly pool?: string
}

export class RouteTable {
  /** By channel and account, because many accounts may have routes of their own; null is every account. */
  readonly #tables = new Map<RoutedChannel, Map<AccountId | null, PrefixTable<Route[]>>>()
  readonly #routes: readonly Route[]
  /** Of the carriers. */
  readonly costs: CostTable
  /** Two tables with the same tag route to the same carriers, though their costs may order them differently. */
  readonly tag: string
  readonly #text: string

  constructor(routes: readonly Route[], costs = new CostTable([])) {
    this.#routes = routes
    this.#text = JSON.stringify(routes)
    this.tag = tagOf(this.#text)
    this.costs = costs
    for (const route of routes) {
      const ofChannel = this.#tables.get(route.channel) ?? new Map<AccountId | null, PrefixTable<Route[]>>()
      const table = ofChannel.get(route.accountId) ?? new PrefixTable<Route[]>()
      const same = table.get(route.prefix)
      if (same === undefined) table.set(route.prefix, [route])
      else same.push(route)
      this.#tables.set(route.channel, ofChannel.set(route.accountId, table))
    }
  }

  ofCarrier(carrierId: string): readonly Route[] {
    return this.#routes.filter((route) => route.carrierId === carrierId)
  }

  /** Returns whether it was made from these, in this order. */
  isOf(routes: readonly Route[], costs: CostTable): boolean {
    return this.costs === costs && this.#text === JSON.stringify(routes)
  }

  /**
   * Returns the routes that serve a step, the best first, each carrier once; empty if no carrier does. `draw`, from 0
   * to below 1, decides among equals: the same draw always gives the same order.
   */
  candidates(step: RoutedStep, draw: number): readonly Route[] {
    const serving = this.#serving(step)
    if (serving.length < 2) return serving
    const ranked = this.#rank(serving, step)
    return onceEach(ranked.flatMap((equals) => drawByWeight(equals, draw)))
  }

  /** Returns the same routes, the best first, in groups of equals that only a draw by weight puts in order. */
  ranked(step: RoutedStep): readonly (readonly Route[])[] {
    return this.#rank(this.#serving(step), step)
  }

  #serving(step: RoutedStep): readonly Route[] {
    const ofChannel = this.#tables.get(step.channel)
    const own = ofChannel?.get(step.accountId)?.all(step.phone) ?? NO_ROUTES
    const ofAll = ofChannel?.get(null)?.all(step.phone) ?? NO_ROUTES
    const [first = NO_ROUTE] = own.length > 0 ? own : ofAll
    if (own.length + ofAll.length === 1 && first.every((route) => serves(route, step))) return first
    return [...own.flat(), ...ofAll.flat()].filter((route) => serves(route, step))
  }

  #rank(serving: readonly Route[], step: RoutedStep): readonly (readonly Route[])[] {
    if (serving.length < 2) return [serving]
    const costs = serving.map(({ carrierId }) => this.costs.find(carrierId, step, { category: null, at: step.at }))
    const currency = commonCurrency(costs)
    const ranked = serving.map((route, index) => {
      const cost = costs[index] ?? null
      const isCounted = cost !== null && cost.currency === currency
      return { route, rank: rankOf(route, step, isCounted ? cost.priceMicros : Number.POSITIVE_INFINITY) }
    })
    ranked.sort((a, b) => compareRanks(a.rank, b.rank))
    const groups: Route[][] = []
    for (const [index, { route, rank }] of ranked.entries()) {
      const before = ranked[index - 1]
      if (before !== undefined && compareRanks(before.rank, rank) === 0) groups.at(-1)?.push(route)
      else groups.push([route])
    }
    return groups
  }
}

const NO_ROUTES: readonly (readonly Route[])[] = []
const NO_ROUTE: readonly Route[] = []

/** Costs in several currencies cannot be compared: then only those in the currency of the installation (null) count. */
function commonCurrency(costs: readonly (Cost | null)[]): string | null {
  const currencies = new Set(costs.flatMap((cost) => (cost === null ? [] : [cost.currency])))
  const [only = null] = currencies
  return currencies.size === 1 ? only : null
}

/** Compared from left to right; the smaller goes first. */
function rankOf(route: Route, { operator, sender }: RoutedStep, cost: number): readonly number[] {
  return [
    route.accountId === null ? 1 : 0,
    route.sender === null ? 2 : route.sender === sender ? 0 : 1,
    -route.prefix.length,
    // A route for some operators counts as more specific only if the number's operator is known.
    route.operators === null ? 1 : operator === null ? 2 : 0,
    route.priority,
    cost,
  ]
}

/** Its channel, account and prefix already match. */
function serves(route: Route, { operator, sender, pool }: RoutedStep): boolean {
  return (
    (route.sender === null || route.sender === sender || route.sender === pool) &&
    (route.operators === null || operator === null || route.operators.includes(operator))
  )
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const left = a[index] ?? 0
    const right = b[index] ?? 0
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

/** Returns the first route to each carrier. */
export function onceEach<R extends Pick<Route, 'carrierId'>>(routes: readonly R[]): readonly R[] {
  const seen = new Set<string>()
  return routes.filter(({ carrierId }) => !seen.has(carrierId) && seen.add(carrierId))
}

/** One draw orders all of them: its remainder within the share that it hit serves as the next draw. */
function drawByWeight(routes: readonly Route[], draw: number): readonly Route[] {
  if (routes.length === 1) return routes
  const rest = [...routes]
  const ordered: Route[] = []
  let luck = draw
  while (rest.length > 1) {
    const total = rest.reduce((sum, route) => sum + route.weight, 0)
    let at = luck * total
    let index = 0
    while (index < rest.length - 1 && at >= (rest[index]?.weight ?? 0)) {
      at -= rest[index]?.weight ?? 0
      index += 1
    }
    const [drawn] = rest.splice(index, 1)
    if (drawn === undefined) break
    ordered.push(drawn)
    luck = Math.min(Math.max(at / drawn.weight, 0), 1 - Number.EPSILON)
  }
  return [...ordered, ...rest]
}

/** Returns a short text that differs for different ones, nearly always. */
export function tagOf(text: string): string {
  return hashText(text).toString(36)
}
