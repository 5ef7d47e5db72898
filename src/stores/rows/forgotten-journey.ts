/** The journey of a message to an erased recipient. */

interface KeptJourney {
  readonly version: number
  readonly trace?: string
  readonly steps: readonly { readonly parts: readonly { readonly ref: string | null }[] }[]
}

/**
 * Increments the version and removes the client's trace and carriers' ids: some are derived from the phone, and
 * carriers can look up the others.
 */
export function withoutRefs(journey: string): string {
  const { trace: _, ...walk }: KeptJourney = JSON.parse(journey)
  const steps = walk.steps.map((step) => ({ ...step, parts: step.parts.map((part) => ({ ...part, ref: null })) }))
  return JSON.stringify({ ...walk, version: walk.version + 1, steps })
}
