/** Joins the lines of a step with the outcomes of their items. */
import type { LineOutcome, LineResult } from '../../domain/bulk/bulk-lines.ts'
import type { CheckedLine } from '../../ports/stores/bulk-store.ts'
import type { ItemOutcome } from '../../ports/stores/intake-store.ts'

/** Returns the results up to the last outcome: items without one were not processed. */
export function lineResults(lines: readonly CheckedLine[], outcomes: readonly ItemOutcome[]): readonly LineResult[] {
  const results: LineResult[] = []
  let next = 0
  for (const { line, cause } of lines) {
    if (cause === null) {
      const outcome = outcomes[next]
      if (outcome === undefined) break
      results.push({ line, outcome: lineOutcome(outcome) })
      next += 1
    } else {
      results.push({ line, outcome: cause })
    }
  }
  return results
}

/** Returns what an item's outcome means for its line. */
export function lineOutcome(outcome: ItemOutcome): LineOutcome {
  if (outcome.kind === 'unpaid') return 'funds'
  if (outcome.kind === 'limited' && outcome.guard === 'day') return 'daily limit'
  if (outcome.kind === 'limited') return { guard: outcome.guard, of: outcome.of }
  if (outcome.kind === 'accepted' || outcome.kind === 'repeated') return outcome.kind
  throw new TypeError(`the line of a bulk was answered ${outcome.kind}`)
}
