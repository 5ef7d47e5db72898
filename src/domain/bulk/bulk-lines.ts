/** The lines of a bulk: how uploaded ones are added, and how the run proceeds over them. */
import type { UsageGuard } from '../guards/guards.ts'
import { toMicros } from '../money/money.ts'
import { type Bulk, MAX_BULK_ERRORS, paused } from './bulk.ts'

/** A line that passed its checks: its number, and the JSON array of its values. */
export interface BulkLine {
  readonly line: number
  readonly phone: string
  /** The client's id of the line as a JSON token; null without one. */
  readonly id: string | null
  /** Of the placeholders, by name. */
  readonly values: Readonly<Record<string, string>>
}

/** Why a line is refused: a text for the client, or what the store found. */
export type LineCause =
  | { readonly text: string; readonly field: string | null }
  | { readonly guard: UsageGuard; readonly of: 'messages' | 'money' }

export interface LineError {
  readonly line: number
  readonly cause: LineCause
}

/** Lines of an upload that follow each other, the refused ones apart. */
export interface LineBlock {
  /** The first line and the last one, whether they were refused or not. */
  readonly first: number
  readonly last: number
  readonly lines: readonly BulkLine[]
  readonly errors: readonly LineError[]
  /** The most that each of the lines can cost, in micros. */
  readonly prices: readonly number[]
  /** Lines that were dropped because the bulk has their phone already; absent if it sends to duplicates too. */
  readonly duplicates?: number
}

/** Returns the bulk with the block; null if it takes no lines now or the block does not follow its last line. */
export function withBlock(bulk: Bulk, { first, last, errors, prices, duplicates = 0 }: LineBlock): Bulk | null {
  if (bulk.state !== 'uploading' || bulk.lines !== first - 1) return null
  return {
    ...bulk,
    duplicates: bulk.duplicates + duplicates,
    lines: last,
    refused: bulk.refused + errors.length,
    estimateMicros: toMicros(prices.reduce((sum, price) => sum + price, bulk.estimateMicros)),
  }
}

/** Returns the bulk after so many of its waiting lines were erased. */
export function withoutLines(bulk: Bulk, count: number): Bulk {
  return { ...bulk, erased: bulk.erased + count }
}

/** Returns those of the errors that are stored. */
export function keptErrors({ refused }: Bulk, errors: readonly LineError[]): readonly LineError[] {
  return errors.slice(0, Math.max(0, MAX_BULK_ERRORS - refused))
}

export type LineOutcome = 'accepted' | 'repeated' | 'funds' | 'daily limit' | LineCause

export interface LineResult {
  readonly line: number
  readonly outcome: LineOutcome
}

/** Lines that one transaction of the run processes. */
export interface LineRange {
  /** The bulk's next line. */
  readonly from: number
  /** The last line of the range: all lines up to it are in the results, refused at the upload, or erased. */
  readonly through: number
  /** The bulk's `erased` before the lines were read. */
  readonly erased: number
}

/** Returns whether a run may process the range now: nothing was processed or erased since its lines were read. */
export function mayProcess({ state, nextLine, erased }: Bulk, range: LineRange): boolean {
  return state === 'running' && nextLine === range.from && erased === range.erased
}

/** Returns whether the run pauses before the line that had this outcome, so that no line is skipped. */
export function pausesRun(outcome: LineOutcome): outcome is 'funds' | 'daily limit' {
  return outcome === 'funds' || outcome === 'daily limit'
}

/** Returns the bulk after the range, and the errors of its lines. The last result may pause the run, at this time. */
export function processed(
  bulk: Bulk,
  { through, at }: Pick<LineRange, 'through'> & { readonly at: number },
  results: readonly LineResult[],
): { readonly bulk: Bulk; readonly errors: readonly LineError[] } {
  const last = results.at(-1)
  const reason = last !== undefined && pausesRun(last.outcome) ? last.outcome : null
  const errors = results.flatMap(({ line, outcome }) => (typeof outcome === 'string' ? [] : [{ line, cause: outcome }]))
  const countOf = (wanted: LineOutcome) => results.filter(({ outcome }) => outcome === wanted).length
  const after: Bulk = {
    ...bulk,
    nextLine: reason === null || last === undefined ? through + 1 : last.line,
    accepted: bulk.accepted + countOf('accepted'),
    repeated: bulk.repeated + countOf('repeated'),
    refused: bulk.refused + errors.length,
  }
  return { bulk: reason === null ? after : paused(after, { reason, at }), errors }
}
