/** Reads the lines of a carrier's sheet as rates; what is wrong is grouped by its kind. */

import type { Micros } from '../../../domain/money/money.ts'
import { MAX_RATE } from '../../../domain/money/rate.ts'
import { type DecimalSign, readWrittenAmount } from '../../../domain/money/written-amount.ts'
import type { Country } from '../../../domain/numbers/country.ts'
import { readMoment } from '../../../domain/time/moment.ts'
import { SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'
import type { CsvLine } from '../fields/csv.ts'
import { isCurrency } from '../fields/currency.ts'
import { DestinationReader, type SheetNumbers } from './destinations.ts'
import { cellOf, firstLineOf, isNoPrice, type SheetColumns } from './sheet-columns.ts'
import { SheetLines, SheetProblems } from './sheet-problems.ts'

/** A rate as the sheet has it. */
export interface SheetRate extends SheetNumbers {
  readonly priceMicros: Micros
  /** Null if the sheet names none. */
  readonly currency: string | null
  /** Milliseconds since 1970; null if the line names none. */
  readonly from: number | null
  readonly line: number
}

export interface ReadSheetOptions {
  readonly columns: SheetColumns
  /** Null reads it from the amounts. */
  readonly decimal: DecimalSign | null
  /** Codes of the table of operators. */
  readonly operators: ReadonlySet<string>
  /** The only currency that amounts may have; null for any. */
  readonly currency: string | null
}

export interface ReadSheet {
  readonly rates: readonly SheetRate[]
  readonly problems: SheetProblems
  readonly decimal: DecimalSign | null
  /** Lines with an amount. */
  readonly lines: number
  /** Lines that say that there is no price. */
  readonly unpriced: SheetLines
  /** What lines name without a price that can be taken. */
  readonly unrated: readonly SheetNumbers[]
  /** Networks that the table of operators does not have. */
  readonly unknown: readonly string[]
  /** Countries that have no line, and numbers of a prefix of the sheet. */
  readonly alsoCovered: readonly Country[]
}

const TOTAL = /^(?:total|sum|summe|gesamt|average|durchschnitt)\b/i

export function* readRateLines(lines: readonly CsvLine[], options: ReadSheetOptions): SlicedWork<ReadSheet> {
  const { columns } = options
  const first = firstLineOf(
    lines.map(({ cells }) => cells),
    columns,
  )
  const named = lines.slice(first).filter(({ cells }) => !isTotal(cells, columns))
  const priced = named.filter(({ cells }) => !isNoPrice(cellOf(cells, columns.price)))
  const decimal = options.decimal ?? proven(priced, columns)
  const reader = new LineReader({ ...options, decimal })
  for (const [index, line] of named.entries()) {
    reader.read(line)
    if (index % SLICE_ITEMS === SLICE_ITEMS - 1) yield
  }
  return { ...reader.result(), decimal, lines: priced.length }
}

/** A network may be called so, but its line has a code. */
function isTotal(cells: readonly string[], { mcc, prefix }: SheetColumns): boolean {
  return cellOf(cells, mcc) === '' && cellOf(cells, prefix) === '' && cells.some((cell) => TOTAL.test(cell))
}

/** Returns the decimal sign that the amounts prove; null if none does, or they prove both. */
function proven(lines: readonly CsvLine[], { price }: SheetColumns): DecimalSign | null {
  const found = new Set(lines.map(({ cells }) => readWrittenAmount(cellOf(cells, price), null)?.decimal ?? null))
  found.delete(null)
  const [first = null] = found
  return found.size === 1 ? first : null
}

class LineReader {
  readonly #options: ReadSheetOptions
  readonly #problems = new SheetProblems()
  readonly #rates = new Map<string, SheetRate>()
  /** Keys with several amounts: none of them is right. */
  readonly #repeated = new Set<string>()
  readonly #destinations: DestinationReader
  readonly #unpriced = new SheetLines()
  /** Of lines without a price: nothing is wrong in them, whatever they name. */
  readonly #ofUnpriced: DestinationReader
  readonly #unrated: SheetNumbers[] = []

  constructor(options: ReadSheetOptions) {
    this.#options = options
    this.#destinations = new DestinationReader(options, this.#problems)
    this.#ofUnpriced = new DestinationReader(options, new SheetProblems())
  }

  result(): Omit<ReadSheet, 'decimal' | 'lines'> {
    const rates = [...this.#rates]
    const repeated = rates.flatMap(([key, rate]) => (this.#repeated.has(key) ? [rate] : []))
    return {
      rates: rates.flatMap(([key, rate]) => (this.#repeated.has(key) ? [] : [rate])),
      problems: this.#problems,
      unpriced: this.#unpriced,
      unrated: [...this.#unrated, ...repeated],
      unknown: this.#destinations.unknown(),
      alsoCovered: this.#destinations.alsoCovered(),
    }
  }

  read(line: CsvLine): void {
    const price = cellOf(line.cells, this.#options.columns.price)
    if (isNoPrice(price)) this.#readUnpriced(line, price)
    else this.#readPriced(line)
  }

  /** A line without a price and a destination is a title between the others. */
  #readUnpriced(line: CsvLine, price: string): void {
    const destinations = this.#ofUnpriced.read(line)
    this.#unrated.push(...destinations)
    if (price === '' && destinations.length === 0) return
    this.#unpriced.add(line.number, this.#ofUnpriced.wordsOf(line.cells))
  }

  #readPriced(csvLine: CsvLine): void {
    const { number: line, cells } = csvLine
    const { columns } = this.#options
    const amount = this.#readAmount(line, cellOf(cells, columns.price))
    const currency = amount === null ? null : this.#readCurrency(csvLine, amount.currency)
    const from = this.#readDay(line, cellOf(cells, columns.from))
    const destinations = this.#destinations.read(csvLine)
    if (amount === null || currency === undefined || from === undefined) {
      this.#unrated.push(...destinations)
      return
    }
    for (const destination of destinations) {
      this.#add({ ...destination, priceMicros: amount.micros, currency, from, line })
    }
  }

  /** The same amount twice is one rate. */
  #add(rate: SheetRate): void {
    const key = `${rate.prefix} ${rate.operator} ${rate.from}`
    const before = this.#rates.get(key)
    if (before === undefined) this.#rates.set(key, rate)
    else if (before.priceMicros !== rate.priceMicros || before.currency !== rate.currency) {
      this.#repeated.add(key)
      this.#problems.add('repeated', rate.line, `${rate.operator ?? rate.prefix}, as in line ${before.line}`)
    }
  }

  #readAmount(line: number, text: string): { readonly micros: Micros; readonly currency: string | null } | null {
    const amount = readWrittenAmount(text, this.#options.decimal)
    if (amount === null) return this.#problems.add('price', line, text)
    const { micros, currency } = amount
    if (micros === null) return this.#problems.add('decimal', line, text)
    if (micros > MAX_RATE) return this.#problems.add('price', line, text)
    return { micros, currency }
  }

  /** Undefined if it is wrong. */
  #readCurrency({ number: line, cells }: CsvLine, beside: string | null): string | null | undefined {
    const { columns } = this.#options
    const text = cellOf(cells, columns.currency)
    const currency = text === '' ? beside : text.toUpperCase()
    const only = this.#options.currency
    if (currency === null || currency === only) return currency
    if (only === null && isCurrency(currency)) return currency
    this.#problems.add('currency', line, text === '' ? cellOf(cells, columns.price) : text)
    return undefined
  }

  #readDay(line: number, text: string): number | null | undefined {
    if (text === '') return null
    const at = readMoment(isoDay(text))
    if (at !== null) return at
    this.#problems.add('from', line, text)
    return undefined
  }
}

/** Reads `31.12.2026`, and `12/31/2026` where it can be only one day. Other texts stay as they are. */
function isoDay(text: string): string {
  const match = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text.replace(/[T ]00:00(?::00)?$/, ''))
  if (match === null) return text
  const [, first = '', sign, second = '', year] = match
  const isMonthFirst = sign === '/' && Number(second) > 12
  if (sign === '/' && !isMonthFirst && Number(first) <= 12 && first !== second) return text
  const [day, month] = isMonthFirst ? [second, first] : [first, second]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
