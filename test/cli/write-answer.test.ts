/** Answers as text. */
import { expect, test } from 'vitest'
import { printResult } from '../../src/cli/command/write-answer.ts'

test('a list names what stands under two columns by both, and shows what is empty', () => {
  const data = [
    { at: '2026-11-22', before: { state: 'active', note: '' }, after: { state: 'closed', ids: {} } },
    { at: '2026-11-23', before: null, after: { state: 'active', ids: { rbm: 'agent' } } },
  ]
  const answer = printResult({ result: {}, columns: ['at', 'before', 'after'] } as never, { data })
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
  const answer = printResult({ result: {}, columns: ['subject', 'before', 'after'] } as never, { data })
  expect(answer.split('\n')).toEqual([
    'subject    before                 after',
    'account 1  state active           state suspended',
    'price      price 0.05, prefix 49  price 0.06, prefix 49',
  ])
})

test('names of fields are in words, and those that users gave are as they are', () => {
  const result = { properties: { last_error: {}, state: { properties: { in_flight: {} } }, settings: {} } }
  const settings = { statuses: { REJECTED_MESSAGE_ID: 'rejected' }, my_key: 'x' }
  const answer = printResult({ result, columns: null } as never, { last_error: '-', state: { in_flight: 1 }, settings })
  expect(answer.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...['last error', 'state in flight', 'settings statuses REJECTED_MESSAGE_ID', 'settings my_key'],
  ])
})

test('a thing with a name has one column', () => {
  const data = [
    { carrier: 'tw', provider: { name: 'twilio', version: 1 } },
    { carrier: 'acme', provider: null },
  ]
  const answer = printResult({ result: {}, columns: ['carrier', 'provider'] } as never, { data })
  expect(answer.split('\n')).toEqual(['carrier  provider', 'tw       twilio 1', 'acme     -'])
})

test('a row that a command omits is not in its table', () => {
  const textRow = (row: { readonly asked: number }) => (row.asked === 0 ? null : row)
  const write = (...asked: readonly number[]) =>
    printResult({ result: {}, columns: ['asked'], textRow } as never, {
      data: asked.map((count) => ({ asked: count })),
    })
  expect(write(0, 2).split('\n')).toEqual(['asked', '2'])
  expect(write(0)).toBe('No results.')
})

test('a page says after what the next one begins, and how long the list is', () => {
  const page = { data: [{ prefix: '49' }], next: 1, count: 600 }
  const answer = printResult({ result: {}, columns: ['prefix'] } as never, page)
  expect(answer.split('\n').at(-1)).toBe('More: --after 1 (600 in all)')
})
