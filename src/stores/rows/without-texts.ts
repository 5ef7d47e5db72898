/** Removes texts from a message's plan and journey. */

interface KeptJourney {
  readonly version: number
  readonly steps: readonly { readonly detail: unknown }[]
}

/** Returns plan and journey without texts of clients and carriers, with the next version; null if they have none. */
export function withoutTexts([plan, journey]: readonly [string, string]):
  | readonly [plan: string, journey: string]
  | null {
  const steps: readonly { readonly content?: unknown }[] = JSON.parse(plan)
  const walk: KeptJourney = JSON.parse(journey)
  const isBare = steps.every((step) => step.content === undefined) && walk.steps.every((step) => step.detail === null)
  if (isBare) return null
  return [
    JSON.stringify(steps.map(({ content: _, ...step }) => step)),
    JSON.stringify({
      ...walk,
      version: walk.version + 1,
      steps: walk.steps.map((step) => ({ ...step, detail: null })),
    }),
  ]
}
