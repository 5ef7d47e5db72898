/** Files that are made from others are as `npm run generate` writes them, and their folders hold nothing else. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GENERATED_FOLDERS, generatedFiles } from '../scripts/generate.ts'

const ROOT = join(import.meta.dirname, '..')
const files = generatedFiles()

test.each([...files])('%s is what `npm run generate` writes', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text)
})

test.each(GENERATED_FOLDERS)('%s holds only what `npm run generate` writes', (folder) => {
  const found = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1))
  expect(found.sort()).toEqual([...files.keys()].filter((path) => path.startsWith(`${folder}/`)).sort())
})

test.each([
  ['docs/openapi.json', 9_000],
  ['clients/python/src/posthorn/operations.py', 1_500],
])('%s has at most %d lines: a further channel or operation is a few', (path, most) => {
  const text = files.get(path)
  expect(text).toBeDefined()
  expect(text?.split('\n').length).toBeLessThanOrEqual(most)
})
