/**
 * Which commands of a batch are done together. Commands of one kind share their statements; but nobody overtakes a command
 * that may be about the same things, so that calls take effect in the order in which they were made.
 */
import type { Command, CommandName } from './commands.ts'

export interface Stage {
  readonly name: CommandName
  /** Places of its commands in the batch. */
  readonly places: number[]
}

/** Of these it does not matter what else comes before or after: what they are about is not under way otherwise. */
const FREE: ReadonlySet<CommandName> = new Set<CommandName>(['accept', 'countClicks', 'recordInbound'])

export function planStages(batch: readonly Command[]): readonly Stage[] {
  const stages: Stage[] = []
  for (const [place, { name }] of batch.entries()) {
    const last = stages.findLastIndex((stage) => stage.name === name)
    const mayJoin = last >= 0 && (FREE.has(name) || stages.slice(last + 1).every((stage) => FREE.has(stage.name)))
    if (mayJoin) stages[last]?.places.push(place)
    else stages.push({ name, places: [place] })
  }
  return stages
}
