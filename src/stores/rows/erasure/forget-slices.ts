/** Erases a recipient a slice at a time, so that other commands get their turn between two slices. */
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { Forgotten, Leftovers } from '../../../ports/records/forgetting.ts'
import type { BulkStore, ErasedLines } from '../../../ports/stores/bulk-store.ts'

export type InTheWay = Extract<Forgotten, { kind: 'in the way' }>
export type ForgottenRest = Pick<Extract<Forgotten, { kind: 'forgotten' }>, 'phoneHash' | 'optOuts'>

/** The store's operations for it. */
export interface RecipientForgetter {
  /** Erases lines of bulks that wait. */
  lines(): Promise<void>
  inTheWay(): Promise<InTheWay | null>
  /** Returns how many. */
  messages(): Promise<number>
  /** Returns how many. */
  replies(): Promise<number>
  rest(): Promise<ForgottenRest>
  leftovers(): Promise<Leftovers>
}

export async function forgetRecipient(ask: RecipientForgetter): Promise<Forgotten> {
  const inTheWay = await ask.inTheWay()
  if (inTheWay !== null) return inTheWay
  // First: a line that becomes a message until then is found below.
  await ask.lines()
  const messages = await ask.messages()
  const replies = await ask.replies()
  const rest = await ask.rest()
  // A client may have sent a message to the phone since.
  const since = await ask.inTheWay()
  if (since !== null) return since
  return { kind: 'forgotten', messages, replies, ...rest, leftovers: await ask.leftovers() }
}

/** Erases the waiting lines of a phone from all bulks. */
export async function eraseLines(store: Pick<BulkStore, 'bulk' | 'bulksWithLines'>, phone: Phone): Promise<void> {
  for (const { accountId, bulkId } of await store.bulksWithLines()) {
    for (let after: number | null = 0; after !== null; ) {
      const erased: ErasedLines | null = await store.bulk({ kind: 'erase lines', accountId, bulkId, phone, after })
      after = erased?.next ?? null
    }
  }
}

export interface ForgetSlice {
  /** How many were erased. */
  readonly done: number
  /** Where the next slice begins; null if this was the last. */
  readonly next: number | null
}

/** Runs all slices one after the other; returns how many were erased. */
export async function forgetAll(slice: (after: number) => Promise<ForgetSlice>): Promise<number> {
  let sum = 0
  for (let after: number | null = 0; after !== null; ) {
    const { done, next }: ForgetSlice = await slice(after)
    sum += done
    after = next
  }
  return sum
}
