/**
 * The tariff of an account, of a price group, or the general one, in one currency as CSV:
 * `channel,prefix,operator,from,until,price`. A written tariff reads back as the same tariff.
 */
import { ROUTED_CHANNELS } from '../../../domain/channels/channel.ts'
import { parseDecimal, writeDecimal } from '../../../domain/money/money.ts'
import type { Price, PriceOwner } from '../../../domain/money/price.ts'
import { readMoment, writeMoment } from '../../../domain/time/moment.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { mapInSlices } from '../../../ports/system/slices.ts'
import { type CsvLine, readCsv, writeCsvPieces } from '../fields/csv.ts'
import { checkRate, checkRateAmount } from '../fields/label.ts'
import { WrongLines } from '../fields/wrong-lines.ts'

const COLUMNS = ['channel', 'prefix', 'operator', 'from', 'until', 'price'] as const
type Column = (typeof COLUMNS)[number]

/** Every gateway holds the prices in memory. */
const MAX_PRICES = 500_000
const LIMITS = { maxLines: MAX_PRICES + 1, tooMany: `a tariff takes at most ${MAX_PRICES} prices` }

/** Owner and currency of the prices. */
export interface TariffScope extends PriceOwner {
  readonly currency: string
}

/** Returns the file in pieces, each built on demand. */
export function writeTariff(prices: readonly Price[]): Iterable<string> {
  return writeCsvPieces(writeLines(prices))
}

function* writeLines(prices: readonly Price[]): Iterable<readonly string[]> {
  yield COLUMNS
  for (const { channel, prefix, operator, from, until, priceMicros } of prices) {
    const [first, end] = [from, until].map((at) => (at === null ? '' : writeMoment(at)))
    yield [channel, prefix, operator ?? '', first ?? '', end ?? '', writeDecimal(priceMicros)]
  }
}

export interface ReadPrice {
  readonly price: Price
  readonly line: number
}

/**
 * The first line names the columns in any order, among them `channel` and `price`; empty or missing values match all.
 * Throws ChangeRefused naming the wrong lines.
 */
export async function readTariff(csv: string, scope: TariffScope): Promise<readonly ReadPrice[]> {
  const [heads, ...lines] = await readCsv(csv, LIMITS)
  const columns = (heads?.cells ?? []).map((name) => COLUMNS.find((column) => column === name.toLowerCase()))
  if (columns.includes(undefined) || !columns.includes('channel') || !columns.includes('price')) {
    throw new ChangeRefused(`the first line must name the columns: ${COLUMNS.join(',')}`)
  }
  if (new Set(columns).size < columns.length) throw new ChangeRefused('the first line names a column twice')
  const wrong = new WrongLines()
  const read = await mapInSlices(lines, (line) =>
    wrong.read(() => ({ price: readLine(line, columns as readonly Column[], scope), line: line.number })),
  )
  wrong.refuse()
  return read as readonly ReadPrice[]
}

function readLine({ number, cells }: CsvLine, columns: readonly Column[], scope: TariffScope): Price {
  const refuse = (why: string): never => {
    throw new ChangeRefused(`line ${number}: ${why}`)
  }
  if (cells.length > columns.length) refuse('has more cells than the first line names')
  const cell = (column: Column) => cells[columns.indexOf(column)] ?? ''
  const moment = (column: 'from' | 'until') => {
    const text = cell(column)
    return text === '' ? null : (readMoment(text) ?? refuse(`${column} must be a day such as 2026-03-01, or RFC 3339`))
  }
  const channel = ROUTED_CHANNELS.find((each) => each === cell('channel').toLowerCase())
  const priceMicros = parseDecimal(cell('price'))
  if (channel === undefined) return refuse(`the channel must be one of ${ROUTED_CHANNELS.join(', ')}`)
  if (priceMicros === null || priceMicros < 0) {
    const hint = /^-?\d+,\d+$/.test(cell('price')) ? '; write a decimal point, not a comma' : ''
    return refuse(`the price must be a decimal number such as 0.05, with at most six decimal places${hint}`)
  }
  const rate = {
    prefix: cell('prefix').replace(/^\+/, ''),
    operator: cell('operator') === '' ? null : cell('operator'),
    from: moment('from'),
    until: moment('until'),
  }
  try {
    checkRate(rate)
    checkRateAmount('a price', priceMicros)
  } catch (error) {
    refuse((error as Error).message)
  }
  return { ...scope, channel, ...rate, priceMicros }
}
