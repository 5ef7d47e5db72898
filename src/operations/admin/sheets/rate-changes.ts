/** What a sheet changes, as its preview shows it and as a file for spreadsheets. */
import Type, { type Static } from 'typebox'
import { toDecimal } from '../../../domain/money/money.ts'
import type { Rate } from '../../../domain/money/rate.ts'
import { operatorNames } from '../../../domain/numbers/operator-table.ts'
import { writeMoment } from '../../../domain/time/moment.ts'
import { plainCell, writeCsv } from '../fields/csv.ts'
import { nullable } from '../fields/shapes.ts'
import { countryOfNumbers } from '../rates/filter-rates.ts'
import { RATE_EFFECTS, type RateChange } from './follow-rates.ts'

const CURRENCY = nullable(Type.String(), { description: 'null for that of the installation' })

export const RATE_CHANGE = Type.Object({
  effect: Type.Enum([...RATE_EFFECTS]),
  country: nullable(Type.String(), { description: 'ISO 3166; null if the numbers are of several' }),
  is_new: Type.Boolean({ description: 'exactly these numbers had no rate of their own' }),
  prefix: Type.String(),
  operator: nullable(Type.String()),
  network: nullable(Type.String(), { description: 'name of the operator' }),
  before: nullable(Type.Number(), { description: 'what the numbers had, also by a rate for more numbers' }),
  before_currency: CURRENCY,
  after: nullable(Type.Number()),
  after_currency: CURRENCY,
  from: nullable(Type.String()),
})

/** A price, or a cost, which may have the currency of the installation. */
export type MoneyRate = Rate & { readonly currency: string | null }

export function viewChange(
  { effect, isNew, before, after }: RateChange<MoneyRate>,
  names: ReadonlyMap<string, string>,
): Static<typeof RATE_CHANGE> {
  const { prefix = '', operator = null } = after ?? before ?? {}
  const amountOf = (rate: Rate | null) => (rate === null ? null : toDecimal(rate.priceMicros))
  const from = after?.from ?? null
  return {
    effect,
    is_new: isNew,
    country: countryOfNumbers({ prefix, operator }),
    prefix,
    operator,
    network: operator === null ? null : (names.get(operator) ?? null),
    before: amountOf(before),
    before_currency: before?.currency ?? null,
    after: amountOf(after),
    after_currency: after?.currency ?? null,
    from: from === null ? null : writeMoment(from),
  }
}

interface ChangedTable {
  /** The text of an OperatorTable. */
  readonly operators: string
  /** Networks of the sheet that it does not have. */
  readonly unknown: readonly string[]
}

const HEADS = [
  ...['effect', 'country', 'prefix', 'mccmnc', 'network', 'in_table', 'before', 'before_currency', 'after'],
  ...['after_currency', 'percent', 'from', 'is_new'],
] as const

/** Networks that the table does not have are lines too if their rates stay. */
export function writeChanges(changes: readonly RateChange<MoneyRate>[], { operators, unknown }: ChangedTable): string {
  const names = operatorNames(operators)
  const missing = new Set(unknown)
  const rows = changes.map((change) => {
    const { effect, is_new: isNew, country, prefix, operator, network, ...view } = viewChange(change, names)
    const inTable = operator === null ? '' : missing.has(operator) ? 'no' : 'yes'
    const amounts = [
      view.before,
      view.before_currency,
      view.after,
      view.after_currency,
      percentOf(change),
      view.from,
      isNew ? 'yes' : '',
    ]
    return [effect, country, prefix, operator, plainCell(network ?? ''), inTable, ...amounts]
  })
  const changed = new Set(changes.map(({ before, after }) => (after ?? before)?.operator))
  const others = unknown
    .filter((operator) => !changed.has(operator))
    .map((operator) => ['unchanged', countryOfNumbers({ prefix: '', operator }), '', operator, '', 'no'])
  const cells = [...rows, ...others].map((row) => HEADS.map((_, at) => String(row[at] ?? '')))
  return writeCsv([HEADS, ...cells])
}

/** Null if the amounts cannot be compared. With one decimal. */
function percentOf({ before, after }: RateChange<MoneyRate>): number | null {
  if (before === null || after === null || before.currency !== after.currency || before.priceMicros === 0) return null
  return Math.round((after.priceMicros / before.priceMicros - 1) * 1000) / 10
}
