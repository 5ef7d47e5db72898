/**
 * The kinds of settings of carriers, as TypeBox schemas, from which their reading (read-settings.ts), static types and
 * reference come. A setting with a `default` may be missing, and so may one in `Type.Optional`.
 */
import { X509Certificate } from 'node:crypto'
import Type, { type StaticDecode, type TProperties, type TSchema } from 'typebox'
import { readCountry } from '../../domain/numbers/country.ts'
import { hasNationalNumbers } from '../../domain/numbers/phone.ts'
import { wholeNumber } from '../../domain/text/schema-rule.ts'

/** What a setting may say of itself besides its rule and its meaning. */
interface About<V> {
  readonly default?: V
  /** Never shown: `writeOnly` is JSON Schema's word for it. */
  readonly writeOnly?: true
  /** In words, if `read` of `parsed` checks more than the schema. */
  readonly rule?: string
}

export const SECRET = { writeOnly: true } as const

export function text(description: string, about: About<string> = {}) {
  return standard(Type.String({ minLength: 1, description, ...about }))
}

/** Text that matches the pattern, which `rule` describes in words that follow "should be". */
export function textOf(pattern: RegExp, rule: string, description: string, about: About<string> = {}) {
  return standard(Type.String({ minLength: 1, pattern: pattern.source, rule, description, ...about }))
}

export function ascii(max: number, description: string, about: About<string> = {}) {
  return textOf(new RegExp(`^[ -~]{1,${max}}$`), `1 to ${max} ASCII characters`, description, about)
}

/** @param value the default; required without one, unless in `Type.Optional`. */
export function whole(minimum: number, maximum: number, description: string, value?: number, unit?: string) {
  return standard(Type.Integer({ ...wholeNumber(minimum, maximum, unit), description, ...defaultOf(value) }))
}

export function millis(min: number, max: number, description: string, value?: number) {
  return whole(min, max, description, value, 'milliseconds')
}

export function seconds(min: number, max: number, description: string, value?: number) {
  return whole(min, max, description, value, 'seconds')
}

export function flag(description: string, value?: boolean) {
  return standard(Type.Boolean({ description, ...defaultOf(value) }))
}

export function choice<const V extends string>(values: readonly V[], description: string, value?: NoInfer<V>) {
  return standard(Type.Enum([...values], { description, ...defaultOf(value) }))
}

function defaultOf<V>(value: V | undefined) {
  return value === undefined ? {} : { default: value }
}

/** What `read` makes of a setting. The text of an Error that it throws follows the name of the setting. */
export function parsed<S extends TSchema, V>(schema: S, read: (value: StaticDecode<S>) => V) {
  return Type.Codec(schema)
    .Decode(read)
    .Encode(() => {
      throw new Error('settings are not written')
    })
}

/** An object with these settings and no others; one with a title has a section of its own in the reference. */
export function group<P extends TProperties>(members: P, description: string, title?: string) {
  return Type.Object(members, { additionalProperties: false, description, ...(title === undefined ? {} : { title }) })
}

/** The same; may be missing if each of them may. */
export function optionalGroup<P extends TProperties>(members: P, description: string) {
  return standard(Type.Object(members, { additionalProperties: false, description, default: {} }))
}

/** At most `maxItems`; may be missing. */
export function listOf<S extends TSchema>(items: S, maxItems: number, of: string, description: string) {
  return standard(Type.Array(items, { maxItems, of, description, default: [] }))
}

/** One of them, or a list of at least one; `listFrom` makes a list of both. */
export function oneOrMore<S extends TSchema>(items: S, maxItems: number, of: string) {
  return [items, Type.Array(items, { minItems: 1, maxItems, of })] as const
}

export function listFrom<V>(value: V | readonly V[]): readonly V[] {
  return Array.isArray(value) ? value : [value as V]
}

/** What `read` makes of a text; null means that it breaks the rule. */
export function item<V>(rule: string, read: (text: string) => V | null, description = '') {
  return parsed(Type.String({ minLength: 0, rule, description }), (value) => {
    const found = read(value)
    if (found === null) throw new Error(`should be ${rule}`)
    return found
  })
}

interface Keys {
  readonly pattern: RegExp
  readonly rule: string
}

/** An object such as `{ "sender": "agent" }`, read as a map; may be missing. */
export function mapOf<S extends TSchema>(values: S, description: string, keys?: Keys) {
  return recordOf(values, { default: {}, description }, keys)
}

/** The same, but required. */
export function requiredMapOf<S extends TSchema>(values: S, description: string) {
  return recordOf(values, { description })
}

/** The same with at least one entry; `rule` follows the name of a setting without any. */
export function filledMapOf<S extends TSchema>(values: S, rule: string, description: string) {
  return parsed(recordOf(values, { minProperties: 1, description }), (map) => {
    if (map.size === 0) throw new Error(rule)
    return map
  })
}

function recordOf<S extends TSchema>(values: S, options: object, keys?: Keys) {
  const key = Type.String(keys === undefined ? {} : { pattern: keys.pattern.source })
  const rule = keys === undefined ? {} : { keyRule: keys.rule }
  return parsed(standard(Type.Record(key, values, { ...options, ...rule })), (object) => {
    return new Map(Object.entries(object)) as ReadonlyMap<string, StaticDecode<S>>
  })
}

/** An http(s) address, read without a trailing slash. */
export function address(description: string, about: About<string> = {}) {
  const rule = 'an http or https address without query'
  return parsed(text(description, { rule, ...about }), (value) => {
    const url = URL.parse(value)
    if (url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash === '') return value.replace(/\/+$/, '')
    throw new Error(`should be ${rule}`)
  })
}

/** Certificates in PEM. */
export function certificates(description: string) {
  const rule = 'certificates in PEM'
  return parsed(text(description, { rule }), (pem) => orRefuse(rule, () => new X509Certificate(pem) && pem))
}

/** A secret that is part of a webhook's address. */
export function webhookToken(description: string) {
  return textOf(/^[\w-]{16,128}$/, '16 to 128 letters, digits, _ or -', description, SECRET)
}

const COUNTRY_RULE = 'a country such as DE whose national numbers begin with a prefix'

/** For carriers that write the senders of inbound messages without their country code. */
export const NATIONAL_COUNTRY = Type.Optional(
  parsed(
    text('The country of senders of inbound messages that are written as 01701234500.', { rule: COUNTRY_RULE }),
    (written) => {
      const country = readCountry(written)
      if (hasNationalNumbers(country)) return country
      throw new Error(`should be ${COUNTRY_RULE}`)
    },
  ),
)

/** Settings of every kind of carrier. */
export const COMMON_SETTINGS = {
  degradedAfter: optionalGroup(
    {
      answers: whole(1, 1_000_000, 'Slow or failing answers in a row.', 5),
      seconds: seconds(1, 86_400, 'How long they have come.', 5),
    },
    'When a carrier counts as degraded, and other routes are tried first.',
  ),
}

/** Settings of carriers that are asked over HTTP. */
export const HTTP_LINK_SETTINGS = {
  window: whole(1, 1_000, 'Connections, which are the requests in flight.', 32),
  requestTimeoutMs: millis(100, 120_000, 'Time limit for an answer.', 15_000),
}

/** Returns the result of `read`; throws an Error with the rule in place of its own. */
export function orRefuse<V>(rule: string, read: () => V): V {
  try {
    return read()
  } catch {
    throw new Error(`should be ${rule}`)
  }
}

/** A setting with a default may be missing, though its value never is: its type stays that of a required one. */
export function standard<S extends TSchema>(schema: S): S {
  return 'default' in schema ? (Type.Optional(schema) as unknown as S) : schema
}
