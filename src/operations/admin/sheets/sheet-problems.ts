/** What is wrong in a sheet: each kind once, with its count and its first lines. */
import Type, { type Static } from 'typebox'
import { whole } from '../fields/shapes.ts'

const PROBLEMS = {
  price: 'the price is not an amount from 0 to 100000000',
  decimal: 'the price may be a thousand or a fraction: say which sign its decimals have',
  currency: 'the price is in another currency',
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

export const SHEET_PROBLEM = Type.Object({
  kind: Type.Enum(Object.keys(PROBLEMS) as ProblemKind[]),
  detail: Type.String(),
  count: whole({ description: 'lines with it' }),
  lines: Type.Array(Type.Object({ line: whole({ minimum: 1 }), text: Type.String() }), {
    description: `the first ${MAX_LINES}`,
  }),
})

type SheetProblem = Static<typeof SHEET_PROBLEM>

export class SheetProblems {
  readonly #groups = new Map<ProblemKind, { count: number; lines: SheetProblem['lines'] }>()
  readonly #wrong = new Set<number>()

  add(kind: ProblemKind, line: number, text: string): null {
    const group = this.#groups.get(kind) ?? { count: 0, lines: [] }
    group.count += 1
    if (group.lines.length < MAX_LINES) group.lines.push({ line, text: text.slice(0, MAX_TEXT) })
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
    const groups = [...this.#groups].map(([kind, { count, lines }]) => ({ kind, detail: PROBLEMS[kind], count, lines }))
    return groups.sort((a, b) => b.count - a.count)
  }
}
