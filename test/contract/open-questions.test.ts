import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const questions = readFileSync(new URL('docs/reference/open-questions.md', root), 'utf8')
  .split('\n- **')
  .slice(1)
  .map((entry): [string, string] => [entry.slice(0, entry.indexOf('**')), entry])

test('the document asks questions', () => {
  expect(questions.length).toBeGreaterThan(30)
})

test.each(questions)('%s', (_, entry) => {
  const [, file = '', story = ''] = /Test: `(test\/[^`]+)`:\s+`([^`]+)`/.exec(entry) ?? []
  const text = readFileSync(new URL(file, root), 'utf8')
  expect([`'${story}'`, `"${story}"`].filter((quoted) => text.includes(quoted))).toHaveLength(1)
})
