/** The import of a carrier's sheet, whatever its rates become: what is asked, what is answered, and what is refused. */
import Type, { type Static } from 'typebox'
import { NO_MONEY } from '../../../domain/money/money.ts'
import type { Rate, RateKind } from '../../../domain/money/rate.ts'
import { operatorNames, readOperators } from '../../../domain/numbers/operator-table.ts'
import { writeMoment } from '../../../domain/time/moment.ts'
import type { ImportFacts } from '../../../ports/changes/routing-change.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { runInSlices } from '../../../ports/system/slices.ts'
import { readCsv } from '../fields/csv.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { FILE_NAME, nullable, readTimeField, whole } from '../fields/shapes.ts'
import { type FollowedRates, followRates, RATE_EFFECTS, riseOf } from './follow-rates.ts'
import { findPaid } from './paid-rates.ts'
import { type MoneyRate, RATE_CHANGE, viewChange, writeChanges } from './rate-changes.ts'
import { type ReadSheet, readRateLines, type SheetRate } from './rate-lines.ts'
import { faultOfColumns, guessColumns, SHEET_COLUMNS, type SheetColumns } from './sheet-columns.ts'
import { SHEET_LINES, SHEET_PROBLEM, SheetLines, SheetProblems } from './sheet-problems.ts'

const MAX_LINES = 50_000
/** Every gateway holds them in memory; a line may name many networks. */
const MAX_RATES = 60_000
const LIMITS = { maxLines: MAX_LINES, tooMany: `a sheet takes at most ${MAX_LINES} lines`, hasTitle: true }
export const SHEET_BYTES = 16 * 1024 * 1024
/** What the answer shows of a sheet, and of its effects. */
const [SHOWN_LINES, SHOWN_CELLS, SHOWN_CHARACTERS, SHOWN_CHANGES, SHOWN_NAMES] = [12, 20, 60, 10, 20]
/** An amount that changes more is probably read wrongly. */
const MAX_FACTOR = 10

export const SHEET_INPUT = {
  csv: Type.String({ description: 'the sheet as text: cells separated by commas, semicolons or tabs' }),
  file: FILE_NAME,
  columns: Type.Optional(SHEET_COLUMNS),
  decimal: Type.Optional(Type.Enum(['.', ','], { description: 'decimal sign; read from the amounts by default' })),
  from: Type.Optional(
    nullable(Type.String(), { description: 'first day or time (RFC 3339) of validity; at once by default' }),
  ),
  replace: Type.Optional(Type.Boolean({ description: 'the sheet is complete: end what it does not name' })),
  skip_wrong: Type.Optional(Type.Boolean({ description: 'leave out wrong lines' })),
  dry_run: Type.Optional(Type.Boolean({ description: 'change nothing, only show what would change' })),
  confirm: Type.Optional(Type.Boolean({ description: 'accept changes that are probably a mistake' })),
  csv_changes: Type.Optional(Type.Boolean({ description: 'answer with all changes as CSV' })),
}

type SheetInput = { readonly [Name in keyof typeof SHEET_INPUT]?: Static<(typeof SHEET_INPUT)[Name]> } & {
  readonly csv: string
}

export const SHEET_RESULT = {
  applied: Type.Boolean(),
  columns: SHEET_COLUMNS,
  columns_fault: nullable(Type.String(), { description: 'why no line can be read with the columns' }),
  decimal: nullable(Type.Enum(['.', ','])),
  sample: Type.Array(Type.Array(Type.String()), { description: `the first ${SHOWN_LINES} lines` }),
  from: Type.String(),
  lines: whole({ description: 'lines with an amount' }),
  wrong: whole({ description: 'wrong lines' }),
  problems: Type.Array(SHEET_PROBLEM),
  unpriced: SHEET_LINES,
  kept: whole({ description: 'rates that a complete sheet does not end: it names them, but has no valid price' }),
  rates: whole({ description: 'rates that the sheet has' }),
  effects: Type.Object({ raised: whole(), lowered: whole(), added: whole(), ended: whole(), unchanged: whole() }),
  new_rates: whole({ description: 'of raised, lowered and added: rates for numbers that had none of their own' }),
  changes: Type.Array(RATE_CHANGE, {
    description: `the first ${SHOWN_CHANGES} of each effect, the largest rises first`,
  }),
  csv: nullable(Type.String(), { description: 'all changes, and all networks that the table does not have' }),
  unknown_networks: Type.Object({ count: whole(), first: Type.Array(Type.String()) }),
  also_covered: Type.Array(Type.String(), {
    description:
      'countries that the sheet does not name, for which a prefix of another holds where nothing more exact is set',
  }),
  doubt: nullable(Type.String(), { description: 'why the change needs confirm' }),
}

/** Makes rates of a kind from those of a sheet. */
interface RateMaker<T extends MoneyRate> {
  readonly kind: RateKind<T>
  /** Those that the sheet may end or change. */
  readonly stored: readonly T[]
  /** Lists whose rates are paid where the stored ones have none, those that win first. */
  readonly wider: readonly (readonly T[])[]
  readonly make: (rate: SheetRate, from: number) => T & { readonly from: number }
}

interface SheetContext {
  readonly now: number
  /** The text of an OperatorTable. */
  readonly operators: string
  /** The only currency that the sheet may have; null for any. */
  readonly currency: string | null
}

export interface SheetPlan<T> extends FollowedRates<T> {
  /** When what the sheet names begins. */
  readonly from: number
  /** For the audit log. */
  readonly facts: ImportFacts
  /** The answer, with `applied` false. */
  readonly view: Static<ReturnType<typeof Type.Object<typeof SHEET_RESULT>>>
}

/** Returns what the sheet changes. Throws ChangeRefused if it is to be changed and must not be. */
export async function planSheet<T extends MoneyRate>(
  { csv, dry_run: dryRun = false, skip_wrong: skipWrong = false, confirm = false, ...input }: SheetInput,
  { now, operators, currency }: SheetContext,
  { kind, stored, wider, make }: RateMaker<T>,
): Promise<SheetPlan<T>> {
  const lines = await readCsv(csv, LIMITS)
  const sample = lines.slice(0, SHOWN_LINES).map(({ cells }) => cells)
  const columns = input.columns ?? guessColumns(lines.map(({ cells }) => cells))
  const fault = faultOfColumns(columns)
  if (fault !== null && !dryRun) throw new FieldRefused('columns', fault)
  const options = { columns, decimal: input.decimal ?? null, currency, operators: codesIn(operators) }
  const sheet = fault === null ? await runInSlices(readRateLines(lines, options)) : NOTHING
  const named = sheet.rates.length + sheet.unrated.length
  if (named > MAX_RATES) {
    throw new FieldRefused('csv', `has ${named} rates, at most ${MAX_RATES}: a line has one for each network`)
  }
  // A day of the past counts as now: what was charged stays as it is.
  const from = Math.max(now, readTimeField('from', input.from ?? null) ?? now)
  const wanted = sheet.rates.map((rate) => make(rate, Math.max(from, rate.from ?? from)))
  const nothing = { priceMicros: NO_MONEY, currency: null, from: null, line: 0 }
  const unrated = new Set(sheet.unrated.map((each) => kind.describe(make({ ...each, ...nothing }, from))))
  const endOthersAt = input.replace === true ? from : null
  const paid = await runInSlices(findPaid([stored, ...wider], operators))
  const followed = await runInSlices(followRates(kind, stored, wanted, { endOthersAt, unrated, paid }))
  const valid = stored.filter(({ until }) => until === null || until > from)
  const doubt = doubtOf(followed, valid, sheet)
  if (!dryRun) refuseWrong(sheet, { skipWrong, doubt: confirm ? null : doubt })
  const view = {
    ...viewSheet(sheet, { columns, fault, sample }),
    ...viewEffects(followed, operators),
    csv: input.csv_changes === true ? writeChanges(followed.changes, { operators, unknown: sheet.unknown }) : null,
    from: writeMoment(from),
    doubt,
  }
  const facts = { ...(input.file === undefined ? {} : { file: input.file }), from: view.from, ...view.effects }
  return { ...followed, from, facts, view: { applied: false, ...view } }
}

const NOTHING: ReadSheet = {
  ...{ rates: [], problems: new SheetProblems(), decimal: null, lines: 0 },
  ...{ unpriced: new SheetLines(), unrated: [], unknown: [], alsoCovered: [] },
}

function codesIn(operators: string): ReadonlySet<string> {
  return new Set(readOperators(operators).map(({ operator }) => operator))
}

function refuseWrong(
  { problems, rates }: ReadSheet,
  { skipWrong, doubt }: { readonly skipWrong: boolean; readonly doubt: string | null },
): void {
  if (problems.count > 0 && !skipWrong) {
    const kinds = problems.list().map(({ detail, count, lines: [first] }) => {
      return `${detail}: ${count}, the first in line ${first?.line} (${first?.text})`
    })
    const what = problems.count === 1 ? '1 line is wrong' : `${problems.count} lines are wrong`
    throw new ChangeRefused([`${what}; to leave them out, add --skip-wrong (skip_wrong: true)`, ...kinds].join('\n'))
  }
  if (rates.length === 0) throw new ChangeRefused('the sheet has no rates')
  if (doubt !== null) throw new ChangeRefused(`${doubt}; to do it anyway, add --confirm (confirm: true)`)
}

function doubtOf<T extends Rate>(
  { changes }: FollowedRates<T>,
  /** Rates that are valid then, or later. */
  valid: readonly T[],
  { rates }: ReadSheet,
): string | null {
  const ended = changes.filter(({ effect }) => effect === 'ended').length
  if (ended > 0 && ended > valid.length / 2) return `the sheet ends ${ended} of ${valid.length} rates`
  const far = changes.filter((change) => {
    const rise = riseOf(change)
    const isOld = !change.isNew && change.before !== null && change.after !== null
    return isOld && (rise > MAX_FACTOR || rise < 1 / MAX_FACTOR)
  })
  const times = `more than ${MAX_FACTOR} times`
  return far.length === 0
    ? null
    : `${far.length} of ${rates.length} amounts are ${times} what they were, or that much less`
}

function viewSheet(
  { lines, problems, unpriced, rates, decimal, unknown, alsoCovered }: ReadSheet,
  shown: {
    readonly columns: SheetColumns
    readonly fault: string | null
    readonly sample: readonly (readonly string[])[]
  },
) {
  return {
    columns: shown.columns,
    columns_fault: shown.fault,
    decimal,
    sample: shown.sample.map((cells) => cells.slice(0, SHOWN_CELLS).map((cell) => cell.slice(0, SHOWN_CHARACTERS))),
    lines,
    wrong: problems.count,
    problems: problems.list(),
    unpriced: unpriced.view(),
    rates: rates.length,
    unknown_networks: { count: unknown.length, first: unknown.slice(0, SHOWN_NAMES) },
    also_covered: [...alsoCovered],
  }
}

function viewEffects<T extends MoneyRate>({ changes, unchanged, kept }: FollowedRates<T>, operators: string) {
  const names = operatorNames(operators)
  const of = (effect: string) => changes.filter((change) => change.effect === effect)
  const [raised, lowered, added, ended] = RATE_EFFECTS.map((effect) => of(effect).length) as [
    number,
    number,
    number,
    number,
  ]
  return {
    effects: { raised, lowered, added, ended, unchanged },
    new_rates: changes.filter(({ isNew }) => isNew).length,
    kept,
    changes: RATE_EFFECTS.flatMap((effect) =>
      of(effect)
        .slice(0, SHOWN_CHANGES)
        .map((change) => viewChange(change, names)),
    ),
  }
}
