/**
 * One thing of a configuration, as it is compared: what it is called, what is known of it, and the changes that bring it
 * about and take it away.
 */

import type { Account } from '../../domain/account.ts'
import { type Cost, describeCost } from '../../domain/cost.ts'
import type { CarrierSetup } from '../../domain/directory.ts'
import type { GuardSettings } from '../../domain/guard-settings.ts'
import { writeMoment } from '../../domain/moment.ts'
import { toDecimal } from '../../domain/money.ts'
import type { ListedNumber } from '../../domain/number-list.ts'
import { describePrice, type Price } from '../../domain/price.ts'
import type { NumberPool, Route } from '../../domain/route.ts'
import type { RoutingChange } from '../../ports/routing-change.ts'
import { sortKeys } from './configuration.ts'
import { viewSettings } from './endpoints/account-shapes.ts'
import { viewGuardSettings } from './endpoints/guard-shapes.ts'
import { isSecret } from './kept-secrets.ts'

export interface SetUpEntry {
  /** In words; two entries are the same thing when they are called the same. */
  readonly name: string
  readonly facts: ReadonlyMap<string, Fact>
  readonly set: RoutingChange
  readonly remove: RoutingChange
}

interface Fact {
  readonly value: string
  /** As operators may see it. */
  readonly shown: string
}

/** Its settings. Files neither make accounts nor close them, so one is never taken away. */
export function accountEntry({ id, name, settings }: Account): SetUpEntry {
  const set = { kind: 'set account', accountId: id, settings } as const
  const facts = Object.entries(viewSettings(settings)).map(
    ([word, value]) => [word, fact(JSON.stringify(value))] as const,
  )
  return { name: `account ${id} (${name})`, facts: new Map(facts), set, remove: set }
}

export function carrierEntry(carrier: CarrierSetup): SetUpEntry {
  const { id, kind, channel, settings } = carrier
  const facts = new Map<string, Fact>([['channel', fact(channel)]])
  collectFacts(sortKeys(settings), '', facts)
  return {
    name: `carrier ${id} (${kind})`,
    facts,
    set: { kind: 'set carrier', carrier },
    remove: { kind: 'remove carrier', carrierId: id },
  }
}

export function poolEntry(pool: NumberPool): SetUpEntry {
  const numbers = [...pool.numbers].sort()
  return {
    name: `pool ${pool.id}`,
    facts: new Map([
      ['code_digits', fact(pool.codeDigits)],
      ['numbers', { value: numbers.join(' '), shown: String(numbers.length) }],
    ]),
    set: { kind: 'set pool', pool },
    remove: { kind: 'remove pool', poolId: pool.id },
  }
}

export function routeEntry(route: Route): SetUpEntry {
  const { channel, prefix, carrierId, accountId, sender, operators, priority, weight, poolId, ringSeconds } = route
  const whose = accountId === null ? '' : ` for account ${accountId}`
  const name = sender === null ? '' : ` as ${sender}`
  return {
    name: `route ${channel} ${writePrefix(prefix)} to ${carrierId}${whose}${name}`,
    facts: new Map([
      ['operators', fact(operators === null ? 'all' : [...operators].sort().join(','))],
      ['priority', fact(priority)],
      ['weight', fact(weight)],
      ['pool', fact(poolId ?? 'none')],
      ['ring_seconds', fact(ringSeconds ?? 'as the carrier')],
    ]),
    set: { kind: 'set route', route },
    remove: { kind: 'remove route', route },
  }
}

export function costEntry(cost: Cost): SetUpEntry {
  return {
    name: `cost of ${describeCost(cost)}`,
    facts: new Map([
      ['price', fact(toDecimal(cost.priceMicros))],
      ['currency', fact(cost.currency ?? 'of the installation')],
    ]),
    set: { kind: 'set cost', cost },
    remove: { kind: 'remove cost', cost },
  }
}

export function priceEntry(price: Price): SetUpEntry {
  const { from, until, priceMicros } = price
  return {
    name: `price of ${describePrice(price)}${from === null ? '' : ` from ${writeMoment(from)}`}`,
    facts: new Map([
      ['price', fact(toDecimal(priceMicros))],
      ['until', fact(until === null ? 'open' : writeMoment(until))],
    ]),
    set: { kind: 'set price', price },
    remove: { kind: 'remove price', price },
  }
}

/** There is always one: it is never removed. */
export function guardsEntry(settings: GuardSettings): SetUpEntry {
  const facts = new Map<string, Fact>()
  for (const [name, value] of Object.entries(viewGuardSettings(settings))) facts.set(name, fact(JSON.stringify(value)))
  const set = { kind: 'set guard settings', settings } as const
  return { name: 'guards', facts, set, remove: set }
}

export function numberEntry(number: ListedNumber): SetUpEntry {
  const { list, digits, whole, note } = number
  return {
    name: `${whole ? digits : writePrefix(digits)} on the ${list} list`,
    facts: new Map([['note', fact(note)]]),
    set: { kind: 'list number', number },
    remove: { kind: 'unlist number', number },
  }
}

function collectFacts(value: unknown, path: string, facts: Map<string, Fact>): void {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    for (const [name, each] of Object.entries(value)) collectFacts(each, path === '' ? name : `${path}.${name}`, facts)
    return
  }
  const text = JSON.stringify(value)
  facts.set(path, { value: text, shown: typeof value === 'string' && isSecret(value, path) ? '(secret)' : text })
}

function fact(value: string | number): Fact {
  return { value: String(value), shown: String(value) }
}

function writePrefix(prefix: string): string {
  return prefix === '' ? 'every number' : `${prefix}…`
}
