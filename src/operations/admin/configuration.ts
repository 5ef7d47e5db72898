/**
 * A configuration as a file has it: carriers, routes, costs, pools, prices, guards and the settings of accounts, sorted, so
 * that two files can be laid side by side. It tells no secret of a carrier.
 */
import { createHash } from 'node:crypto'
import type { Channel } from '../../domain/channel.ts'
import type { DirectoryRows } from '../../domain/directory.ts'
import { writeMoment } from '../../domain/moment.ts'
import { toDecimal } from '../../domain/money.ts'
import type { ListedNumber } from '../../domain/number-list.ts'
import { readOperators } from '../../domain/operator-table.ts'
import { type SettingsView, viewSettings } from './endpoints/account-shapes.ts'
import { type GuardSettingsView, viewGuardSettings } from './endpoints/guard-shapes.ts'
import { hideSecrets } from './kept-secrets.ts'

/** Its keys are the words of the file. A section that is missing is left as it is. */
export interface Configuration {
  readonly carriers?: readonly CarrierEntry[]
  readonly pools?: readonly PoolEntry[]
  readonly routes?: readonly RouteEntry[]
  readonly costs?: readonly CostEntry[]
  readonly prices?: readonly PriceEntry[]
  /** Accounts, and settings of them, that it does not name stay as they are: nobody is made or closed by a file. */
  readonly accounts?: readonly AccountEntry[]
  /** What it does not name is at its default. */
  readonly guards?: Partial<GuardsEntry>
  readonly numbers?: readonly NumberEntry[]
  /** Which table of operators the routes were written for; the table itself is a file of its own. */
  readonly operators?: OperatorsEntry
}

/** By number and name, lest a file that was written for another installation change somebody else. */
export interface AccountEntry extends Partial<SettingsView> {
  readonly account: number
  readonly name: string
}

export interface CarrierEntry {
  readonly id: string
  readonly kind: string
  readonly channel: Channel
  readonly settings: unknown
}

export interface PoolEntry {
  readonly id: string
  readonly code_digits: number
  /** Numbers and ranges, as `pool add` takes them. */
  readonly numbers: readonly string[]
}

export interface RouteEntry {
  readonly channel: Channel
  readonly carrier: string
  readonly prefix: string
  readonly account: number | null
  readonly sender: string | null
  readonly operators: readonly string[] | null
  readonly priority: number
  readonly weight: number
  readonly pool: string | null
  readonly ring_seconds: number | null
}

export interface CostEntry {
  readonly carrier: string
  /** Null for every category. */
  readonly category: string | null
  readonly prefix: string
  readonly operator: string | null
  /** Null for that of the installation. */
  readonly currency: string | null
  readonly price: number
}

export interface PriceEntry {
  readonly channel: Channel
  readonly currency: string
  readonly prefix: string
  readonly operator: string | null
  /** As moment.ts writes them. */
  readonly from: string | null
  readonly until: string | null
  readonly account: number | null
  readonly price: number
}

/** As the admin API has them. */
export type GuardsEntry = GuardSettingsView

export type NumberEntry = ListedNumber

export interface OperatorsEntry {
  readonly prefixes: number
  readonly sha256: string
}

/** What is set up, secrets hidden. */
export function writeConfiguration(rows: DirectoryRows): Required<Configuration> {
  return {
    carriers: rows.carriers.map(({ id, kind, channel, settings }) => ({
      id,
      kind,
      channel,
      settings: sortKeys(hideSecrets(settings)),
    })),
    pools: rows.pools.map(({ id, codeDigits, numbers }) => ({
      id,
      code_digits: codeDigits,
      numbers: toRanges(numbers),
    })),
    routes: rows.routes
      .map((route) => ({
        channel: route.channel,
        carrier: route.carrierId,
        prefix: route.prefix,
        account: route.accountId,
        sender: route.sender,
        operators: route.operators === null ? null : [...route.operators].sort(),
        priority: route.priority,
        weight: route.weight,
        pool: route.poolId,
        ring_seconds: route.ringSeconds ?? null,
      }))
      .sort(
        byText(({ channel, prefix, priority, carrier, account, sender }) =>
          [channel, prefix, String(priority).padStart(6, '0'), carrier, account ?? '', sender ?? ''].join(' '),
        ),
      ),
    costs: rows.costs
      .map(({ carrierId, category, prefix, operator, currency, priceMicros }) => {
        return { carrier: carrierId, category, prefix, operator, currency, price: toDecimal(priceMicros) }
      })
      .sort(
        byText(({ carrier, category, prefix, operator }) =>
          [carrier, category ?? '', prefix, operator ?? ''].join(' '),
        ),
      ),
    prices: rows.prices
      .map((price) => ({
        channel: price.channel,
        currency: price.currency,
        prefix: price.prefix,
        operator: price.operator,
        from: price.from === null ? null : writeMoment(price.from),
        until: price.until === null ? null : writeMoment(price.until),
        account: price.accountId,
        price: toDecimal(price.priceMicros),
      }))
      .sort(
        byText(({ channel, currency, prefix, operator, account, from }) =>
          [channel, currency, prefix, operator ?? '', account ?? '', from ?? ''].join(' '),
        ),
      ),
    accounts: rows.accounts
      .filter(({ state }) => state !== 'closed')
      .map(({ id, name, settings }) => ({ account: id, name, ...viewSettings(settings) })),
    guards: viewGuardSettings(rows.guardSettings),
    numbers: rows.listedNumbers
      .map(({ list, digits, whole, note }) => ({ list, digits, whole, note }))
      .sort(byText(({ list, digits, whole }) => `${list} ${digits} ${whole}`)),
    operators: referTo(rows.operators),
  }
}

/** `operators` is the text of an OperatorTable: equal tables have equal references. */
export function referTo(operators: string): OperatorsEntry {
  const sha256 = createHash('sha256').update(operators).digest('hex')
  return { prefixes: readOperators(operators).length, sha256 }
}

/** Objects with their keys in order, so that equal settings are equal texts. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, sortKeys(each)] as const)
  return Object.fromEntries(entries.sort(byText(([name]) => name)))
}

/** Numbers that follow each other as one range. */
export function toRanges(numbers: readonly string[]): readonly string[] {
  const ranges: { first: string; last: string }[] = []
  for (const number of [...numbers].sort()) {
    const range = ranges.at(-1)
    if (range !== undefined && range.last.length === number.length && Number(range.last) + 1 === Number(number)) {
      range.last = number
    } else {
      ranges.push({ first: number, last: number })
    }
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`))
}

function byText<T>(write: (value: T) => string): (a: T, b: T) => number {
  return (a, b) => (write(a) < write(b) ? -1 : write(a) > write(b) ? 1 : 0)
}
