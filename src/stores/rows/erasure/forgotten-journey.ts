/** The journey of a message to an erased recipient. */
import { changeJourney } from '../messages/message-row.ts'

/**
 * Increments the version and removes the client's trace and carriers' ids: some are derived from the phone, and
 * carriers can look up the others.
 */
export function withoutRefs(journey: string): string {
  return changeJourney(journey, ({ trace: _, ...walk }) => {
    const steps = walk.steps.map((step) => ({ ...step, parts: step.parts.map((part) => ({ ...part, ref: null })) }))
    return { ...walk, version: walk.version + 1, steps }
  })
}
