/**
 * Message ids: positive integers below 2^53, unique over the installation, never reused, roughly ordered by time. The
 * id modulo 64 is the account's bucket, so that a cluster finds the shard of a message from its id alone.
 */
import type { AccountId } from './account-id.ts'

declare const messageId: unique symbol
export type MessageId = number & { readonly [messageId]: true }

export const BUCKETS = 64

/** The largest counter that gives an id below 2^53. */
export const LAST_COUNTER = 2 ** 47 - 1

export function bucketOf(account: AccountId): number {
  return account % BUCKETS
}

export function bucketOfMessage(id: MessageId): number {
  return id % BUCKETS
}

/** Makes an id from a counter reserved from the store (1 to LAST_COUNTER) and the sending account. */
export function makeMessageId(counter: number, account: AccountId): MessageId {
  if (!Number.isSafeInteger(counter) || counter < 1 || counter > LAST_COUNTER) {
    throw new RangeError(`${counter} is not a message counter`)
  }
  return (counter * BUCKETS + bucketOf(account)) as MessageId
}

/** Reads an id as typed by an operator; null if it cannot be one. */
export function parseMessageId(text: string): MessageId | null {
  const number = Number(text)
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(number) && number >= BUCKETS ? (number as MessageId) : null
}

/** Drawn from the counters of message ids, so it names the event of the bulk's report too. */
export type BulkId = MessageId
