/** Which numbers a line of a carrier's sheet is for. */
import { type Country, type CountryPrefixes, hasCodeOf, prefixesOfCountry } from '../../../domain/numbers/country.ts'
import { readCountryName } from '../../../domain/numbers/country-name.ts'
import { countryOfMcc } from '../../../domain/numbers/mobile-country.ts'
import type { CsvLine } from '../fields/csv.ts'
import { cellOf, type SheetColumns } from './sheet-columns.ts'
import type { SheetProblems } from './sheet-problems.ts'

/** The numbers of a rate. */
export interface SheetNumbers {
  readonly prefix: string
  readonly operator: string | null
}

interface ReadOptions {
  readonly columns: SheetColumns
  /** Codes of the table of operators. */
  readonly operators: ReadonlySet<string>
}

const ALL =
  /^(?:|\*|(?:all|any|alle)(?: (?:networks?|operators?|others?|netze))?|others?|default|-|n\/?a|x+|sonstige|#)$/i

export class DestinationReader {
  readonly #options: ReadOptions
  readonly #problems: SheetProblems
  readonly #unknown = new Set<string>()
  readonly #prefixes = new Map<Country, CountryPrefixes | null>()

  constructor(options: ReadOptions, problems: SheetProblems) {
    this.#options = options
    this.#problems = problems
  }

  /** Networks that the table of operators does not have. */
  unknown(): readonly string[] {
    return [...this.#unknown]
  }

  /** Countries that have no line, and numbers of a prefix of those that have one. */
  alsoCovered(): readonly Country[] {
    const covered = [...this.#prefixes.values()].flatMap((found) => found?.others ?? [])
    return [...new Set(covered)].filter((country) => !this.#prefixes.has(country))
  }

  /** What the line says about its numbers, in its own words. */
  wordsOf(cells: readonly string[]): string {
    const { country, mcc, mnc, prefix } = this.#options.columns
    const words = [country, mcc, mnc, prefix].map((column) => cellOf(cells, column)).filter((cell) => cell !== '')
    return (words.length === 0 ? cells.filter((cell) => cell !== '') : words).join(' ')
  }

  /** By what is most precise: networks, else a prefix, else the country. None if it is wrong. */
  read(line: CsvLine): readonly SheetNumbers[] {
    const { columns } = this.#options
    const cell = (name: keyof SheetColumns) => cellOf(line.cells, columns[name])
    const prefix = cell('prefix').replace(/^(?:\+|00)|[\s-]/g, '')
    if (/^\d/.test(cell('mcc'))) return this.#readNetworks(line, cell('mcc').replace(/[\s/-]/g, ''), cell('mnc'))
    if (prefix !== '' && /^[1-9]\d{0,14}$/.test(prefix)) return [{ prefix, operator: null }]
    if (prefix !== '') return this.#wrong('prefix', line.number, cell('prefix'))
    const name = cell('country')
    if (name === '') return this.#wrong('destination', line.number, this.wordsOf(line.cells))
    const country = readCountryName(name)
    return country === null ? this.#wrong('country', line.number, name) : this.#readCountry(line, country)
  }

  /** `26201`, or `262` with `01,02`; without a network the whole country. */
  #readNetworks(line: CsvLine, mcc: string, mnc: string): readonly SheetNumbers[] {
    const isWhole = ALL.test(mnc.replace(/[()]/g, '').trim())
    if (/^\d{5,6}$/.test(mcc) && isWhole) return [this.#network(mcc)]
    // A sheet may repeat the network beside both codes together.
    const code = /^\d{5,6}$/.test(mcc) ? mcc.slice(0, 3) : mcc
    if (!/^\d{3}$/.test(code)) return this.#wrong('mcc', line.number, mcc)
    if (isWhole) {
      const country = this.#countryOf(code, cellOf(line.cells, this.#options.columns.country))
      return country === null ? this.#wrong('mcc', line.number, mcc) : this.#readCountry(line, country)
    }
    const networks = mnc.split(/[,;/|\s]+/).filter((each) => each !== '')
    const wrong = networks.find((each) => !/^\d{1,3}$/.test(each))
    if (wrong !== undefined) return this.#wrong('mnc', line.number, mnc)
    return networks.map((each) => this.#network(this.#codeOf(code, each)))
  }

  /** Guam has the MCC of the United States: the name says which. */
  #countryOf(mcc: string, name: string): Country | null {
    const country = countryOfMcc(mcc)
    const named = readCountryName(name)
    return country !== null && named !== null && hasCodeOf(named, country) ? named : country
  }

  /** A spreadsheet makes `01` a 1: the code that the table knows has the zeros. */
  #codeOf(mcc: string, mnc: string): string {
    const forms = [mnc, mnc.padStart(2, '0'), mnc.padStart(3, '0')].filter((each) => each.length > 1)
    const [first = mnc] = forms
    return mcc + (forms.find((each) => this.#options.operators.has(mcc + each)) ?? first)
  }

  #network(operator: string): SheetNumbers {
    if (!this.#options.operators.has(operator)) this.#unknown.add(operator)
    return { prefix: '', operator }
  }

  #readCountry({ number: line, cells }: CsvLine, country: Country): readonly SheetNumbers[] {
    const known = this.#prefixes.get(country)
    const found = known === undefined ? prefixesOfCountry(country) : known
    this.#prefixes.set(country, found)
    if (found === null) return this.#wrong('shared', line, this.wordsOf(cells))
    return found.prefixes.map((prefix) => ({ prefix, operator: null }))
  }

  #wrong(...problem: Parameters<SheetProblems['add']>): readonly SheetNumbers[] {
    this.#problems.add(...problem)
    return []
  }
}
