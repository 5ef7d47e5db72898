/** Undoes a move: the source may be used again, and the copy no longer. */
import { StoreError } from '../../ports/records/store-errors.ts'
import { CROSSINGS } from './crossings.ts'
import { BEGINNING, type MoveMark } from './mark.ts'
import { type Counters, EndUnreachable, type MoveEnd } from './move-end.ts'

export interface UndoTools {
  readonly source: MoveEnd
  /** Returns the other end by its name in the mark; null if that is not enough to find it. */
  readonly targetOf: (name: string) => MoveEnd | null
  /** Whether the operator vouches for a target that cannot be checked, or gives up what was done there. */
  readonly isConfirmed: boolean
}

/**
 * Locks the target and unlocks the source. Returns the name of the target. Rejects with a StoreError, and changes
 * nothing, if a process works on the target, or if the installation was moved on from there.
 */
export async function undoMove({ source, targetOf, isConfirmed }: UndoTools): Promise<string> {
  if (!(await source.enter())) throw new StoreError(`there is no installation in ${source.name}`)
  const mark = await source.mark()
  if (mark === null) throw new StoreError(`the installation in ${source.name} was not moved`)
  if (mark.direction === 'in') {
    throw new StoreError(`${source.name} is the target of an unfinished move from ${mark.other}: it cannot be used`)
  }
  const target = targetOf(mark.other)
  if (target === null) throw new StoreError(`give the place of ${mark.other} with --to: what was done there is unknown`)
  if (target.name !== mark.other) {
    throw new StoreError(`the installation in ${source.name} was moved to ${mark.other}, not to ${target.name}`)
  }
  if (mark.direction === 'undone' && !isConfirmed) throw new StoreError(givenUp(source.name, mark.other))
  if (await isThere(target, mark, isConfirmed)) await lock({ source, target, mark, isConfirmed })
  await source.setMark(null)
  return mark.other
}

/** Returns false if nothing is left there, or if the operator vouches for it. */
async function isThere(target: MoveEnd, mark: MoveMark, isConfirmed: boolean): Promise<boolean> {
  try {
    const isFound = await target.enter()
    // Of an unfinished move, nothing can have worked there.
    if (isFound || mark.place.targetNode === undefined) return isFound
  } catch (error) {
    if (!(error instanceof EndUnreachable)) throw error
    if (!isConfirmed) {
      throw new StoreError(
        `cannot check that nothing works on ${mark.other}, which would send the same messages: if it was not moved on ` +
          `from there, stop it there and add --yes (${(error as Error).message})`,
        { cause: error },
      )
    }
  }
  if (isConfirmed) return false
  throw new StoreError(
    `nothing is left in ${mark.other}: if the installation was moved on from there, use it where it is now; ` +
      'if it is lost, add --yes',
  )
}

interface Locking {
  readonly source: MoveEnd
  readonly target: MoveEnd
  readonly mark: MoveMark
  readonly isConfirmed: boolean
}

async function lock({ source, target, mark, isConfirmed }: Locking): Promise<void> {
  const there = await target.mark()
  // By the move, which was interrupted, or by an interrupted undo of this place, not of a copy of its files.
  if (there?.id === mark.id && (there.direction !== 'undone' || there.other === source.name)) return
  if (there !== null) throw new StoreError(elsewhere(source.name, target.name, there))
  if (!isConfirmed && (await wasUsed(source, target, mark))) {
    throw new StoreError(
      `a gateway or a command has worked on ${target.name} since the move, and ${source.name} does not know what was ` +
        'sent, charged and changed there: move back instead, or add --yes to give it up',
    )
  }
  await target.setMark({ id: mark.id, direction: 'undone', other: source.name, place: BEGINNING })
}

/** Returns whether the target differs from what the move left there. */
async function wasUsed(source: MoveEnd, target: MoveEnd, { place }: MoveMark): Promise<boolean> {
  const moved = place.targetNode ?? nodeMoved(await source.counters(), target)
  const { lastNode } = await target.counters()
  return lastNode !== moved || (await countChanges(source)) !== (await countChanges(target))
}

/** For a move by an older version, whose mark lacks it. Too high if PostgreSQL refused to start gateways since. */
function nodeMoved({ lastNode }: Counters, target: MoveEnd): number {
  return target.kind === 'postgres' ? lastNode + 1 : Math.max(lastNode, 1)
}

/** Commands take no number of a gateway, but every change is in the audit log. */
async function countChanges(end: MoveEnd): Promise<number> {
  const audit = CROSSINGS.find(({ table }) => table === 'audit')
  return audit === undefined ? 0 : await end.count(audit)
}

function elsewhere(source: string, target: string, { direction, other }: MoveMark): string {
  if (direction === 'out') {
    return (
      `the installation in ${source} was moved to ${target}, and from there to ${other}, or is being moved: ` +
      `use it there, or undo that move first (--from is then ${target})`
    )
  }
  if (direction === 'undone') return `the move to ${target} was undone already: use the installation in ${other}`
  return `${target} is the target of another move, from ${other}: use the installation there`
}

function givenUp(source: string, other: string): string {
  return (
    `${source} is an old copy: the move from ${other} to it was undone. Use the installation there, ` +
    'or add --yes to give up what was sent, charged and changed there since'
  )
}
