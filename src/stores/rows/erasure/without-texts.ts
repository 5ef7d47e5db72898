/** Removes texts from a message's plan and journey, and what identifies an erased recipient. */
import { changeJourney, readJourney } from '../messages/message-row.ts'

/** Returns plan and journey without texts of clients and carriers, with the next version; null if they have none. */
export function withoutTexts([plan, journey]: readonly [string, string]):
  | readonly [plan: string, journey: string]
  | null {
  const steps: readonly { readonly content?: unknown }[] = JSON.parse(plan)
  const isBare =
    steps.every((step) => step.content === undefined) &&
    readJourney(journey).steps.every((step) => step.detail === null)
  if (isBare) return null
  return [
    JSON.stringify(steps.map(({ content: _, ...step }) => step)),
    changeJourney(journey, (walk) => ({
      ...walk,
      version: walk.version + 1,
      steps: walk.steps.map((step) => ({ ...step, detail: null })),
    })),
  ]
}

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
