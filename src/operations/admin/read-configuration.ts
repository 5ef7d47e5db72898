/**
 * Reads a configuration file: JSON with exactly the fields of configuration.ts. What it does not know is refused, and the
 * error names the place. It asks nobody: whether what stands there can be done is for apply-configuration.ts.
 */
import Type, { type Static, type TObject } from 'typebox'
import { CHANNELS, type Channel } from '../../domain/channel.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { AdminProblem } from './admin-problem.ts'
import { checkInput } from './check-input.ts'
import type {
  AccountEntry,
  CarrierEntry,
  Configuration,
  CostEntry,
  GuardsEntry,
  NumberEntry,
  OperatorsEntry,
  PoolEntry,
  PriceEntry,
  RouteEntry,
} from './configuration.ts'
import { ACCOUNT_SETTINGS } from './endpoints/account-shapes.ts'
import { GUARD_SETTINGS } from './endpoints/guard-shapes.ts'
import { ACCOUNT, NAME } from './endpoints/shapes.ts'

/** What is in a file. Throws a ChangeRefused. */
export function parseConfiguration(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ChangeRefused('the configuration is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChangeRefused('the configuration must be a JSON object')
  }
  return value
}

/** Throws a ChangeRefused such as `routes[3].prefix: must be a text`. Its text quotes no value: one may be a secret. */
export function readConfiguration(json: unknown): Configuration {
  const file = new Reader(json, '')
  const read: Configuration = {
    ...(file.has('carriers') ? { carriers: file.list('carriers', readCarrier) } : {}),
    ...(file.has('pools') ? { pools: file.list('pools', readPool) } : {}),
    ...(file.has('routes') ? { routes: file.list('routes', readRoute) } : {}),
    ...(file.has('costs') ? { costs: file.list('costs', readCost) } : {}),
    ...(file.has('prices') ? { prices: file.list('prices', readPrice) } : {}),
    ...(file.has('accounts') ? { accounts: file.values('accounts').map(readAccount) } : {}),
    ...(file.has('guards') ? { guards: readGuards(file.any('guards')) } : {}),
    ...(file.has('numbers') ? { numbers: file.list('numbers', readNumber) } : {}),
    ...(file.has('operators') ? { operators: readOperators(file.group('operators')) } : {}),
  }
  file.end()
  return read
}

function readCarrier(entry: Reader): CarrierEntry {
  return { id: entry.text('id'), kind: entry.text('kind'), channel: entry.channel(), settings: entry.any('settings') }
}

function readPool(entry: Reader): PoolEntry {
  return { id: entry.text('id'), code_digits: entry.number('code_digits'), numbers: entry.texts('numbers') }
}

function readRoute(entry: Reader): RouteEntry {
  return {
    channel: entry.channel(),
    carrier: entry.text('carrier'),
    prefix: entry.text('prefix'),
    account: entry.orNull('account', () => entry.account()),
    sender: entry.orNull('sender', () => entry.text('sender')),
    operators: entry.orNull('operators', () => entry.texts('operators')),
    priority: entry.number('priority'),
    weight: entry.has('weight') ? entry.number('weight') : 1,
    pool: entry.orNull('pool', () => entry.text('pool')),
    ring_seconds: entry.orNull('ring_seconds', () => entry.number('ring_seconds')),
  }
}

function readCost(entry: Reader): CostEntry {
  return {
    carrier: entry.text('carrier'),
    category: entry.orNull('category', () => entry.text('category')),
    prefix: entry.text('prefix'),
    operator: entry.orNull('operator', () => entry.text('operator')),
    currency: entry.orNull('currency', () => entry.text('currency')),
    price: entry.number('price'),
  }
}

function readPrice(entry: Reader): PriceEntry {
  return {
    channel: entry.channel(),
    currency: entry.text('currency'),
    prefix: entry.text('prefix'),
    operator: entry.orNull('operator', () => entry.text('operator')),
    from: entry.orNull('from', () => entry.text('from')),
    until: entry.orNull('until', () => entry.text('until')),
    account: entry.orNull('account', () => entry.account()),
    price: entry.number('price'),
  }
}

function readNumber(entry: Reader): NumberEntry {
  const list = entry.text('list')
  if (list !== 'deny' && list !== 'allow') throw entry.wrong('list', 'must be deny or allow')
  return {
    list,
    digits: entry.text('digits'),
    whole: entry.has('whole') && entry.flag('whole'),
    note: entry.has('note') ? entry.text('note') : '',
  }
}

function readGuards(json: unknown): Partial<GuardsEntry> {
  return readBySchema(GUARDS, json, 'guards')
}

function readAccount(json: unknown, index: number): AccountEntry {
  return readBySchema(ACCOUNT_ENTRY, json, `accounts[${index}]`)
}

/** By a schema of the admin API. */
function readBySchema<Schema extends TObject>(schema: Schema, json: unknown, place: string): Static<Schema> {
  try {
    return checkInput(schema, json) as Static<Schema>
  } catch (error) {
    if (!(error instanceof AdminProblem)) throw error
    const [{ field, detail } = { field: '', detail: error.message }] = error.errors
    throw new ChangeRefused(`${field === '' ? place : `${place}.${field}`}: ${detail}`)
  }
}

function readOperators(entry: Reader): OperatorsEntry {
  const read = { prefixes: entry.number('prefixes'), sha256: entry.text('sha256') }
  entry.end()
  return read
}

const ACCOUNT_ENTRY = Type.Object(
  { account: ACCOUNT, name: NAME, ...Type.Partial(Type.Object(ACCOUNT_SETTINGS)).properties },
  { additionalProperties: false },
)

const GUARDS = Type.Partial(Type.Object(GUARD_SETTINGS), { additionalProperties: false })

/** An object of the file, which knows its place in it and what of it was asked for. */
class Reader {
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #place: string
  readonly #asked = new Set<string>()

  constructor(json: unknown, place: string) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw new ChangeRefused(`${place === '' ? 'the configuration' : place}: must be an object`)
    }
    this.#fields = json as Readonly<Record<string, unknown>>
    this.#place = place
  }

  has(name: string): boolean {
    this.#asked.add(name)
    return Object.hasOwn(this.#fields, name)
  }

  any(name: string): unknown {
    if (!this.has(name)) throw this.wrong(name, 'is missing')
    return this.#fields[name]
  }

  text(name: string): string {
    const value = this.any(name)
    if (typeof value !== 'string' || !value.isWellFormed()) throw this.wrong(name, 'must be a text')
    return value
  }

  texts(name: string): readonly string[] {
    const value = this.any(name)
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
      throw this.wrong(name, 'must be a list of texts')
    }
    return value
  }

  number(name: string): number {
    const value = this.any(name)
    if (typeof value !== 'number') throw this.wrong(name, 'must be a number')
    return value
  }

  flag(name: string): boolean {
    const value = this.any(name)
    if (typeof value !== 'boolean') throw this.wrong(name, 'must be true or false')
    return value
  }

  account(): number {
    const value = this.number('account')
    if (!Number.isSafeInteger(value) || value < 1) throw this.wrong('account', 'must be the number of an account')
    return value
  }

  channel(): Channel {
    const value = CHANNELS.find((channel) => channel === this.any('channel'))
    if (value === undefined) throw this.wrong('channel', `must be one of ${CHANNELS.join(', ')}`)
    return value
  }

  /** Null when it is null or not there. */
  orNull<T>(name: string, read: () => T): T | null {
    return this.has(name) && this.#fields[name] !== null ? read() : null
  }

  group(name: string): Reader {
    return new Reader(this.any(name), this.#placeOf(name))
  }

  values(name: string): readonly unknown[] {
    const value = this.any(name)
    if (!Array.isArray(value)) throw this.wrong(name, 'must be a list')
    return value
  }

  list<T>(name: string, read: (entry: Reader) => T): readonly T[] {
    return this.values(name).map((each, index) => {
      const entry = new Reader(each, `${this.#placeOf(name)}[${index}]`)
      const result = read(entry)
      entry.end()
      return result
    })
  }

  /** Throws when it holds what nobody asked for. */
  end(): void {
    const unknown = Object.keys(this.#fields).find((name) => !this.#asked.has(name))
    if (unknown !== undefined) throw this.wrong(unknown.slice(0, 40), 'is not known')
  }

  #placeOf(name: string): string {
    return this.#place === '' ? name : `${this.#place}.${name}`
  }

  wrong(name: string, what: string): ChangeRefused {
    return new ChangeRefused(`${this.#placeOf(name)}: ${what}`)
  }
}
