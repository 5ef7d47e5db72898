/** Reads the lines of a carrier's sheet as rates; what is wrong is grouped by its kind. */

import { type Micros, writeDecimal } from '../../../domain/money/money.ts'
import { MAX_RATE } from '../../../domain/money/rate.ts'
import { type DecimalSign, readWrittenAmount } from '../../../domain/money/written-amount.ts'
import { type Country, type CountryPrefixes, prefixesOfCountry } from '../../../domain/numbers/country.ts'
import { readCountryName } from '../../../domain/numbers/country-name.ts'
import { countryOfMcc } from '../../../domain/numbers/mobile-country.ts'
import { readMoment } from '../../../domain/time/moment.ts'
import { SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'
import type { CsvLine } from '../fields/csv.ts'
import { firstLineOf, type SheetColumns } from './sheet-columns.ts'
import { SheetProblems } from './sheet-problems.ts'

/** A rate as the sheet has it. */
export interface SheetRate {
  readonly prefix: string
  readonly operator: string | null
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
  /** Networks that the table of operators does not have. */
  readonly unknown: readonly string[]
  /** Countries that have no line, and numbers of a prefix of the sheet. */
  readonly alsoCovered: readonly Country[]
}

type Destination = Pick<SheetRate, 'prefix' | 'operator'>

/** Cells that say that there is no price. */
const NO_PRICE = /^(?:|n\/?a|#n\/a|-+|–|—|none|keine?|on request|auf anfrage|tbd)$/i
const TOTAL = /^(?:total|sum|summe|gesamt|average|durchschnitt)\b/i
const ALL = /^(?:|\*|all|any|alle|other|others|default|-|n\/?a|x+|sonstige|#)$/i

export function* readRateLines(lines: readonly CsvLine[], options: ReadSheetOptions): SlicedWork<ReadSheet> {
  const { columns } = options
  const priced = lines
    .slice(
      firstLineOf(
        lines.map(({ cells }) => cells),
        columns,
      ),
    )
    .filter(({ cells }) => !NO_PRICE.test(cellOf(cells, columns.price)) && !isTotal(cells, columns))
  const decimal = options.decimal ?? proven(priced, columns)
  const reader = new LineReader({ ...options, decimal })
  for (const [index, line] of priced.entries()) {
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

function cellOf(cells: readonly string[], column: number | undefined): string {
  return column === undefined ? '' : (cells[column - 1] ?? '').trim()
}

class LineReader {
  readonly #options: ReadSheetOptions
  readonly #problems = new SheetProblems()
  readonly #rates = new Map<string, SheetRate>()
  /** Keys with several amounts: none of them is right. */
  readonly #repeated = new Set<string>()
  readonly #unknown = new Set<string>()
  readonly #prefixes = new Map<Country, CountryPrefixes | null>()

  constructor(options: ReadSheetOptions) {
    this.#options = options
  }

  result(): Omit<ReadSheet, 'decimal' | 'lines'> {
    const covered = [...this.#prefixes.values()].flatMap((found) => found?.others ?? [])
    return {
      rates: [...this.#rates].flatMap(([key, rate]) => (this.#repeated.has(key) ? [] : [rate])),
      problems: this.#problems,
      unknown: [...this.#unknown],
      alsoCovered: [...new Set(covered)].filter((country) => !this.#prefixes.has(country)),
    }
  }

  read({ number: line, cells }: CsvLine): void {
    const { columns } = this.#options
    const amount = this.#readAmount(line, cellOf(cells, columns.price))
    const currency = amount === null ? null : this.#readCurrency(line, cellOf(cells, columns.currency), amount.currency)
    const from = this.#readDay(line, cellOf(cells, columns.from))
    const destinations = this.#readDestinations(line, cells)
    if (amount === null || currency === undefined || from === undefined) return
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
    if (micros > MAX_RATE) return this.#problems.add('price', line, writeDecimal(micros))
    return { micros, currency }
  }

  /** Undefined if it is wrong. */
  #readCurrency(line: number, text: string, beside: string | null): string | null | undefined {
    const currency = text === '' ? beside : text.toUpperCase()
    const only = this.#options.currency
    if (currency === null || currency === only) return currency
    if (only === null && /^[A-Z]{3}$/.test(currency)) return currency
    this.#problems.add('currency', line, currency)
    return undefined
  }

  #readDay(line: number, text: string): number | null | undefined {
    if (text === '') return null
    const at = readMoment(isoDay(text))
    if (at !== null) return at
    this.#problems.add('from', line, text)
    return undefined
  }

  /** By what is most precise: networks, else a prefix, else the country. */
  #readDestinations(line: number, cells: readonly string[]): readonly Destination[] {
    const { columns } = this.#options
    const [mcc, mnc] = [cellOf(cells, columns.mcc), cellOf(cells, columns.mnc)]
    const prefix = cellOf(cells, columns.prefix).replace(/^(?:\+|00)|[\s-]/g, '')
    if (/^\d/.test(mcc)) return this.#readNetworks(line, mcc.replace(/[\s/-]/g, ''), mnc)
    if (prefix !== '' && /^[1-9]\d{0,14}$/.test(prefix)) return [{ prefix, operator: null }]
    if (prefix !== '') return this.#wrong('prefix', line, prefix)
    const name = cellOf(cells, columns.country)
    if (name === '') return this.#wrong('destination', line, cells.filter((cell) => cell !== '').join(' '))
    const country = readCountryName(name)
    return country === null ? this.#wrong('country', line, name) : this.#readCountry(line, country)
  }

  /** `26201`, or `262` with `01,02`; without a network the whole country. */
  #readNetworks(line: number, mcc: string, mnc: string): readonly Destination[] {
    if (/^\d{5,6}$/.test(mcc) && ALL.test(mnc)) return [this.#network(mcc)]
    // A sheet may repeat the network beside both codes together.
    const code = /^\d{5,6}$/.test(mcc) ? mcc.slice(0, 3) : mcc
    if (!/^\d{3}$/.test(code)) return this.#wrong('mcc', line, mcc)
    if (ALL.test(mnc)) {
      const country = countryOfMcc(code)
      return country === null ? this.#wrong('mcc', line, mcc) : this.#readCountry(line, country)
    }
    const networks = mnc.split(/[,;/|\s]+/).filter((each) => each !== '')
    const wrong = networks.find((each) => !/^\d{1,3}$/.test(each))
    if (wrong !== undefined) return this.#wrong('mnc', line, mnc)
    return networks.map((each) => this.#network(this.#codeOf(code, each)))
  }

  /** A spreadsheet makes `01` a 1: the code that the table knows has the zeros. */
  #codeOf(mcc: string, mnc: string): string {
    const forms = [mnc, mnc.padStart(2, '0'), mnc.padStart(3, '0')].filter((each) => each.length > 1)
    const [first = mnc] = forms
    return mcc + (forms.find((each) => this.#options.operators.has(mcc + each)) ?? first)
  }

  #network(operator: string): Destination {
    if (!this.#options.operators.has(operator)) this.#unknown.add(operator)
    return { prefix: '', operator }
  }

  #readCountry(line: number, country: Country): readonly Destination[] {
    const known = this.#prefixes.get(country)
    const found = known === undefined ? prefixesOfCountry(country) : known
    this.#prefixes.set(country, found)
    if (found === null) return this.#wrong('shared', line, country)
    return found.prefixes.map((prefix) => ({ prefix, operator: null }))
  }

  #wrong(...problem: Parameters<SheetProblems['add']>): readonly Destination[] {
    this.#problems.add(...problem)
    return []
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
