/** Erases a recipient a slice at a time, so that other commands get their turn between two slices. */
import type { Forgotten, Leftovers } from '../../ports/forgetting.ts'

export type InTheWay = Extract<Forgotten, { kind: 'in the way' }>
export type ForgottenRest = Pick<Extract<Forgotten, { kind: 'forgotten' }>, 'phoneHash' | 'optOuts'>

/** The store's operations for it. */
export interface RecipientForgetter {
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
  const messages = await ask.messages()
  const replies = await ask.replies()
  const rest = await ask.rest()
  // A client may have sent a message to the phone since.
  const since = await ask.inTheWay()
  if (since !== null) return since
  return { kind: 'forgotten', messages, replies, ...rest, leftovers: await ask.leftovers() }
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
