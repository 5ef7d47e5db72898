/**
 * Makes what is set up equal to a configuration file, in one transaction, or tells only what that would change. Every
 * section of the file is complete: what it does not name is removed. A section that is missing is left as it is.
 */
import { type Account, toAccountId } from '../../domain/account.ts'
import type { Cost } from '../../domain/cost.ts'
import type { CarrierSetup, DirectoryRows } from '../../domain/directory.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../domain/guard-settings.ts'
import { readMoment } from '../../domain/moment.ts'
import { type Micros, parseDecimal } from '../../domain/money.ts'
import { findPriceOverlap, type Price, refuseOverlap } from '../../domain/price.ts'
import type { NumberPool, Route } from '../../domain/route.ts'
import type { RoutingChange } from '../../ports/routing-change.ts'
import type { Change, SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { accountRow } from './account-row.ts'
import { CARRIER_CHANNELS, type CarrierKind, type CheckSettings, checkCarrier } from './add-carrier.ts'
import { checkPool } from './add-pool.ts'
import { checkRoute } from './add-route.ts'
import { checkGuardSettings, checkListedNumber } from './check-guards.ts'
import { checkSettings as checkAccountSettings } from './check-settings.ts'
import type { AccountEntry, CarrierEntry, Configuration, GuardsEntry, RouteEntry } from './configuration.ts'
import { referTo } from './configuration.ts'
import { readSettings } from './endpoints/account-shapes.ts'
import { readGuardSettings } from './endpoints/guard-shapes.ts'
import { checkCost } from './set-cost.ts'
import { checkPrice } from './set-price.ts'
import {
  accountEntry,
  carrierEntry,
  costEntry,
  guardsEntry,
  numberEntry,
  poolEntry,
  priceEntry,
  routeEntry,
  type SetUpEntry,
} from './set-up-entry.ts'

export interface ApplyOptions {
  readonly checkSettings: CheckSettings
  /** Throws when who asks may not make this change. */
  readonly checkMay: (change: Change) => void
  /** Changes nothing. */
  readonly dryRun: boolean
}

/** Answers with one line for each thing that is added (`+`), removed (`-`) or changed (`~`). Throws a ChangeRefused. */
export async function applyConfiguration(
  store: SetupStore,
  wanted: Configuration,
  { checkSettings, checkMay, dryRun }: ApplyOptions,
): Promise<readonly string[]> {
  const rows = await store.loadDirectory()
  const { lines, changes } = planChanges(rows, wanted, checkSettings)
  const change = { kind: 'all', revision: rows.revision, changes } as const
  checkMay(change)
  if (!dryRun && changes.length > 0) await store.change(change)
  return lines
}

interface Difference {
  readonly lines: readonly string[]
  readonly sets: readonly RoutingChange[]
  readonly removes: readonly RoutingChange[]
}

function planChanges(rows: DirectoryRows, file: Configuration, checkSettings: CheckSettings) {
  checkOperators(rows, file)
  const wanted = {
    carriers: file.carriers?.map((entry) => wantedCarrier(rows, checkSettings, entry)) ?? rows.carriers.map(bare),
    pools: file.pools?.map((entry) => checkPool({ ...entry, codeDigits: entry.code_digits })) ?? rows.pools,
  }
  const routes = file.routes?.map((entry) => wantedRoute(rows, wanted, entry)) ?? rows.routes
  const isThere = (carrierId: string) => wanted.carriers.some(({ id }) => id === carrierId)
  // Costs go with their carrier, where the file does not speak of costs.
  const costs = file.costs?.map((entry) => wantedCost(entry, isThere)) ?? rows.costs
  checkLeftOver(routes, wanted.pools, isThere)
  const settings = file.guards === undefined ? rows.guardSettings : wantedGuards(file.guards)
  for (const number of file.numbers ?? []) checkListedNumber(number)
  const prices = file.prices?.map((entry) => wantedPrice(rows, entry)) ?? rows.prices

  const carrier = compare(rows.carriers.map(bare).map(carrierEntry), wanted.carriers.map(carrierEntry))
  const pool = compare(rows.pools.map(poolEntry), wanted.pools.map(poolEntry))
  const route = compare(rows.routes.map(routeEntry), routes.map(routeEntry))
  const cost = compare(rows.costs.map(costEntry), costs.map(costEntry))
  const price = compare(rows.prices.map(priceEntry), prices.map(priceEntry))
  const overlap = findPriceOverlap(prices)
  if (overlap !== null) throw new ChangeRefused(refuseOverlap(...overlap))
  const guards = compare([guardsEntry(rows.guardSettings)], [guardsEntry(settings)])
  const number = compare(rows.listedNumbers.map(numberEntry), (file.numbers ?? rows.listedNumbers).map(numberEntry))
  const accounts = (file.accounts ?? []).map((entry) => wantedAccount(rows, entry))
  const account = compare(
    accounts.map(({ id }) => accountEntry(accountRow(rows, id))),
    accounts.map(accountEntry),
  )
  return {
    lines: [carrier, pool, route, cost, price, account, guards, number].flatMap(({ lines }) => lines),
    // What others need is there before them and goes after them.
    changes: [
      ...[route.removes, cost.removes, price.removes, pool.sets, carrier.sets],
      ...[route.sets, cost.sets, price.sets, carrier.removes, pool.removes],
      ...[account.sets, guards.sets, number.removes, number.sets],
    ].flat(),
  }
}

/** What the file says of guards is all of it: what it does not name is at its default. */
function wantedGuards(entry: Partial<GuardsEntry>): GuardSettings {
  const settings = { ...DEFAULT_GUARD_SETTINGS, ...readGuardSettings(entry) }
  checkGuardSettings(settings)
  return settings
}

/** The account as the file wants it. */
function wantedAccount(rows: DirectoryRows, { account, name, ...settings }: AccountEntry): Account {
  const stored = accountRow(rows, toAccountId(account))
  if (stored.name !== name) {
    throw new ChangeRefused(`account ${account} is ${stored.name} here and ${name} in the configuration`)
  }
  if (stored.state === 'closed') throw new ChangeRefused(`account ${account} is closed`)
  return { ...stored, settings: checkAccountSettings(stored.settings, readSettings(settings)) }
}

function wantedCarrier(rows: DirectoryRows, checkSettings: CheckSettings, entry: CarrierEntry): CarrierSetup {
  const { id, kind, channel } = entry
  if (!isCarrierKind(kind)) throw new ChangeRefused(`carrier ${id} is of a kind that is not known`)
  return checkCarrier(rows, checkSettings, { id, kind, channel, settings: entry.settings })
}

function isCarrierKind(kind: string): kind is CarrierKind {
  return Object.hasOwn(CARRIER_CHANNELS, kind)
}

function wantedRoute(
  rows: DirectoryRows,
  { carriers, pools }: { readonly carriers: readonly CarrierSetup[]; readonly pools: readonly NumberPool[] },
  entry: RouteEntry,
): Route {
  const { prefix, operators, priority, weight, sender, pool } = entry
  const carrier = carriers.find(({ id }) => id === entry.carrier)
  if (carrier === undefined) throw new ChangeRefused(`a route leads to carrier ${entry.carrier}, which is not there`)
  if (carrier.channel !== entry.channel) {
    throw new ChangeRefused(
      `a route for ${entry.channel} leads to carrier ${carrier.id}, which is for ${carrier.channel}`,
    )
  }
  const accountId = entry.account === null ? null : accountRow(rows, toAccountId(entry.account)).id
  const ring = entry.ring_seconds === null ? {} : { ringSeconds: entry.ring_seconds }
  return checkRoute(carrier, pools, { prefix, operators, priority, weight, accountId, sender, poolId: pool, ...ring })
}

function wantedCost(
  { carrier, category, prefix, operator, currency, price }: NonNullable<Configuration['costs']>[number],
  isThere: (carrierId: string) => boolean,
): Cost {
  if (!isThere(carrier)) throw new ChangeRefused(`a cost is of carrier ${carrier}, which is not there`)
  const cost = { carrierId: carrier, category, prefix, operator, currency, priceMicros: readMoney(price) }
  checkCost(cost)
  return cost
}

function wantedPrice(
  rows: DirectoryRows,
  { channel, currency, prefix, operator, account, price, ...validity }: NonNullable<Configuration['prices']>[number],
): Price {
  const accountId = account === null ? null : accountRow(rows, toAccountId(account)).id
  const [from, until] = [readTime(validity.from), readTime(validity.until)]
  const wanted = { accountId, currency, channel, prefix, operator, from, until, priceMicros: readMoney(price) }
  checkPrice(rows, wanted)
  return wanted
}

/** Routes that the file does not speak of must not lose what they need. */
function checkLeftOver(
  routes: readonly Route[],
  pools: readonly NumberPool[],
  isThere: (carrierId: string) => boolean,
): void {
  for (const { carrierId, poolId } of routes) {
    if (!isThere(carrierId)) throw new ChangeRefused(`a route leads to carrier ${carrierId}, which is not there`)
    if (poolId !== null && !pools.some(({ id }) => id === poolId)) {
      throw new ChangeRefused(`a route calls from pool ${poolId}, which is not there`)
    }
  }
}

function checkOperators(rows: DirectoryRows, { operators }: Configuration): void {
  if (operators === undefined || operators.sha256 === referTo(rows.operators).sha256) return
  throw new ChangeRefused(
    'the configuration was written for another table of operators: import that one, or leave out the field operators',
  )
}

function compare(stored: readonly SetUpEntry[], wanted: readonly SetUpEntry[]): Difference {
  const before = new Map(stored.map((entry) => [entry.name, entry]))
  const after = new Map(wanted.map((entry) => [entry.name, entry]))
  if (after.size < wanted.length) {
    const twice = wanted.find((entry, index) => wanted.findIndex(({ name }) => name === entry.name) < index)
    throw new ChangeRefused(`the ${twice?.name} stands there twice`)
  }
  const removed = stored.filter(({ name }) => !after.has(name))
  const added = wanted.filter(({ name }) => !before.has(name))
  const changed = wanted.flatMap((entry) => {
    const old = before.get(entry.name)
    const words = old === undefined ? [] : differences(old, entry)
    return words.length === 0 ? [] : [{ entry, words }]
  })
  return {
    lines: [
      ...added.map(({ name }) => `+ ${name}`),
      ...removed.map(({ name }) => `- ${name}`),
      ...changed.map(({ entry, words }) => `~ ${entry.name}: ${words.join(', ')}`),
    ],
    // What is changed may have to make room for what is added: a price that ends where another begins.
    sets: [...changed.map(({ entry }) => entry), ...added].map(({ set }) => set),
    removes: removed.map(({ remove }) => remove),
  }
}

function differences(before: SetUpEntry, after: SetUpEntry): readonly string[] {
  const names = [...new Set([...before.facts.keys(), ...after.facts.keys()])].sort()
  return names.flatMap((name) => {
    const [old, now] = [before.facts.get(name), after.facts.get(name)]
    if (old?.value === now?.value) return []
    return `${name} ${old?.shown ?? 'nothing'} → ${now?.shown ?? 'nothing'}`
  })
}

function readMoney(amount: number): Micros {
  const micros = parseDecimal(String(amount))
  if (micros === null) throw new ChangeRefused('an amount must be a decimal number such as 0.05, six places at most')
  return micros
}

function readTime(text: string | null): number | null {
  const at = text === null ? null : readMoment(text)
  if (text !== null && at === null) throw new ChangeRefused('a price begins and ends on a day such as 2026-03-01')
  return at
}

function bare({ id, channel, kind, settings }: CarrierSetup): CarrierSetup {
  return { id, channel, kind, settings }
}
