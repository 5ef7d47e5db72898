/** Parsers of option values for commander: return the value or throw an error that names what is allowed. */
import { InvalidArgumentError } from 'commander'
import { type AccountId, toAccountId } from '../../domain/ids/account-id.ts'
import { type MessageId, parseMessageId } from '../../domain/ids/message-id.ts'

export function readAccountId(text: string): AccountId {
  return toAccountId(readPositive(text))
}

export function readMessageId(text: string): MessageId {
  const id = parseMessageId(text)
  if (id === null)
    throw new InvalidArgumentError('must be a whole number such as 12864: the msg_id returned by the API')
  return id
}

/** From 1 to the largest exact integer. */
export function readPositive(text: string): number {
  const number = readNatural(text)
  if (number < 1) throw new InvalidArgumentError('must be a whole number from 1')
  return number
}

/** The same from 0. */
export function readNatural(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('must be a whole number')
  return number
}

export function readFlag(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('must be yes or no')
  return text === 'yes'
}

/** Values separated by commas, without empty ones. */
export function readList(text: string): readonly string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

/** Collects an option that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
