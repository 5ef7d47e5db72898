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
import type { Price } from '../../domain/price.ts'
import type { Route } from '../../domain/route.ts'
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

/** A configuration whose lists are made while they are read. */
type ConfigurationSections = {
  readonly [Section in keyof Configuration]-?: Required<Configuration>[Section] extends readonly (infer Entry)[]
    ? Iterable<Entry>
    : Required<Configuration>[Section]
}

/** What is set up, secrets hidden. */
export function writeConfiguration(rows: DirectoryRows): ConfigurationSections {
  return {
    carriers: rows.carriers.map(({ id, kind, channel, settings }) => ({
      id,
      kind,
      channel,
      settings: sortKeys(hideSecrets(settings)),
    })),
    pools: inOrder(
      rows.pools,
      ({ id, codeDigits, numbers }) => ({ id, code_digits: codeDigits, numbers: toRanges(numbers) }),
      null,
    ),
    routes: inOrder(rows.routes, writeRoute, ({ channel, prefix, priority, carrier, account, sender }) =>
      [channel, prefix, String(priority).padStart(6, '0'), carrier, account ?? '', sender ?? ''].join(' '),
    ),
    costs: inOrder(
      rows.costs,
      ({ carrierId, category, prefix, operator, currency, priceMicros }) => {
        return { carrier: carrierId, category, prefix, operator, currency, price: toDecimal(priceMicros) }
      },
      ({ carrier, category, prefix, operator }) => [carrier, category ?? '', prefix, operator ?? ''].join(' '),
    ),
    prices: inOrder(rows.prices, writePrice, ({ channel, currency, prefix, operator, account, from }) =>
      [channel, currency, prefix, operator ?? '', account ?? '', from ?? ''].join(' '),
    ),
    accounts: inOrder(
      rows.accounts.filter(({ state }) => state !== 'closed'),
      ({ id, name, settings }) => ({ account: id, name, ...viewSettings(settings) }),
      null,
    ),
    guards: viewGuardSettings(rows.guardSettings),
    numbers: inOrder(
      rows.listedNumbers,
      ({ list, digits, whole, note }) => ({ list, digits, whole, note }),
      ({ list, digits, whole }) => `${list} ${digits} ${whole}`,
    ),
    operators: referTo(rows.operators),
  }
}

function writeRoute(route: Route): RouteEntry {
  return {
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
  }
}

function writePrice(price: Price): PriceEntry {
  return {
    channel: price.channel,
    currency: price.currency,
    prefix: price.prefix,
    operator: price.operator,
    from: price.from === null ? null : writeMoment(price.from),
    until: price.until === null ? null : writeMoment(price.until),
    account: price.accountId,
    price: toDecimal(price.priceMicros),
  }
}

/** The entries sorted by the text that `keyOf` gives each; in the order of the rows when it is null. Keeps no entry. */
function* inOrder<Row, Entry>(
  rows: readonly Row[],
  write: (row: Row) => Entry,
  keyOf: ((entry: Entry) => string) | null,
): Iterable<Entry> {
  if (keyOf === null) {
    for (const row of rows) yield write(row)
    return
  }
  const keyed = rows.map((row) => ({ row, key: keyOf(write(row)) }))
  for (const { row } of keyed.sort(byText(({ key }) => key))) yield write(row)
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
