/** Schemas that many endpoints share. */
import Type, { type TSchema, type TSchemaOptions } from 'typebox'
import { CLIENT_ROLES, type Role } from '../../../domain/accounts/admin-user.ts'
import { ROUTED_CHANNELS } from '../../../domain/channels/channel.ts'
import { type Micros, parseDecimal } from '../../../domain/money/money.ts'
import { ZONE_PATTERN, ZONE_RULE } from '../../../domain/time/local-time.ts'
import { readMoment } from '../../../domain/time/moment.ts'
import { FieldRefused } from './field-refused.ts'
import { STANDARD_ROWS } from './take-page.ts'

export const READERS: readonly Role[] = ['owner', 'operator', 'finance', 'support', 'auditor']
export const OPERATORS: readonly Role[] = ['owner', 'operator']
export const FINANCE: readonly Role[] = ['owner', 'finance']
/** Roles that may read prices and payments of accounts. */
export const BOOK_READERS: readonly Role[] = ['owner', 'operator', 'finance', 'auditor']
/** Roles that may read costs and margins. */
export const MARGIN_READERS: readonly Role[] = ['owner', 'finance', 'auditor']
/** Roles that may read texts of recipients; users of an account only those to their account. */
export const TEXT_READERS: readonly Role[] = ['owner', 'operator', ...CLIENT_ROLES]
export const OWNERS: readonly Role[] = ['owner']

/** An integer that JavaScript and the databases represent exactly. */
export function whole(options: TSchemaOptions & { readonly minimum?: number; readonly maximum?: number } = {}) {
  return Type.Integer({ maximum: Number.MAX_SAFE_INTEGER, ...options })
}

export const CARRIER = Type.String({ maxLength: 40, description: 'id of the carrier', examples: ['acme'] })
export const RECIPIENT = Type.String({
  maxLength: 140,
  description: 'with its country code, or a WhatsApp user id',
  examples: ['37120000000'],
})
export const CHANNEL = Type.Enum([...ROUTED_CHANNELS], { description: 'the channel' })
export const ACCOUNT = whole({ minimum: 1, description: 'the account' })
export const MONEY = Type.Number({ description: 'a decimal number with at most six decimal places' })
export const CURRENCY = Type.String({ description: 'ISO 4217', examples: ['EUR'] })
export const PREFIX = Type.String({
  default: '',
  description: 'leading digits of numbers; all numbers by default',
  examples: ['49'],
})
export const RATED_OPERATOR = nullable(Type.String(), {
  default: null,
  description: 'MCC and MNC, such as 26202: only its numbers; takes precedence over prefixes',
})
export const TIME = Type.String({ description: 'RFC 3339' })
const NAME_LENGTH = { minLength: 1, maxLength: 100 }
export const NAME = Type.String({ ...NAME_LENGTH, description: 'the name' })
export const USER = Type.String({ ...NAME_LENGTH, description: 'name of the user', examples: ['anna'] })
export const LABEL = Type.String({ ...NAME_LENGTH, description: 'label of the token: where it is used' })
export const SENDER_NAME = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'sender name; for sms 3 to 11 characters or 3 to 15 digits',
  examples: ['Shop'],
})

/** A secret in a result that is not stored in clear; commands print it alone on its line. */
export const SHOWN_ONCE = Type.String({ shownOnce: true, description: 'shown only once' })

/**
 * Marks a field with a secret. Requests with such a field ignore the Idempotency-Key, because not even a hash is
 * stored.
 */
export const SECRET_INPUT = { writeOnly: true }

/** Body field of an import. */
export const FILE_NAME = Type.Optional(
  Type.String({ maxLength: 200, description: 'name of the file, for the audit log' }),
)

/** Query field of a list of named things. */
export const NAME_SEARCH = Type.Optional(
  Type.String({ maxLength: 100, description: 'a part of the name, in any case' }),
)

/** Query fields of a page. */
export const PAGING = {
  after: Type.Optional(whole({ minimum: 0, description: '`next` of the previous page' })),
  most: Type.Optional(
    whole({ minimum: 1, maximum: 1_000, default: STANDARD_ROWS, description: 'maximum rows of a page' }),
  ),
}

/** Query field of the time zone of days or months. */
export function optionalZone(description: string) {
  return Type.Optional(
    Type.String({ pattern: ZONE_PATTERN, rule: ZONE_RULE, default: 'UTC', description, examples: ['Europe/Berlin'] }),
  )
}

export function nullable<S extends TSchema>(schema: S, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options)
}

/** A page of a list; `next` is null on the last one. */
export function pageOf<S extends TSchema>(schema: S) {
  return Type.Object({ data: Type.Array(schema), next: nullable(whole()) })
}

/** A complete list of few items, such as the nodes of a cluster. */
export function listOf<S extends TSchema>(schema: S) {
  return Type.Object({ data: Type.Array(schema) })
}

export function writeTime(milliseconds: number): string
export function writeTime(milliseconds: number | null): string | null
export function writeTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

/** Reads an amount. Throws FieldRefused. */
export function readAmount(field: string, amount: number): Micros {
  const micros = parseDecimal(String(amount))
  if (micros === null) {
    throw new FieldRefused(
      field,
      'must be a decimal number such as 0.05, with at most six decimal places and below 1000000000',
    )
  }
  return micros
}

/**
 * Reads a time, or a day as its start in UTC; returns null and undefined unchanged. Throws ChangeRefused naming the
 * field.
 */
export function readTimeField<None extends null | undefined>(field: string, text: string | None): number | None {
  if (typeof text !== 'string') return text
  const time = readMoment(text.replace(' ', 'T'))
  if (time === null)
    throw new FieldRefused(field, 'must be a time such as 2026-12-31T23:59:59Z, or a day such as 2026-12-31')
  return time
}

/** Of an endpoint that adds a thing or replaces it: forms for a new one set it. */
export const ONLY_NEW = Type.Optional(
  Type.Boolean({ description: 'refuse if it exists already, instead of replacing or changing it' }),
)

export const LOSE_RECEIPTS = Type.Optional(
  Type.Boolean({
    description: 'remove a carrier, or give it another account, although messages that it has taken are open',
  }),
)
