/**
 * Which commands of a batch are done together. Deeds of one kind share their statements; but nobody overtakes a command
 * that may be about the same things, so that calls take effect in the order in which they were made.
 */
import type { Command, Deed } from './deeds.ts'

export interface Stage {
  readonly deed: Deed
  /** Places of its commands in the batch. */
  readonly places: number[]
}

/** Of these it does not matter what else comes before or after: what they are about is not under way otherwise. */
const FREE: ReadonlySet<Deed> = new Set<Deed>(['accept', 'countClicks', 'recordInbound'])

export function planStages(batch: readonly Command[]): readonly Stage[] {
  const stages: Stage[] = []
  for (const [place, { deed }] of batch.entries()) {
    const last = stages.findLastIndex((stage) => stage.deed === deed)
    const mayJoin = last >= 0 && (FREE.has(deed) || stages.slice(last + 1).every((stage) => FREE.has(stage.deed)))
    if (mayJoin) stages[last]?.places.push(place)
    else stages.push({ deed, places: [place] })
  }
  return stages
}
