/** Sending the code of a verification again: by its next channel, or by a message of its own with the same text. */
import type { Message, Plan } from './message.ts'
import { isPending } from './verification.ts'

/** Messages of their own that may repeat the code of one verification. */
export const MAX_RESENDS = 3

/**
 * `next channel`: the verification has a channel that it has not tried. `message`: `plan` repeats the text that the
 * recipient may have, and tries the channels behind it. The others say why the code is not sent again.
 */
export type Resend =
  | { readonly kind: 'next channel' | 'ended' | 'under way' | 'call' }
  | { readonly kind: 'message'; readonly plan: Plan }

/** Returns what sending its code again does to a verification at `now`, milliseconds. */
export function resendOf(message: Message, now: number): Resend {
  const { journey, plan } = message
  if (!isPending(journey.verification) || now >= journey.verification.expiresAt) return { kind: 'ended' }
  if (hasNextChannel(message)) return { kind: 'next channel' }
  if (journey.phase === 'open') return { kind: 'under way' }
  const last = journey.steps.findLastIndex((_, index) => carriesCode(plan[index]))
  // A call is bound to the number that it came from.
  return last === -1 ? { kind: 'call' } : { kind: 'message', plan: plan.slice(last).filter(carriesCode) }
}

/** Returns whether another channel follows when the current one fails. */
export function hasNextChannel({ plan, journey }: Pick<Message, 'plan' | 'journey'>): boolean {
  return journey.deliveredBy === null && plan[journey.step + 1] !== undefined
}

function carriesCode(step: Plan[number] | undefined): boolean {
  return step?.content.kind === 'text' && step.content.code !== undefined
}
