/** Undoes a move: the source may be used again, and the copy no longer. */
import { StoreError } from '../../ports/store-errors.ts'
import { BEGINNING, type MoveMark } from './mark.ts'
import { type Counters, EndInUse, type MoveEnd } from './move-end.ts'

export interface UndoTools {
  readonly source: MoveEnd
  /** Returns the other end by its name in the mark; null if its address is not known. */
  readonly targetOf: (name: string) => MoveEnd | null
  /** Whether the operator vouches for a target that cannot be checked, or gives up what was done there. */
  readonly isConfirmed: boolean
}

/**
 * Locks the target and unlocks the source. Returns the name of the target. Rejects with a StoreError, and changes
 * nothing, if a process works on the target.
 */
export async function undoMove({ source, targetOf, isConfirmed }: UndoTools): Promise<string> {
  if (!(await source.enter())) throw new StoreError(`there is no installation in ${source.name}`)
  const mark = await source.mark()
  if (mark === null) throw new StoreError(`the installation in ${source.name} was not moved`)
  if (mark.direction === 'in') {
    throw new StoreError(`${source.name} is the target of an unfinished move from ${mark.other}: it cannot be used`)
  }
  const target = targetOf(mark.other)
  if (target !== null && target.name !== mark.other) {
    throw new StoreError(`the installation in ${source.name} was moved to ${mark.other}, not to ${target.name}`)
  }
  if (await isThere(target, mark.other, isConfirmed)) await lock(source, target as MoveEnd, mark, isConfirmed)
  await source.setMark(null)
  return mark.other
}

/** Returns false if nothing is left there, or if the operator vouches for it. */
async function isThere(target: MoveEnd | null, name: string, isConfirmed: boolean): Promise<boolean> {
  try {
    if (target !== null) return await target.enter()
  } catch (error) {
    if (error instanceof EndInUse) throw error
    if (!isConfirmed) throw new StoreError(`${unchecked(name)} (${(error as Error).message})`, { cause: error })
  }
  if (!isConfirmed) throw new StoreError(`${unchecked(name)}, or give its address with --to`)
  return false
}

function unchecked(name: string): string {
  return `cannot check that nothing works on ${name}, which would send the same messages: stop it there and add --yes`
}

/** The copy of an interrupted move is locked already. */
async function lock(source: MoveEnd, target: MoveEnd, { id }: MoveMark, isConfirmed: boolean): Promise<void> {
  if ((await target.mark()) !== null) return
  const [here, there] = [await source.counters(), await target.counters()]
  if (there.lastNode > lastNodeMoved(here, target) && !isConfirmed) {
    throw new StoreError(
      `a gateway or a command has worked on ${target.name} since the move, and ${source.name} does not know what was ` +
        'sent, charged and changed there: move back instead, or add --yes to give it up',
    )
  }
  await target.setMark({ id, direction: 'out', other: source.name, place: BEGINNING })
}

/** Returns the last node number of a target on which nothing has worked since the move. */
function lastNodeMoved({ lastNode }: Counters, target: MoveEnd): number {
  return target.kind === 'postgres' ? lastNode + 1 : Math.max(lastNode, 1)
}
