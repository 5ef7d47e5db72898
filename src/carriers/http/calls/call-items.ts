/** The items of a webhook call of a generic HTTP carrier: where they are in it, and which of them count. */
import Type, { type StaticDecode } from 'typebox'
import { isJsonObject, type JsonObject, parseJson } from '../../../wire/json.ts'
import { group, listFrom, oneOrMore, parsed, text } from '../../shared/setting-kinds.ts'
import { type JsonPath, readJsonPath, textAt, valueAt } from '../places/find-text.ts'
import { type Meanings, readMeanings } from '../places/meanings.ts'
import type { ReceivedCall } from './received-call.ts'

/** Receipts or inbound messages in one call. */
export const MAX_ITEMS = 1_000
const MAX_NESTED_LISTS = 3
/** Members of what is around an item that the item has too. */
const MAX_AROUND = 100
/** Characters of a text that contains JSON. */
const MAX_INNER = 1_048_576
const MAX_WORDS = 20

/** The paths of nested lists, each inside an item of the one before. */
export interface ListPath {
  readonly lists: readonly JsonPath[]
  /** Whether an item has the members of what is around it too. */
  readonly withAround: boolean
}

/** @throws Error if the text is not a path such as `results` or `results[].statuses[]`. */
export function readListPath(path: string): ListPath {
  const pieces = path.split('[]')
  if (pieces.length === 1) return { lists: [readJsonPath(path)], withAround: false }
  const last = pieces.pop()
  if (last !== '' || pieces.length > MAX_NESTED_LISTS) {
    throw new Error(`should be a path of 1 to ${MAX_NESTED_LISTS} lists such as results[].statuses[]`)
  }
  const lists = pieces.map((piece, index) => {
    const inner = index === 0 ? piece : piece.replace(/^\./, '')
    return inner === '' ? [] : readJsonPath(inner)
  })
  return { lists, withAround: true }
}

export const WHEN = group(
  {
    path: text('Path or name of a word in an item, such as `type`.'),
    is: parsed(
      Type.Union([...oneOrMore(text('A word.'), MAX_WORDS, 'words')], {
        description: 'What the word is, or several, in any letter case, such as `message.*`; other items are ignored.',
      }),
      (words) => readMeanings(new Map(listFrom(words).map((word) => [word, true as const]))),
    ),
  },
  'Which items count.',
)

export interface When {
  readonly path: JsonPath
  readonly words: Meanings<true>
}

/** @param place as `placesIn`. */
export function readWhen(given: StaticDecode<typeof WHEN>, place: (name: string, text: string) => JsonPath): When {
  return { path: place('when.path', given.path), words: given.is }
}

export function matchesWhen(item: unknown, when: When | null): boolean {
  return when === null || when.words.of(textAt(item, when.path)) === true
}

/** Where the items of a call are. */
export interface ItemPlaces {
  readonly format: ReceivedCall['format']
  /** A text of the call that contains JSON with the items; null if the call itself does. */
  readonly jsonIn: JsonPath | null
  readonly list: ListPath | null
  /** A field of a form or a query that is left percent-encoded; null for none. */
  readonly escaped: string | null
}

/**
 * Returns the items, at most one more than are allowed; null if the call has another format.
 * @param content what stands for the body; null if the body does.
 */
export function itemsOf(
  call: ReceivedCall,
  content: { readonly json: unknown } | null,
  { format, jsonIn, list, escaped }: ItemPlaces,
): readonly unknown[] | null {
  const outer = format === 'json' ? (content === null ? call.json() : content.json) : fieldsOf(call, escaped)
  const whole = jsonIn === null ? outer : parseJson(textAt(outer, jsonIn, MAX_INNER))
  if (typeof whole !== 'object' || whole === null) return null
  if (list === null) return Array.isArray(whole) ? whole : [whole]
  return itemsIn(whole, list)
}

/** Of fields with the same name the last one counts. */
function fieldsOf(call: ReceivedCall, escaped: string | null): JsonObject {
  const fields = Object.fromEntries(call.form())
  return escaped === null ? fields : { ...fields, [escaped]: call.escaped(escaped) }
}

interface Level {
  readonly value: unknown
  readonly around: JsonObject
}

/** Returns at most one more than a call may have. */
export function itemsIn(json: unknown, { lists, withAround }: ListPath): readonly unknown[] {
  let level: readonly Level[] = [{ value: json, around: {} }]
  for (const path of lists) {
    const next: Level[] = []
    for (const { value, around } of level) {
      const inner = withAround ? { ...around, ...membersOf(value) } : around
      const found = valueAt(value, path)
      for (const each of Array.isArray(found) ? found : [found]) {
        if (next.length > MAX_ITEMS) break
        next.push({ value: each, around: inner })
      }
    }
    level = next
  }
  return level.map(({ value, around }) => (withAround && isJsonObject(value) ? { ...around, ...value } : value))
}

/** Returns the members of an object that are not lists. */
function membersOf(value: unknown): JsonObject {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => !Array.isArray(each))
      .slice(0, MAX_AROUND),
  )
}
