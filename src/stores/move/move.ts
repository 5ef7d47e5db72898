/**
 * Moves an installation from one database to another, table by table and batch by batch. Each batch is written together
 * with the progress, so that an interrupted move continues where it stopped. The source is not changed except for its
 * mark, and counts that are summed up.
 */
import { StoreError } from '../../ports/records/store-errors.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { PHONE_SECRET_PLACE } from '../rows/sealing/seal-place.ts'
import { CROSSINGS, type Crossing, readingOf } from './crossings.ts'
import { BEGINNING, type MoveMark, type MovePlace } from './mark.ts'
import type { MoveEnd } from './move-end.ts'

const BATCH_ROWS = 2_000
const BATCH_LARGE_ROWS = 100

export interface MoveProgress {
  /** The current action, in a few words. */
  readonly doing: string
  readonly rows: number
  readonly of: number
}

export interface MoveTools {
  readonly source: MoveEnd
  readonly target: MoveEnd
  readonly vault: Vault
  /** For a new move. */
  readonly newId: () => string
  readonly onProgress: (progress: MoveProgress) => void
}

export interface Moved {
  /** Written now; fewer than all if this continued an interrupted move. */
  readonly rows: number
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  readonly openMessages: number
  readonly pendingReports: number
}

/** Rejects with a StoreError; then nothing was changed, or the move can be repeated. */
export async function move(tools: MoveTools): Promise<Moved> {
  const { source, target, onProgress } = tools
  if (!(await source.enter())) throw new StoreError(`there is no installation in ${source.name}`)
  await checkKey(tools)
  const { id, isNew } = await recognize(tools, await target.enter())
  if (isNew) {
    onProgress({ doing: 'checking the ledger', rows: 0, of: 0 })
    await checkLedger(source)
    await source.setMark({ id, direction: 'out', other: target.name, place: BEGINNING })
    await target.prepare()
    await target.setMark({ id, direction: 'in', other: source.name, place: BEGINNING })
  }
  await source.hold()
  const from = (await target.mark())?.place ?? BEGINNING
  const counts = await countAll(source)
  const all = counts.reduce((sum, count) => sum + count, 0)
  const rows = await copy(tools, from, all)
  onProgress({ doing: 'checking', rows: all, of: all })
  await target.settle(await source.counters())
  const [openMessages, pendingReports] = await check(tools, counts)
  const { lastNode } = await target.counters()
  await source.setMark({ id, direction: 'out', other: target.name, place: { ...BEGINNING, targetNode: lastNode } })
  await target.setMark(null)
  return {
    rows: rows - from.rows,
    tables: CROSSINGS.map(({ table }, index) => ({ table, rows: counts[index] ?? 0 })),
    openMessages,
    pendingReports,
  }
}

async function checkKey({ source, vault }: MoveTools): Promise<void> {
  const [key, secret] = await source.seal()
  try {
    vault.use(key)
    vault.openAt(secret, PHONE_SECRET_PLACE)
  } catch (error) {
    throw new StoreError(`${source.name}: ${(error as Error).message}`, { cause: error })
  }
}

/** Returns whether this is a new move or an interrupted one, and its id. Throws a StoreError if it is neither. */
async function recognize({ source, target, newId }: MoveTools, isTaken: boolean) {
  const [here, there] = [await source.mark(), isTaken ? await target.mark() : null]
  if (here?.direction === 'in') {
    throw new StoreError(`${source.name} is incomplete: a move from ${here.other} to it is not finished`)
  }
  if (here?.direction === 'undone') {
    throw new StoreError(`${source.name} is an old copy: the move from ${here.other} to it was undone`)
  }
  if (there !== null) return { id: resumedId(here, there, target), isNew: false }
  if (here !== null && here.other !== target.name) throw new StoreError(movedElsewhere(source, here))
  if (isTaken) {
    const already = here === null ? '' : `, and ${source.name} was moved there`
    throw new StoreError(`${target.name} already contains an installation${already}: nothing was changed`)
  }
  if (here?.place.targetNode !== undefined) throw new StoreError(nothingLeft(source, here))
  return { id: here?.id ?? newId(), isNew: true }
}

function resumedId(here: MoveMark | null, there: MoveMark, target: MoveEnd): string {
  if (here?.id === there.id && there.direction === 'in') return there.id
  throw new StoreError(
    there.direction === 'in'
      ? `${target.name} is the target of another unfinished move, from ${there.other}: finish that one, or choose another target`
      : `${target.name} contains an old copy of the installation in ${there.other}: choose another target`,
  )
}

/** The installation may have gone on from there: a second copy of the old one would send the same messages. */
function nothingLeft({ name }: MoveEnd, { other }: MoveMark): string {
  return (
    `the installation in ${name} was moved to ${other}, and nothing is left there: if it was lost there, ` +
    'undo the move with posthorn move --undo --yes and move again; if it was moved on, use it where it is now'
  )
}

function movedElsewhere(source: MoveEnd, here: MoveMark): string {
  return (
    `the installation in ${source.name} was moved to ${here.other}, or is being moved: ` +
    'choose that target, or undo the move with posthorn move --undo'
  )
}

async function checkLedger(end: MoveEnd): Promise<void> {
  const sentences = await end.verifyLedger()
  if (sentences.length > 0)
    throw new StoreError([`the ledger of ${end.name} has discrepancies`, ...sentences].join('\n'))
}

async function countAll(end: MoveEnd): Promise<readonly number[]> {
  const counts: number[] = []
  for (const crossing of CROSSINGS) counts.push(await end.count(crossing))
  return counts
}

/** Returns the number of rows copied since the beginning of the move. */
async function copy(tools: MoveTools, from: MovePlace, all: number): Promise<number> {
  let place = from
  for (const [table, crossing] of CROSSINGS.entries()) {
    if (table < from.table) continue
    tools.onProgress({ doing: crossing.table, rows: place.rows, of: all })
    const after = table === from.table ? from.after : null
    place = await copyTable(tools, crossing, { table, after, rows: place.rows }, all)
  }
  return place.rows
}

/** Reads the next batch while one is being written. */
async function copyTable(tools: MoveTools, crossing: Crossing, from: MovePlace, all: number): Promise<MovePlace> {
  const { source, target, onProgress } = tools
  const reading = readingOf(crossing, source.kind)
  const columns = reading.map(([column]) => column)
  const most = crossing.large === true ? BATCH_LARGE_ROWS : BATCH_ROWS
  let place = from
  let writing = Promise.resolve()
  for (;;) {
    const read = source.read(crossing, reading, place.after, most)
    const [{ rows, after }] = await Promise.all([read, writing])
    onProgress({ doing: crossing.table, rows: place.rows, of: all })
    if (rows.length === 0) return place
    place = { table: place.table, after, rows: place.rows + rows.length }
    writing = target.write(crossing, columns, rows, place)
    // Its failure is handled with the next batch.
    writing.catch(() => {})
  }
}

/** Throws a StoreError unless all rows have arrived. Returns what is open. */
async function check({ source, target }: MoveTools, counts: readonly number[]) {
  const arrived = await countAll(target)
  const wrong = CROSSINGS.flatMap(({ table }, index) => {
    return arrived[index] === counts[index] ? [] : [`${table} has ${arrived[index]} rows instead of ${counts[index]}`]
  })
  const [open, openThere] = [await source.open(), await target.open()]
  if (open.join() !== openThere.join())
    wrong.push(`${openThere.join(' and ')} open messages and reports instead of ${open.join(' and ')}`)
  if (wrong.length > 0) throw new StoreError([`${target.name} is incomplete`, ...wrong].join('\n'))
  await checkLedger(target)
  return open
}
