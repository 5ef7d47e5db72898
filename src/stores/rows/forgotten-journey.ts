/** The journey of a message to somebody who was forgotten. */

interface KeptJourney {
  readonly version: number
  readonly steps: readonly { readonly parts: readonly { readonly ref: string | null }[] }[]
}

/** One version on, and without carriers' ids: some are made of the phone, and all lead to what carriers know of it. */
export function withoutRefs(journey: string): string {
  const walk: KeptJourney = JSON.parse(journey)
  const steps = walk.steps.map((step) => ({ ...step, parts: step.parts.map((part) => ({ ...part, ref: null })) }))
  return JSON.stringify({ ...walk, version: walk.version + 1, steps })
}
