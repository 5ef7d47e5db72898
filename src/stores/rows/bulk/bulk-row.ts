/** Bulks as rows. What changes is in `facts`, as JSON, beside the columns that queries need. */
import {
  type Bulk,
  type BulkMove,
  type BulkTotals,
  type BulkView,
  hasEnded,
  keptSince,
  runnerDueAt,
} from '../../../domain/bulk/bulk.ts'
import type { BulkLine, LineCause, LineError } from '../../../domain/bulk/bulk-lines.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import type { Status } from '../../../domain/message/status.ts'
import { NO_MONEY, toMicros } from '../../../domain/money/money.ts'
import { formsOf, type Phone } from '../../../domain/numbers/phone.ts'
import type { BulkOrder, StoredLines } from '../../../ports/stores/bulk-store.ts'
import type { Cell } from '../cells/cell.ts'

/** The amount of work, for the queue of commands. */
export function rowsOfBulkOrder(order: BulkOrder): number {
  return order.kind === 'send lines' ? order.request.items.length + 1 : 1
}

/** Columns that never change. */
export const BULK_IDENTITY = 'bulk_id, account_id, test, message'
export const BULK_COLUMNS = `${BULK_IDENTITY}, facts`

export type BulkRow = [bulkId: BulkId, accountId: AccountId, test: number, message: string, facts: string]

/** Whether it has not ended, when the runner looks at it, since when it is only kept, and everything that changes. */
export type BulkState = readonly [open: number, dueAt: number | null, keptSince: number | null, facts: string]

/** The columns of BulkState. */
export const BULK_STATE = 'open, due_at, kept_since, facts'

type Facts = Omit<Bulk, 'id' | 'accountId' | 'test' | 'message'>

export function identityCells({ id, accountId, test, message }: Bulk): readonly Cell[] {
  return [id, accountId, Number(test), message]
}

export function stateCells(bulk: Bulk): BulkState {
  const { id: _, accountId: __, test: ___, message: ____, ...facts } = bulk
  return [Number(!hasEnded(bulk)), runnerDueAt(bulk), keptSince(bulk), JSON.stringify(facts satisfies Facts)]
}

export function readBulk([id, accountId, test, message, facts]: BulkRow): Bulk {
  return { id, accountId, test: test === 1, message, ...readFacts(facts) }
}

/** Bulks that were written before they had the time of their pause, or counted duplicates, lack it. */
function readFacts(facts: string): Facts {
  const read: Facts = JSON.parse(facts)
  return { ...read, pausedAt: read.pausedAt ?? null, duplicates: read.duplicates ?? 0 }
}

export type BulkTotalRow = [bulkId: number, status: Status, messages: number, micros: number]
export const BULK_TOTAL_COLUMNS = 'bulk_id, status, messages, micros'

function totalsOf(rows: readonly BulkTotalRow[]): BulkTotals {
  const charged = rows.reduce((sum, [, , , micros]) => sum + micros, 0)
  return {
    statuses: Object.fromEntries(rows.map(([, status, messages]) => [status, messages])),
    chargedMicros: charged === 0 ? NO_MONEY : toMicros(charged),
  }
}

/** Returns the bulks with their totals. */
export function viewsOf(bulks: readonly Bulk[], rows: readonly BulkTotalRow[]): readonly BulkView[] {
  const byBulk = Map.groupBy(rows, ([bulkId]) => bulkId)
  return bulks.map((bulk) => ({ ...bulk, totals: totalsOf(byBulk.get(bulk.id) ?? []) }))
}

/** The change of a bulk's totals by one turn, as a row. */
export type MoveRow = readonly [bulkId: BulkId, from: Status, to: Status, micros: number]

export function toMoveRow(move: BulkMove | undefined): MoveRow | null {
  return move === undefined ? null : [move.bulkId, move.from, move.to, move.chargedMicros]
}

/** Returns what the moves add to the totals: one row for each bulk and status. */
export function addedTotals(moves: readonly MoveRow[]): readonly BulkTotalRow[] {
  const sums = new Map<string, BulkTotalRow>()
  const add = (bulkId: BulkId, status: Status, messages: number, micros: number) => {
    const name = `${bulkId} ${status}`
    const [, , before, charged] = sums.get(name) ?? [bulkId, status, 0, 0]
    sums.set(name, [bulkId, status, before + messages, charged + micros])
  }
  for (const [bulkId, from, to, micros] of moves) {
    add(bulkId, from, -1, 0)
    add(bulkId, to, 1, micros)
  }
  return [...sums.values()].filter(([, , messages, micros]) => messages !== 0 || micros !== 0)
}

/** Returns the lines of a block from this one on. */
export function linesFrom([last, lines]: BlockRow, from: number): StoredLines {
  return { last, lines: readLines(lines).filter(({ line }) => line >= from) }
}

function readLines(lines: string): readonly BulkLine[] {
  return JSON.parse(lines) as readonly BulkLine[]
}

/** Blocks that one order erases lines from. */
export const ERASED_BLOCKS = 20

/** Its lines, a list in JSON. */
export type BlockRow = [last: number, lines: string]

/** A block without the lines of a phone. */
export interface ErasedBlock {
  readonly last: number
  readonly erased: number
  readonly lines: readonly BulkLine[]
}

/** Returns the blocks that have lines of the phone, without them. Those before `from` had their turn: not counted. */
export function withoutPhone(
  rows: readonly BlockRow[],
  { phone, from }: { readonly phone: Phone; readonly from: number },
): readonly ErasedBlock[] {
  const forms = new Set<string>(formsOf(phone))
  return rows.flatMap(([last, block]) => {
    const lines = readLines(block)
    const kept = lines.filter((line) => !forms.has(line.phone))
    const erased = lines.filter(({ line, ...each }) => forms.has(each.phone) && line >= from).length
    return kept.length === lines.length ? [] : [{ last, erased, lines: kept }]
  })
}

/** Returns where the next order begins. */
export function nextBlocks(rows: readonly BlockRow[]): number | null {
  return rows.length === ERASED_BLOCKS ? (rows.at(-1)?.[0] ?? null) : null
}

export type ErrorRow = [line: number, cause: string]

export function errorRow({ line, cause }: LineError): ErrorRow {
  return [line, JSON.stringify(cause)]
}

export function readLineError([line, cause]: ErrorRow): LineError {
  return { line, cause: JSON.parse(cause) as LineCause }
}
