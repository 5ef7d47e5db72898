/** Answers as people read them. */
import { expect, test } from 'vitest'
import { writeAnswer } from '../../src/cli/write-answer.ts'

test('a list names what stands under two columns by both, and shows what is empty', () => {
  const data = [
    { at: '2026-11-22', before: { state: 'active', note: '' }, after: { state: 'closed', ids: {} } },
    { at: '2026-11-23', before: null, after: { state: 'active', ids: { rbm: 'agent' } } },
  ]
  const answer = writeAnswer({ result: {}, columns: ['at', 'before', 'after'] } as never, { data })
  expect(answer.split('\n')).toEqual([
    'at          before state  note  after state  ids',
    '2026-11-22  active        -     closed       -',
    '2026-11-23  -             -     active       rbm agent',
  ])
})
