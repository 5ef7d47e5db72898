/** The steps of a verification: which of them brought a code to the recipient, or may have. */
import type { Message, StepState } from './message.ts'

/**
 * Returns the step that brought the code to the recipient; null if no step that has begun carries it. Of several steps
 * with this code it is the last one that a carrier took.
 */
export function stepOfCode({ plan, journey }: Message, code: string): number | null {
  let [taken, begun]: (number | null)[] = [null, null]
  for (const [step, { parts }] of journey.steps.entries()) {
    if (!isSameCode(plan[step]?.content.code ?? '', code)) continue
    begun = step
    if (parts.some(({ state }) => state !== 'open')) taken = step
  }
  return taken ?? begun ?? null
}

/** Whether the recipient may have the code of one of the steps, although the last one has failed. */
export function mayBeThere(steps: readonly StepState[]): boolean {
  return steps.some(
    ({ uncertain, parts }) =>
      uncertain === true || parts.some(({ state }) => state === 'taken' || state === 'delivered'),
  )
}

/** Returns the last call that rang; null if none did. */
export function rungStep({ plan, journey }: Message): number | null {
  const step = journey.steps.findLastIndex(
    ({ parts }, index) => plan[index]?.channel === 'call' && parts.some(({ state }) => state === 'taken'),
  )
  return step === -1 ? null : step
}

/** Takes the same time wherever two codes of the same length differ. */
function isSameCode(code: string, given: string): boolean {
  let difference = code.length ^ given.length
  for (let at = 0; at < code.length; at += 1) difference |= code.charCodeAt(at) ^ given.charCodeAt(at)
  return difference === 0 && code.length > 0
}
