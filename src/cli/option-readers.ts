/** Readers of option values for commander: text in, value out, or an error that says what was wanted. */
import { InvalidArgumentError } from 'commander'
import { type AccountId, toAccountId } from '../domain/account.ts'
import { type MessageId, parseMessageId } from '../domain/message-id.ts'
import { readMoment } from '../domain/moment.ts'
import { type Micros, parseDecimal } from '../domain/money.ts'

export function readAccountId(text: string): AccountId {
  return toAccountId(readWhole(text))
}

export function readMessageId(text: string): MessageId {
  const id = parseMessageId(text)
  if (id === null) throw new InvalidArgumentError('A msg_id is a whole number as the API gave it.')
  return id
}

export function readMoney(text: string): Micros {
  const amount = parseDecimal(text)
  if (amount === null) throw new InvalidArgumentError('Wanted is a decimal number such as 0.05, six places at most.')
  return amount
}

/** From 1 to what a number holds exactly. */
function readWhole(text: string): number {
  const number = readNatural(text)
  if (number < 1) throw new InvalidArgumentError('Wanted is a whole number from 1.')
  return number
}

/** The same from 0. */
function readNatural(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('Wanted is a whole number.')
  return number
}

export function readTime(text: string): number {
  const at = readMoment(text)
  if (at === null) throw new InvalidArgumentError('Wanted is a day such as 2026-03-01 (UTC), or a time as in RFC 3339.')
  return at
}

export function readFlag(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('Wanted is yes or no.')
  return text === 'yes'
}

/** Values separated by commas; empty ones are left out. */
export function readList(text: string): readonly string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

/** Collects an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
