/** Settings that say where a value is in an answer, and what a status or a word means. */
import Type from 'typebox'
import { WrongSetting } from '../../shared/read-settings.ts'
import { choice, group, listFrom, mapOf, oneOrMore, parsed, text } from '../../shared/setting-kinds.ts'
import { type Body, type Finder, type JsonPath, readJsonPath, readPattern, textAt } from './find-text.ts'
import { type Meanings, meaningsOfWords } from './meanings.ts'

const PLACE_RULE = 'a place in JSON such as messages[0].id'

const SOURCE = {
  path: Type.Optional(parsed(text('Where the value is in a JSON answer.', { rule: PLACE_RULE }), readJsonPath)),
  pattern: Type.Optional(
    parsed(
      text(
        'In place of `path`, for the first 512 characters of a text: with one group, such as `^OK (\\w+)`, no repeated group, and one of `* + {}`, or two after `^`.',
        { rule: 'a regular expression' },
      ),
      readPattern,
    ),
  ),
}

interface Source {
  readonly path?: JsonPath
  readonly pattern?: (text: string) => string
}

/** `{ "path": "message.id" }` in JSON, or `{ "pattern": "^OK (\\w+)" }` in text. */
export function finder(description: string) {
  return parsed(group(SOURCE, description, 'Place'), toFinder)
}

/** The same, or several in order: the first that finds something. */
export function finders(description: string) {
  const places = oneOrMore(finder(description), MAX_PLACES, 'places')
  return parsed(Type.Union([...places], { description }), (value) => firstOf(listFrom(value)))
}

/** The same, or a word in their place, read as null. */
export function wordOrFinders(word: string, description: string) {
  const places = oneOrMore(finder(description), MAX_PLACES, 'places')
  return parsed(Type.Union([Type.Literal(word), ...places], { description }), (value) =>
    typeof value === 'string' ? null : firstOf(listFrom(value)),
  )
}

/** A finder of a word, and what its words mean, in any letter case. */
export function words<const M extends string>(meanings: readonly M[], description: string, title?: string) {
  return parsed(
    group(
      { ...SOURCE, meanings: meaningsOfWords(meanings, `Meanings of its words, in any letter case; ${MEANING_KEYS}`) },
      description,
      title,
    ),
    ({ meanings: known, ...source }): Words<M> => {
      const find = toFinder(source)
      return { find: (body) => find(body) ?? '', meanings: known }
    },
  )
}

/** The same, or several in order: the first whose word has a meaning. */
export function wordsInOrder<const M extends string>(meanings: readonly M[], description: string, title: string) {
  const places = oneOrMore(words(meanings, description, title), MAX_PLACES, 'places')
  return parsed(Type.Union([...places], { description }), (value) => listFrom(value))
}

interface Words<M> {
  readonly find: (body: Body) => string
  readonly meanings: Meanings<M>
}

/** Places that are looked at in order. */
export const MAX_PLACES = 10
/** What the names of meanings may be, besides words. */
export const MEANING_KEYS = '`100-102` is a range, `ESME_*` a beginning; the word itself precedes both.'

/** Meanings by status, `404`, or by class, `4xx`, besides the usual ones. */
export function meaningsOfStatuses<const M extends string>(
  usual: Readonly<Record<string, M>>,
  meanings: readonly M[],
  description: string,
) {
  return parsed(
    mapOf(choice(meanings, 'What the status means.'), description, {
      pattern: /^[1-5](\d\d|xx)$/,
      rule: 'a status such as 404 or 4xx',
    }),
    (map): ReadonlyMap<string, M> => new Map([...Object.entries(usual), ...map] as [string, M][]),
  )
}

/** Returns the meaning of a status; undefined if neither it nor its class has one. */
export function meaningOfStatus<M>(statuses: ReadonlyMap<string, M>, status: number): M | undefined {
  return statuses.get(String(status)) ?? statuses.get(`${Math.floor(status / 100)}xx`)
}

/** Null only if each of them wants JSON. */
function firstOf(finders: readonly Finder[]): Finder {
  return (body) => {
    let found: string | null = null
    for (const find of finders) {
      found = find(body) ?? found
      if (found !== null && found !== '') return found
    }
    return found
  }
}

function toFinder({ path, pattern }: Source): Finder {
  if (pattern !== undefined) {
    if (path !== undefined) throw new WrongSetting('path', 'should not stand beside pattern')
    return (body) => pattern(body.text)
  }
  if (path === undefined) throw new WrongSetting('path', 'should be text')
  return (body) => (body.json === undefined ? null : textAt(body.json, path))
}
