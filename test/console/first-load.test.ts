/** The size of what a browser loads before the console shows its first page. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const FOLDER = new URL('../../dist/console/', import.meta.url)
const MAX_BYTES = 200_000

test('is below 200 kB compressed', () => {
  const page = readFileSync(new URL('index.html', FOLDER), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.(?:js|css))"/g)].map(([, name = '']) => name)
  expect(files.length).toBeGreaterThan(1)
  const sizes = files.map((name) => gzipSync(readFileSync(new URL(name, FOLDER)), { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
})
