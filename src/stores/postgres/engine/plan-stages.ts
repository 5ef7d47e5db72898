/**
 * Groups the commands of a batch into stages. Commands of one kind share their statements, but none overtakes a command
 * that may concern the same rows, so that calls take effect in order.
 */
import type { Command, CommandName } from './commands.ts'

export interface Stage {
  readonly name: CommandName
  /** Indexes of its commands in the batch. */
  readonly places: number[]
}

/** The order of these does not matter: no other command in progress concerns their rows. */
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
