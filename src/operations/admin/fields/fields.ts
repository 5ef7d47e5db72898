/**
 * Public fields of resources: for each domain field its name in the admin API, commands and configuration files, its
 * schema, and how its value is read and shown.
 */
import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { snakeCase } from '../../../contract/fields/key-case.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { type Micros, toDecimal } from '../../../domain/money/money.ts'
import { readCountry } from '../../../domain/numbers/country.ts'
import { canonicalAddress } from '../../../domain/reports/report-target.ts'
import { readMoment, writeMoment } from '../../../domain/time/moment.ts'
import { FieldRefused } from './field-refused.ts'
import { readAmount } from './shapes.ts'

/** Converts values between domain and public form. Null stays null. */
export interface Codec {
  view(value: never): unknown
  /** Throws ChangeRefused. `name` is the field's name. */
  read(shown: never, name: string): unknown
}

export interface PublicField {
  readonly name: string
  /** A field with a default is optional in requests. */
  readonly schema: TSchema
  readonly codec: Codec
}

/** Requires a public field for every field of the item, checked by the compiler. */
export type Fields<T> = { readonly [Name in keyof T]-?: PublicField }

/** Public form of an item. */
export type View = Record<string, unknown>

const AS_IT_IS: Codec = { view: (value) => value, read: (shown) => shown }
export const AMOUNT: Codec = {
  view: (micros: Micros) => toDecimal(micros),
  read: (amount: number, name) => readAmount(name, amount),
}
export const ACCOUNT_ID: Codec = { view: (id) => id, read: (id: number) => toAccountId(id) }
/** A day, or a time. */
export const MOMENT: Codec = {
  view: (at: number) => writeMoment(at),
  read: (text: string, name) => {
    const at = readMoment(text)
    if (at === null)
      throw new FieldRefused(name, 'must be a day such as 2027-01-01, or a time such as 2027-01-01T08:00:00Z')
    return at
  },
}
/** Absent in the domain, null in public form. */
export const ABSENT: Codec = { ...AS_IT_IS }
export const HOOK_CODEC: Codec = { view: (hook) => hook, read: (hook: string) => canonicalAddress(hook) }
export const COUNTRY: Codec = { ...AS_IT_IS, read: (code: string) => readCountry(code) }
export const COUNTRIES: Codec = { ...AS_IT_IS, read: (codes: readonly string[]) => codes.map(readCountry) }
export const SORTED: Codec = { view: (list: readonly string[]) => [...list].sort(), read: (list) => list }

/** A draft of the fields: a schema alone is a field of the same name in snake_case, shown unchanged. */
export type FieldDrafts<T> = { readonly [Name in keyof T]-?: PublicField | TSchema }

export function defineFields<T extends object>(drafts: FieldDrafts<T>): Fields<T> {
  const defined = Object.entries<PublicField | TSchema>(drafts).map(([key, draft]) => {
    return [key, 'codec' in draft ? draft : field(snakeCase(key), draft)]
  })
  return Object.fromEntries(defined) as Fields<T>
}

export function field(name: string, schema: TSchema, codec = AS_IT_IS): PublicField {
  return { name, schema, codec }
}

/** Returns the item's public fields; absent ones are null. */
export function viewOf(fields: Fields<object>, item: object): View {
  return Object.fromEntries(
    Object.entries(named(fields)).map(([key, { name, codec }]) => {
      const value: unknown = Reflect.get(item, key) ?? null
      return [name, value === null ? null : codec.view(value as never)]
    }),
  )
}

/** Reads the named domain fields. Throws ChangeRefused. */
export function readPublicFields<T extends object>(fields: Fields<T>, shown: object): Partial<T> {
  const read = Object.entries(named(fields)).flatMap(([key, { name, codec }]) => {
    const value: unknown = Reflect.get(shown, name)
    if (value === undefined || (value === null && codec === ABSENT)) return []
    return [[key, value === null ? null : codec.read(value as never, name)] as const]
  })
  return Object.fromEntries(read) as Partial<T>
}

/** Databases store null as an empty text: one must not name what has null. Throws ChangeRefused. */
export function readKey<T extends object>(fields: Fields<T>, shown: object): Partial<T> {
  for (const { name, schema } of Object.values(named(fields))) {
    const isEmpty = Reflect.get(shown, name) === '' && Check(schema, null)
    if (isEmpty) throw new FieldRefused(name, 'must not be empty: leave it out for none')
  }
  return readPublicFields(fields, shown)
}

export function withDefaults(fields: Fields<object>, shown: object): View {
  const defaults = Object.values(named(fields)).map(({ name, schema }) => [name, defaultOf(schema)] as const)
  return { ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)), ...shown }
}

/** Schemas of results. */
export function viewSchemas(fields: Fields<object>): TProperties {
  return Object.fromEntries(Object.values(named(fields)).map(({ name, schema }) => [name, schema]))
}

/** Schemas of requests: fields with a default are optional. */
export function inputSchemas(fields: Fields<object>): TProperties {
  return mapSchemas(fields, (schema) => (defaultOf(schema) === undefined ? schema : Type.Optional(schema)))
}

/** Schemas of changes: all fields are optional. */
export function partialSchemas(fields: Fields<object>): TProperties {
  return mapSchemas(fields, (schema) => Type.Optional(schema))
}

export function strictObject(properties: TProperties): TObject {
  return Type.Object(properties, { additionalProperties: false })
}

function named(fields: Fields<object>): Readonly<Record<string, PublicField>> {
  return fields as Readonly<Record<string, PublicField>>
}

function mapSchemas(fields: Fields<object>, map: (schema: TSchema) => TSchema): TProperties {
  return Object.fromEntries(Object.values(named(fields)).map(({ name, schema }) => [name, map(schema)]))
}

function defaultOf(schema: TSchema): unknown {
  return (schema as { readonly default?: unknown }).default
}
