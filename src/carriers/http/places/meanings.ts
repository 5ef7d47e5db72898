/** Tables of what words mean: a word itself, a range of numbers, or the beginning of words. */
import { choice, filledMapOf, parsed } from '../../shared/setting-kinds.ts'

export interface Meanings<M> {
  /** Returns undefined for a word without a meaning. */
  of(word: string): M | undefined
  /** Whether a word can have this meaning. */
  includes(meaning: M): boolean
}

/** A word and what it means, if it means anything. */
export interface FoundWord<M> {
  readonly word: string
  readonly meaning: M | undefined
}

/** Finds a word in `Source`, and knows what its words mean. */
export interface WordPlace<Source, M> {
  readonly find: (source: Source) => string
  readonly meanings: Meanings<M>
}

/** Ranges and beginnings, which are tried one after the other. */
const MAX_PATTERNS = 100

const RANGE = /^(\d{1,15})-(\d{1,15})$/

/** By the word in lower case. */
export function meaningsOfWords<const M extends string>(meanings: readonly M[], description: string) {
  const map = filledMapOf(choice(meanings, 'What the word means.'), 'should name at least one word', description)
  return parsed(map, (entries) => readMeanings(entries as ReadonlyMap<string, M>))
}

/** @throws Error if a word is not one. */
export function readMeanings<M>(entries: ReadonlyMap<string, M>): Meanings<M> {
  const words = new Map([...entries].map(([word, meaning]) => [word.toLowerCase(), meaning]))
  const ranges = [...words].flatMap(([word, meaning]) => readRange(word, meaning) ?? [])
  const beginnings = [...words].flatMap(([word, meaning]) => readBeginning(word, meaning) ?? [])
  if (ranges.length + beginnings.length > MAX_PATTERNS) {
    throw new Error(`should have at most ${MAX_PATTERNS} words such as 100-102 or ESME_*`)
  }
  // The narrowest range, then the longest beginning.
  ranges.sort((one, other) => one.max - one.min - (other.max - other.min))
  beginnings.sort((one, other) => other.start.length - one.start.length)
  const all = new Set(words.values())
  return {
    of: (given) => {
      const word = given.toLowerCase()
      const exact = words.get(word)
      if (exact !== undefined || word === '') return exact
      const number = /^\d{1,15}$/.test(word) ? Number(word) : Number.NaN
      const range = ranges.find(({ min, max }) => number >= min && number <= max)
      return (range ?? beginnings.find(({ start }) => word.startsWith(start)))?.meaning
    },
    includes: (meaning) => all.has(meaning),
  }
}

/**
 * Returns the word of the first place that has one with a meaning; otherwise the first word, and an empty one if there
 * is none.
 */
export function firstKnown<Source, M>(places: readonly WordPlace<Source, M>[], source: Source): FoundWord<M> {
  let unknown = ''
  for (const { find, meanings } of places) {
    const word = find(source)
    const meaning = meanings.of(word)
    if (meaning !== undefined) return { word, meaning }
    if (unknown === '') unknown = word
  }
  return { word: unknown, meaning: undefined }
}

function readRange<M>(word: string, meaning: M) {
  const [, first, last] = RANGE.exec(word) ?? []
  if (first === undefined || last === undefined) return null
  const [min, max] = [Number(first), Number(last)]
  if (min > max) throw new Error(`should not have ${word}, whose first number is larger than its last`)
  return { min, max, meaning }
}

function readBeginning<M>(word: string, meaning: M) {
  if (!word.endsWith('*')) return null
  if (word === '*') throw new Error('should have text before *')
  return { start: word.slice(0, -1), meaning }
}
