/** What is wrong in a sheet: each kind once, with its count and its first lines. */
import Type, { type Static } from 'typebox'
import { whole } from '../fields/shapes.ts'

const PROBLEMS = {
  price: 'the price is not an amount from 0 to 100000000',
  decimal: 'the price may be a thousand or a fraction: say which sign its decimals have',
  currency: 'the price is in another currency, or in none of ISO 4217',
  from: 'the day is not one such as 2027-01-31 or 31.01.2027',
  country: 'the country is unknown',
  mcc: 'no country has the MCC',
  mnc: 'the MNC is not a network code of 2 or 3 digits, or a list of them',
  prefix: 'the prefix is not 1 to 15 digits with a country code',
  destination: 'the line names neither a network, a prefix nor a country',
  shared: 'several countries share the calling code: name the networks (MCC and MNC) or prefixes',
  repeated: 'the sheet has another price for the same',
} as const

type ProblemKind = keyof typeof PROBLEMS

const MAX_LINES = 5
const MAX_TEXT = 60

const SOME_LINES = {
  count: whole({ description: 'all such lines' }),
  lines: Type.Array(Type.Object({ line: whole({ minimum: 1 }), text: Type.String() }), {
    description: `the first ${MAX_LINES}`,
  }),
}
export const SHEET_LINES = Type.Object(SOME_LINES, { description: 'lines without a price: n/a, on request, empty' })

export const SHEET_PROBLEM = Type.Object({
  kind: Type.Enum(Object.keys(PROBLEMS) as ProblemKind[]),
  detail: Type.String(),
  ...SOME_LINES,
})

type SheetProblem = Static<typeof SHEET_PROBLEM>

/** How many lines, and the first of them. */
export class SheetLines {
  readonly #lines: SheetProblem['lines'] = []
  #count = 0

  add(line: number, text: string): void {
    this.#count += 1
    if (this.#lines.length < MAX_LINES) this.#lines.push({ line, text: text.slice(0, MAX_TEXT) })
  }

  view(): Static<typeof SHEET_LINES> {
    return { count: this.#count, lines: this.#lines }
  }
}

export class SheetProblems {
  readonly #groups = new Map<ProblemKind, SheetLines>()
  readonly #wrong = new Set<number>()

  add(kind: ProblemKind, line: number, text: string): null {
    const group = this.#groups.get(kind) ?? new SheetLines()
    group.add(line, text)
    this.#groups.set(kind, group)
    this.#wrong.add(line)
    return null
  }

  /** Number of wrong lines. */
  get count(): number {
    return this.#wrong.size
  }

  has(line: number): boolean {
    return this.#wrong.has(line)
  }

  /** The most frequent first. */
  list(): SheetProblem[] {
    const groups = [...this.#groups].map(([kind, lines]) => ({ kind, detail: PROBLEMS[kind], ...lines.view() }))
    return groups.sort((a, b) => b.count - a.count)
  }
}
