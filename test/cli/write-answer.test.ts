/** Answers as text. */
import { expect, test } from 'vitest'
import { writeAnswer } from '../../src/cli/command/write-answer.ts'

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

test('things with other facts in each row stand whole in one cell, as changes do in the audit log', () => {
  const data = [
    { subject: 'account 1', before: { state: 'active' }, after: { state: 'suspended' } },
    { subject: 'price', before: { price: 0.05, prefix: '49' }, after: { price: 0.06, prefix: '49' } },
  ]
  const answer = writeAnswer({ result: {}, columns: ['subject', 'before', 'after'] } as never, { data })
  expect(answer.split('\n')).toEqual([
    'subject    before                 after',
    'account 1  state active           state suspended',
    'price      price 0.05, prefix 49  price 0.06, prefix 49',
  ])
})

test('a row that a command omits is not in its table', () => {
  const textRow = (row: { readonly asked: number }) => (row.asked === 0 ? null : row)
  const write = (...asked: readonly number[]) =>
    writeAnswer({ result: {}, columns: ['asked'], textRow } as never, {
      data: asked.map((count) => ({ asked: count })),
    })
  expect(write(0, 2).split('\n')).toEqual(['asked', '2'])
  expect(write(0)).toBe('No results.')
})
