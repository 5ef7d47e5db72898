import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const rows = readFileSync(new URL('docs/open-questions.md', root), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Question |'))
  .map((line): [string, string] => {
    const [, question = '', , named = ''] = line.split('|').map((cell) => cell.trim())
    return [question, named]
  })

test.each(rows)('%s', (_, named) => {
  const [, file = '', story = ''] = /^`(test\/[^`]+)` (.+)$/.exec(named) ?? []
  const text = readFileSync(new URL(file, root), 'utf8')
  expect([`'${story}'`, `"${story}"`].filter((quoted) => text.includes(quoted))).toHaveLength(1)
})
