/** Writes the answer of an endpoint as text: lists as tables, one item as its fields. */
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../operations/admin/endpoint/endpoint.ts'
import { writeFacts, writeTable } from './text-table.ts'

/** Maximum words of a list in one cell. */
const MAX_WORDS = 20

type Row = Readonly<Record<string, unknown>>

export function printResult(
  { result, columns: seen, textRow = null }: Pick<Endpoint, 'result' | 'columns'> & Partial<Pick<Endpoint, 'textRow'>>,
  answer: unknown,
): string {
  if (result === null || answer === null) return 'Done.'
  const { data, next, count, total } = answer as {
    readonly data?: unknown
    readonly next?: number | null
    readonly count?: number
    readonly total?: Row | null
  }
  // Prints files unchanged.
  if (isFile(answer)) return answer.csv.trimEnd()
  if (!Array.isArray(data)) return writeOnce(result, answer as Row)
  const columns = seen ?? columnsOf(result)
  const inText = (row: unknown) => (textRow === null ? row : textRow(row as never)) as Row | null
  const rows = data.flatMap((row): Row | readonly Row[] => inText(row) ?? [])
  const sum = total && rows.length > 1 ? [{ ...inText(total), [columns[0] ?? '']: 'total' }] : []
  const table = rows.length === 0 ? 'No results.' : writeList(columns, [...rows, ...sum])
  const more = count === undefined ? '' : ` (${count} in all)`
  return typeof next === 'number' ? `${table}\nMore: --after ${next}${more}` : table
}

function isFile(answer: unknown): answer is { readonly csv: string } {
  return typeof answer === 'object' && answer !== null && 'csv' in answer && typeof answer.csv === 'string'
}

/** Prints values that are shown only once alone on a line, to be copied or cut. */
function writeOnce(result: TSchema, thing: Row): string {
  const { properties = {} } = result as {
    readonly properties?: Readonly<Record<string, { readonly shownOnce?: true }>>
  }
  const secrets = Object.keys(thing).filter((name) => properties[name]?.shownOnce === true)
  if (secrets.length === 0) return writeThing(result, thing)
  const rest = Object.fromEntries(Object.entries(thing).filter(([name]) => !secrets.includes(name)))
  return [
    ...secrets.map((name) => thing[name]),
    'Copy it now: it is not shown again.',
    '',
    writeThing(result, rest),
  ].join('\n')
}

function writeThing(result: TSchema, thing: Row): string {
  const entries = spread(thing, result as Schema)
  const facts = entries.filter(([, value]) => !isTable(value)).map(([name, value]) => [name, writeCell(value)] as const)
  const tables = entries.flatMap(([name, value]) => {
    return isTable(value) ? [`\n${name}\n${writeList(Object.keys(value[0] ?? {}), value)}`] : []
  })
  return [...(facts.length === 0 ? [] : [writeFacts(facts)]), ...tables].join('\n')
}

/** Flattens nested objects, with both names: those of the schema in words, those that users gave as they are. */
function spread(thing: Row, schema: Schema | undefined): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(thing).flatMap(([name, value]) => {
    const own = propertiesOf(schema)?.[name]
    const shown = own === undefined ? name : inWords(name)
    return isThing(value) && Object.keys(value).length > 0
      ? spread(value, own).map(([inner, each]) => [`${shown} ${inner}`, each] as const)
      : [[shown, value] as const]
  })
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}

function propertiesOf({ properties, anyOf = [] }: Schema = {}): Schema['properties'] {
  return properties ?? anyOf.find((each) => each.properties !== undefined)?.properties
}

/** Nested objects in rows get a column per field, with both names if one is ambiguous; named ones have one. */
function writeList(columns: readonly string[], rows: readonly Row[]): string {
  const places = columns.flatMap((column) => {
    const things = rows.map((row) => row[column]).filter(isThing)
    const [first, ...others] = things.map((each) => Object.keys(each))
    // Objects with different fields per row, as in the audit log, stay in one cell.
    const isAlike = first !== undefined && others.every((names) => names.join() === first.join())
    if (isAlike && first[0] === 'name') return [[column]]
    return isAlike ? first.map((name) => [column, name]) : [[column]]
  })
  const inner = places.map((place) => place.at(-1) ?? '')
  const isUnclear = (name: string) => inner.indexOf(name) !== inner.lastIndexOf(name)
  return writeTable(
    places.map((place, at) => inWords(isUnclear(inner[at] ?? '') ? place.join(' ') : (inner[at] ?? ''))),
    rows.map((row) => places.map((place) => writeCell(place.reduce<unknown>(inside, row)))),
  )
}

function inside(value: unknown, name: string): unknown {
  return isThing(value) ? value[name] : null
}

/** Returns the fields of a row in the order of its schema. */
function columnsOf(result: TSchema): readonly string[] {
  const { properties } = result as {
    readonly properties?: { readonly data?: { readonly items?: { readonly properties?: object } } }
  }
  return Object.keys(properties?.data?.items?.properties ?? {})
}

function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'object' && value[0] !== null
}

function isThing(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lists of objects show their first two values: \`transceiver 1 up\`. */
function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isTable(value)) return value.map((each) => Object.values(each).slice(0, 2).map(writeCell).join(' ')).join(', ')
  if (Array.isArray(value)) return value.length === 0 ? '-' : writeWords(value.map(writeCell))
  if (typeof value !== 'object') return value === '' ? '-' : String(value)
  if (Object.keys(value)[0] === 'name') return Object.values(value).slice(0, 2).map(writeCell).join(' ')
  const facts = Object.entries(value).map(([name, each]) => `${inWords(name)} ${writeCell(each)}`)
  return facts.length === 0 ? '-' : facts.join(', ')
}

/** Shortens long lists, which the JSON output has in full. */
function writeWords(words: readonly string[]): string {
  if (words.length <= MAX_WORDS) return words.join(', ')
  return `${words.slice(0, MAX_WORDS).join(', ')}, … ${words.length} in all`
}

function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}
