/** What the answers of an HTTP carrier mean: its account, opt-outs, several places, ranges and beginnings of words. */
import { describe, expect, test } from 'vitest'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import { readHttpAnswer } from '../../src/carriers/http/submit.ts'

const REQUEST = { address: 'https://a.example/send', json: { text: '{{text}}' } }

function read(answer: object, status: number, body: object | string) {
  const settings = readHttpSettings({ request: REQUEST, answer: { id: { path: 'id' }, ...answer } })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const tried = { ref: 'ours', isRepeat: false }
  return readHttpAnswer({ kind: 'answered', status, body: text, retryAfterMs: null }, settings.answer, tried)[0].verdict
}

const held = (reason: string) => ({ kind: 'unreachable', account: true, reason })

describe('a problem of the account', () => {
  test.each([
    [{ statuses: { '402': 'account' } }, 402, '', held('HTTP 402')],
    [{ statuses: { '4xx': 'rejected', '401': 'account' } }, 401, 'no such key', held('HTTP 401')],
    [{ word: { path: 'code', meanings: { '20003-20005': 'account' } } }, 403, { code: 20004 }, held('HTTP 403: 20004')],
    [{ word: { pattern: '^ERR (\\d+)', meanings: { '103': 'account' } } }, 200, 'ERR 103', held('HTTP 200: 103')],
  ])('%j: HTTP %i %j', (answer, status, body, verdict) => {
    expect(read(answer, status, body)).toEqual(verdict)
  })
})

test('an opt-out at the carrier is a refusal for the recipient', () => {
  const word = { path: 'code', meanings: { '21610': 'optedOut' } }
  expect(read({ word }, 400, { code: 21610 })).toEqual({
    kind: 'refused',
    status: 'UNDELIVERABLE',
    reason: 'HTTP 400: 21610',
    optedOut: true,
  })
})

describe('words in several places', () => {
  const word = [
    { path: 'error.code', meanings: { '4*': 'account', 'bad-number': 'undeliverable' } },
    { path: 'messages[0].state', meanings: { OK: 'taken', BUSY: 'slow' } },
    { pattern: '^denied: (\\w+)', meanings: { spam: 'rejected' } },
  ]

  test.each([
    [
      'the outer error decides over the inner word',
      { error: { code: '402' }, messages: [{ state: 'OK' }] },
      'unreachable',
    ],
    ['without an outer error the inner word decides', { id: 'x', messages: [{ state: 'ok' }] }, 'taken'],
    ['a place whose word is unknown is passed over', { error: { code: 'E9' }, messages: [{ state: 'BUSY' }] }, 'slow'],
    ['a pattern may follow paths', 'denied: spam', 'refused'],
    ['an unknown word alone is unclear', { id: 'x', error: { code: 'E9' } }, 'unclear'],
    ['an error page is unclear', '<html>Bad gateway</html>', 'unclear'],
    ['no word at all is unclear, because one means taken', { id: 'x' }, 'unclear'],
  ])('%s', (_, body, kind) => {
    expect(read({ word }, 200, body).kind).toBe(kind)
  })

  test('an unknown word in a status that means nothing is unclear', () => {
    for (const status of [302, 400, 403, 404, 500, 503]) {
      expect(read({ word }, status, { error: { code: 'E9' } }).kind).toBe('unclear')
    }
  })

  test('without a word that means taken, an answer without words is judged by its status', () => {
    expect(read({ word: word.slice(0, 1) }, 200, { id: 'x' })).toEqual({ kind: 'taken', ref: 'x' })
  })
})

describe('ids and reasons in several places', () => {
  const id = [{ path: 'data.id' }, { path: 'list[0].id' }, { pattern: '^OK (\\w+)' }]
  const reason = [{ path: 'error.text' }, { path: 'message' }]

  test.each([
    [
      { data: { id: '' }, list: [{ id: 7 }] },
      { kind: 'taken', ref: '7' },
    ],
    [
      { data: { id: 'a' }, list: [{ id: 'b' }] },
      { kind: 'taken', ref: 'a' },
    ],
    ['OK a1', { kind: 'taken', ref: 'a1' }],
    [{ id: 'elsewhere' }, { kind: 'taken', ref: 'ours' }],
  ])('%j', (body, verdict) => {
    expect(read({ id }, 200, body)).toEqual(verdict)
  })

  test('an answer that should be JSON and is not is unclear', () => {
    expect(read({ id: id.slice(0, 2) }, 200, '<html>')).toEqual({ kind: 'unclear', reason: 'HTTP 200: not JSON' })
  })

  test.each([
    [{ error: { text: 'no' }, message: 'other' }, 'HTTP 400: no'],
    [{ error: {}, message: 'other' }, 'HTTP 400: other'],
  ])('%j gives a reason', (body, text) => {
    expect(read({ reason, statuses: { '400': 'rejected' } }, 400, body)).toMatchObject({ reason: text })
  })
})

describe('ranges and beginnings', () => {
  const meanings = {
    'ESME_*': 'slow',
    'ESME_RINV*': 'rejected',
    ESME_RINVDSTADR: 'undeliverable',
    '100-199': 'slow',
    '100-102': 'taken',
    '101': 'rejected',
    '30*': 'undeliverable',
  }

  test.each([
    ['esme_rthrottled', 'slow'],
    ['ESME_RINVSRCADR', 'refused'],
    ['ESME_RINVDSTADR', 'refused'],
    ['100', 'taken'],
    ['102', 'taken'],
    ['101', 'refused'],
    ['103', 'slow'],
    ['0150', 'slow'],
    ['30003', 'refused'],
    ['200', 'unclear'],
    ['10', 'unclear'],
    ['-101', 'unclear'],
    ['101.5', 'unclear'],
    ['E', 'unclear'],
  ])('%s is %s', (code, kind) => {
    expect(read({ word: { path: 'code', meanings } }, 200, { id: 'x', code }).kind).toBe(kind)
  })
})

test.each([
  [{ word: [] }, 'answer.word: should be'],
  [{ word: Array(11).fill({ path: 'a', meanings: { x: 'taken' } }) }, 'answer.word: should be'],
  [{ word: [{ path: 'a', meanings: { x: 'taken' } }, { path: 'b' }] }, 'answer.word.1.meanings: should name at least'],
  [{ word: [{ path: 'a..b', meanings: { x: 'taken' } }] }, 'answer.word.0.path: should be a place in JSON'],
  [{ word: { path: 'a', meanings: { '*': 'taken' } } }, 'answer.word.meanings: should have text before *'],
  [{ word: { path: 'a', meanings: { '9-1': 'taken' } } }, 'answer.word.meanings: should not have 9-1'],
  [{ word: { path: 'a', meanings: { x: 'credit' } } }, 'answer.word.meanings.x: should be one of taken'],
  [{ id: [{ path: 'a' }, { pattern: 'b' }] }, 'answer.id.1.pattern: should have one group'],
  [{ id: 'theirs' }, 'answer.id: should be an object'],
  [{ reason: [{ path: 1 }] }, 'answer.reason.0.path: should be text'],
  [
    {
      word: {
        path: 'a',
        meanings: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`${at}_*`, 'slow'])),
      },
    },
    'answer.word.meanings: should have at most 100',
  ],
])('refuses %j and names the setting', (answer, complaint) => {
  expect(() => read(answer, 200, '')).toThrow(complaint)
})
