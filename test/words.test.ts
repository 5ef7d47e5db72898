/** Keeps words that the project does not use (support/banned-words.ts) out of it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BANNED_WORDS } from './support/banned-words.ts'

const ROOT = join(import.meta.dirname, '..')

/** Files and folders that are free of these words. Add yours once it is clean; nothing is ever removed. */
const CLEAN_FOLDERS = [
  ...['src', 'client', 'console', 'bench', 'test', 'examples', 'docs', 'site'],
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
]

/** Not searched: they name the words. */
const LISTS = ['test/support/banned-words.ts', 'test/words.test.ts']

/** Where a word may stay, and why. A path stands for everything below it. */
const EXCEPTIONS: readonly { readonly path: string; readonly words: readonly string[]; readonly why: string }[] = [
  { path: 'test/stores/postgres-pooler.test.ts', words: ['nobody'], why: 'a system user' },
  { path: 'test/support/postgres-programs.ts', words: ['nobody'], why: 'a system user' },
]

interface Banned {
  readonly word: string
  /** What to write instead. */
  readonly use: string
  readonly tokens: readonly string[]
  /** Searched for only inside longer identifiers. */
  readonly onlyInNames: boolean
}

interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

const BANNED: readonly Banned[] = BANNED_WORDS.map(([word, use]) => {
  return { word, use, tokens: word.replace('…', '').split(' '), onlyInNames: word.endsWith('…') }
})

test('each word that is not used is listed once', () => {
  expect(BANNED.length).toBeGreaterThan(30)
  expect(new Set(BANNED.map(({ word }) => word)).size).toBe(BANNED.length)
})

test.each(CLEAN_FOLDERS)('%s has none of the words that are not used', (folder) => {
  const found = filesUnder(folder).flatMap((path) =>
    findBanned(readFileSync(join(ROOT, path), 'utf8'))
      .filter(({ word }) => !EXCEPTIONS.some((each) => each.words.includes(word) && path.startsWith(each.path)))
      .map(({ word, use, line }) => `${path}:${line}: ${word}; write: ${use}`),
  )
  expect(found).toEqual([])
})

test('every exception is still needed', () => {
  const unneeded = EXCEPTIONS.flatMap(({ path, words }) => {
    const found = filesUnder(path).flatMap((file) => findBanned(readFileSync(join(ROOT, file), 'utf8')))
    return words.filter((word) => !found.some((each) => each.word === word)).map((word) => `${path}: ${word}`)
  })
  expect(unneeded).toEqual([])
})

describe('the search', () => {
  const wordsIn = (text: string) => findBanned(text).map(({ word }) => word)

  test('finds words in text, in names of either case, and over line ends of comments', () => {
    expect(wordsIn('the seats of it')).toEqual(['seats'])
    expect(wordsIn('takeSeats(SEAT_COUNT)')).toEqual(['seats', 'seat'])
    expect(wordsIn('/**\n * is handed\n * over\n */')).toEqual(['handed over'])
    expect(wordsIn('store.letGo(ids)')).toEqual(['let go'])
    expect(findBanned('a\nb\nwish')).toMatchObject([{ word: 'wish', line: 3 }])
  })

  test('passes over longer words, and over words apart', () => {
    expect(wordsIn('potato, seated, a wishlist, telling')).toEqual([])
    expect(wordsIn('what it let. Go on')).toEqual([])
  })

  test('finds some words only inside names', () => {
    expect(wordsIn('at most two, at least one')).toEqual([])
    expect(wordsIn('mostBytes, MOST_ROWS, TEXT_MOST, leastSeconds')).toEqual(['most…', 'most…', 'most…', 'least…'])
  })
})

function findBanned(text: string): readonly (Pick<Banned, 'word' | 'use'> & { readonly line: number })[] {
  const tokens = tokensOf(text)
  return tokens.flatMap(({ start }, at) =>
    BANNED.filter((banned) => isAt(text, tokens, at, banned)).map(({ word, use }) => {
      return { word, use, line: text.slice(0, start).split('\n').length }
    }),
  )
}

function isAt(text: string, tokens: readonly Token[], at: number, { tokens: asked, onlyInNames }: Banned): boolean {
  if (!asked.every((each, index) => tokens[at + index]?.text === each)) return false
  if (onlyInNames) return [at - 1, at].some((first) => gapAfter(text, tokens, first)?.match(/^_?$/))
  return asked
    .slice(1)
    .every((_, index) => gapAfter(text, tokens, at + index)?.match(/^(?:[ _-]?|\s+(?:\*|\/\/)?\s*)$/))
}

/** Returns the text between a token and the next one; undefined at either end. */
function gapAfter(text: string, tokens: readonly Token[], at: number): string | undefined {
  const [one, next] = [tokens[at], tokens[at + 1]]
  return one === undefined || next === undefined ? undefined : text.slice(one.end, next.start)
}

/** Splits a text into words, identifiers at their capitals and underscores, in lower case. */
function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map((match) => {
    return { text: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length }
  })
}

/** Returns the sources and documents at or below a path. */
function filesUnder(path: string): readonly string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|md)$/.test(name) && !/(?:^|\/)(?:node_modules|dist)\//.test(name))
    .map((name) => join(path, name))
    .filter((file) => !LISTS.includes(file))
    .sort()
}
