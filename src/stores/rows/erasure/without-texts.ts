/** Removes texts from a message's plan and journey. */
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
