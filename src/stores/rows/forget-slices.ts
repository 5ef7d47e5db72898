/** Forgetting a person goes a slice at a time, so that others get their turn between two of them. */
import type { Forgotten, Leftovers } from '../../ports/forgetting.ts'

export type InTheWay = Extract<Forgotten, { kind: 'in the way' }>
export type ForgottenRest = Pick<Extract<Forgotten, { kind: 'forgotten' }>, 'phoneHash' | 'optOuts'>

/** What a store does for it. */
export interface RecipientForgetter {
  inTheWay(): Promise<InTheWay | null>
  /** How many. */
  messages(): Promise<number>
  /** How many. */
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
  // A client may have written to the phone meanwhile.
  const since = await ask.inTheWay()
  if (since !== null) return since
  return { kind: 'forgotten', messages, replies, ...rest, leftovers: await ask.leftovers() }
}

export interface ForgetSlice {
  /** How many were forgotten. */
  readonly done: number
  /** Where the next slice begins; null when this was the last. */
  readonly next: number | null
}

/** All slices, one after the other; how many were forgotten in them. */
export async function forgetAll(slice: (after: number) => Promise<ForgetSlice>): Promise<number> {
  let sum = 0
  for (let after: number | null = 0; after !== null; ) {
    const { done, next }: ForgetSlice = await slice(after)
    sum += done
    after = next
  }
  return sum
}
