/** Checks names of resources, and ids of carriers and pools. */
import { type Micros, writeDecimal } from '../../../domain/money/money.ts'
import { MAX_RATE, type Rate } from '../../../domain/money/rate.ts'
import { hasHiddenCharacters, isStorable } from '../../../domain/text/hidden-characters.ts'
import { isPathPart } from '../../../domain/text/path-part.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { checkField, FieldRefused } from './field-refused.ts'

const MAX_NAME_CHARACTERS = 100

export const NAME_RULE =
  `must have 1 to ${MAX_NAME_CHARACTERS} characters, no control or invisible characters and no spaces around it, ` +
  'and not be . or ..'

export function isName(name: string): boolean {
  const isGood = name !== '' && name.length <= MAX_NAME_CHARACTERS && name === name.trim()
  return isGood && isStorable(name) && !hasHiddenCharacters(name) && isPathPart(name)
}

/** Names stand in lists and in paths. `what` begins the error. Throws FieldRefused. */
export function checkName(field: string, what: string, name: string): void {
  if (isName(name)) return
  throw new FieldRefused(field, NAME_RULE, `${what} ${NAME_RULE}`)
}

const ID_RULE = 'must be 1 to 40 lower-case letters, digits and dashes, and not begin with a dash'

/** Ids are part of URLs and file names. `what` begins the error. Throws FieldRefused. */
export function checkId(field: string, what: string, id: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id)) throw new FieldRefused(field, ID_RULE, `${what} ${ID_RULE}`)
}

/** Leading digits of numbers, up to 15; empty for all numbers. No country code begins with 0. */
export function checkPrefix(prefix: string): void {
  checkField('prefix', /^\d{0,15}$/.test(prefix), 'must be up to 15 digits, without the plus')
  checkField('prefix', !prefix.startsWith('0'), 'must begin with a country code, without 0 or 00 before it: 49')
}

/** MCC and MNC, `26201`. */
export function checkOperator(operator: string, field = 'operator'): void {
  checkField(field, /^\d{5,6}$/.test(operator), 'must be MCC and MNC, 5 or 6 digits such as 26201')
}

/** `what` begins the error. */
export function checkRateAmount(what: 'a price' | 'a cost', amount: Micros): void {
  if (amount < 0) throw new ChangeRefused(`${what} must be at least 0`)
  if (amount > MAX_RATE) throw new ChangeRefused(`${what} must be at most ${writeDecimal(MAX_RATE)}`)
}

/** Checks the key and period of a rate, not its amount. */
export function checkRate({ prefix, operator, from, until }: Omit<Rate, 'priceMicros'>): void {
  checkPrefix(prefix)
  if (operator !== null) checkOperator(operator)
  checkField('until', from === null || until === null || until > from, 'must be later than from')
}
