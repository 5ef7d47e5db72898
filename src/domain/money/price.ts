/**
 * Prices: what an account pays for one part of a channel to a number. A message keeps the price valid at its
 * acceptance, whatever happens to prices later.
 */
import type { RoutedChannel } from '../channels/channel.ts'
import type { AccountId } from '../ids/account-id.ts'
import { type Micros, toMicros } from './money.ts'
import {
  describeNumbers,
  describeValidity,
  eachInSlices,
  isValid,
  MAX_RATE,
  type Rate,
  type RatedNumber,
  type RateKind,
  RateTable,
} from './rate.ts'

/** Whose prices: an account's, those of a price group, or, if both are null, the general ones. */
export interface PriceOwner {
  readonly accountId: AccountId | null
  /** The id of a PriceGroup. Null for prices of an account. */
  readonly group: string | null
}

export const GENERAL_PRICES: PriceOwner = { accountId: null, group: null }

export function isOwnedBy(price: PriceOwner, { accountId, group }: PriceOwner): boolean {
  return price.accountId === accountId && price.group === group
}

/** Returns whose prices an account pays, those that win first. `group` is the one to which it belongs. */
export function ownersOf(accountId: AccountId, group: string | null): readonly PriceOwner[] {
  const ofGroup = group === null ? [] : [{ accountId: null, group }]
  return [{ accountId, group: null }, ...ofGroup, GENERAL_PRICES]
}

/** Unique by owner, currency, channel, prefix and operator at any time. */
export interface Price extends Rate, PriceOwner {
  /** ISO 4217. */
  readonly currency: string
  readonly channel: RoutedChannel
}

/** Identifies a price. */
export type PriceKey = Omit<Price, 'priceMicros' | 'until'>

/** Whose price for what is requested. */
export interface PriceQuestion extends RatedNumber {
  readonly accountId: AccountId
  readonly currency: string
  readonly channel: RoutedChannel
  /** Milliseconds: when the message is accepted. */
  readonly at: number
}

/**
 * The tariff, ready for lookup. The account's own prices win over those of its group, and these over general ones;
 * within each, one for the number's operator wins over one for every operator, and then the longest prefix wins.
 */
export class Tariff {
  /**
   * By account or group, null for the general ones, then by currency and channel: no key has to be written to look one
   * up.
   */
  readonly #tables = new Map<AccountId | string | null, Map<string, Map<RoutedChannel, RateTable<Price>>>>()

  constructor(prices: readonly Price[]) {
    for (const price of prices) this.#add(price)
  }

  /** Returns the tariff of the prices; yields after each slice of the work. */
  static *build(prices: readonly Price[]): Generator<undefined, Tariff> {
    const tariff = new Tariff([])
    yield* eachInSlices(prices, (price) => tariff.#add(price))
    return tariff
  }

  #add(price: Price): void {
    const { currency, channel } = price
    const owner = price.accountId ?? price.group
    const currencies = this.#tables.get(owner) ?? new Map<string, Map<RoutedChannel, RateTable<Price>>>()
    const channels = currencies.get(currency) ?? new Map<RoutedChannel, RateTable<Price>>()
    const table = channels.get(channel) ?? new RateTable<Price>()
    table.add(price)
    this.#tables.set(owner, currencies.set(currency, channels.set(channel, table)))
  }

  /** Returns the price of one part for an account of that group, null for none; null if no price is set. */
  priceOf(asked: PriceQuestion, group: string | null): Micros | null {
    const ofGroup = group === null ? null : this.#find(group, asked)
    const price = this.#find(asked.accountId, asked) ?? ofGroup ?? this.#find(null, asked)
    return price?.priceMicros ?? null
  }

  #find(owner: AccountId | string | null, asked: PriceQuestion): Price | null {
    return this.#tables.get(owner)?.get(asked.currency)?.get(asked.channel)?.find(asked, asked.at) ?? null
  }
}

/** Describes what the price is for: `sms 49… of operator 26201 in EUR for account 1`. */
export function describePrice({ currency, channel, prefix, operator, ...owner }: Omit<PriceKey, 'from'>): string {
  const whose = describeOwner(owner)
  return `${channel} ${describeNumbers(prefix, operator)} in ${currency}${whose === null ? '' : ` for ${whose}`}`
}

/** Returns `account 1`, `group retail`; null for general prices. */
export function describeOwner({ accountId, group }: PriceOwner): string | null {
  return accountId === null ? group && `group ${group}` : `account ${accountId}`
}

/** At most one is valid for the same at a time. */
export const PRICE_KIND: RateKind<Price> = { what: 'price', describe: describePrice }

/**
 * Returns when there is no price for the same once this one has ended; null if another one is valid then. Ignores a
 * price with its key and beginning, which it replaces. `group` is that of its account when it ends.
 */
export function describeGap(prices: readonly Price[], ended: Price, group: string | null): string | null {
  const { until } = ended
  if (until === null) return null
  const others = prices.filter((price) => covers(price, ended, group) && !isSame(price, ended))
  if (others.some((price) => isValid(price, until))) return null
  const next = others.reduce<number | null>((first, { from }) => {
    return from !== null && from > until && (first === null || from < first) ? from : first
  }, null)
  return `there is no price for ${describePrice(ended)} ${describeValidity({ from: until, until: next })}`
}

function isSame(one: Price, other: Price): boolean {
  return one.from === other.from && describePrice(one) === describePrice(other)
}

/** Whether a price is for all numbers of another one, while it is valid. */
function covers(wide: Price, price: Price, group: string | null): boolean {
  const { currency, channel, prefix, operator } = price
  if (wide.currency !== currency || wide.channel !== channel || !prefix.startsWith(wide.prefix)) return false
  const owners = [price, { accountId: null, group }, GENERAL_PRICES]
  return owners.some((owner) => isOwnedBy(wide, owner)) && [null, operator].includes(wide.operator)
}

/** Hundred percent, in the unit of `scalePrice`. */
const WHOLE = 100_000_000n

/**
 * Returns a percentage of a price, in millionths of a percent (100,000,000 is the price itself). This is the only place
 * where an amount is rounded, because it sets prices and moves no money: to the nearest millionth, half up. Returns
 * null above MAX_RATE.
 */
export function scalePrice(price: Micros, percentMicros: Micros): Micros | null {
  const scaled = (BigInt(price) * BigInt(percentMicros) + WHOLE / 2n) / WHOLE
  return scaled > MAX_RATE ? null : toMicros(Number(scaled))
}

/** The accounts of a group pay its prices where they have none of their own. */
export interface PriceGroup {
  readonly id: string
}

/** An account belongs to the group from a time on, until its next membership begins. Unique by account and start. */
export interface GroupMembership {
  readonly accountId: AccountId
  /** Milliseconds since 1970; null for no beginning. */
  readonly from: number | null
  /** The id of a PriceGroup; null for none. */
  readonly group: string | null
}

export type GroupMembershipKey = Omit<GroupMembership, 'group'>

/** Returns memberships of one account in the order in which they begin. */
export function inOrderOfStart(memberships: readonly GroupMembership[]): readonly GroupMembership[] {
  return memberships.toSorted((a, b) => (a.from ?? Number.NEGATIVE_INFINITY) - (b.from ?? Number.NEGATIVE_INFINITY))
}

/** The memberships of all accounts, ready for lookup. */
export class GroupMemberships {
  readonly #ofAccount: ReadonlyMap<AccountId, readonly GroupMembership[]>

  constructor(memberships: readonly GroupMembership[]) {
    const ofAccount = Map.groupBy(memberships, ({ accountId }) => accountId)
    this.#ofAccount = new Map([...ofAccount].map(([accountId, its]) => [accountId, inOrderOfStart(its)]))
  }

  /** Returns the group of the account at a time: that of the last membership that has begun. */
  groupOf(accountId: AccountId, at: number): string | null {
    return this.#ofAccount.get(accountId)?.findLast(({ from }) => from === null || from <= at)?.group ?? null
  }

  /** Returns the groups to which the account belongs at a time or later. */
  groupsFrom(accountId: AccountId, at: number): readonly string[] {
    const later = (this.#ofAccount.get(accountId) ?? []).filter(({ from }) => from !== null && from > at)
    return [this.groupOf(accountId, at), ...later.map(({ group }) => group)].filter((group) => group !== null)
  }
}
