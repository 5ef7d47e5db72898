/** The documents stay short enough to read: hand-written pages, without those that a command makes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFiles } from '../scripts/generate.ts'

const ROOT = join(import.meta.dirname, '..')
const MAX_WORDS = 85_000
const MAX_WORDS_OF_PAGE = 6_000
const GENERATED = new Set(generatedFiles().keys())

const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...docs.map((path) => `docs/${path}`)]
  .filter((path) => path.endsWith('.md') && !GENERATED.has(path))
  .map((path) => ({ path, words: readFileSync(join(ROOT, path), 'utf8').split(/\s+/).filter(Boolean).length }))

test('hand-written pages have fewer than 85,000 words together', () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(pages.reduce((sum, { words }) => sum + words, 0)).toBeLessThan(MAX_WORDS)
})

test('no hand-written page has more than 6,000 words', () => {
  expect(pages.filter(({ words }) => words > MAX_WORDS_OF_PAGE)).toEqual([])
})
