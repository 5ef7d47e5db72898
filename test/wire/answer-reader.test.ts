import { expect, test } from 'vitest'
import { AnswerReader } from '../../src/wire/answer-reader.ts'

const MAX_BODY_BYTES = 1_000

const read = (reader: AnswerReader, text: string) => reader.read(Buffer.from(text, 'latin1'))

/** Reads the text at once and byte by byte. Returns the status and for how long the connection is kept. */
function statusOf(text: string): { readonly status: number; readonly keptMs: number } {
  const reader = new AnswerReader(MAX_BODY_BYTES)
  expect(read(reader, text)).toBe(true)
  const bytewise = new AnswerReader(MAX_BODY_BYTES)
  const completedBy = [...text].map((byte) => read(bytewise, byte))
  expect(completedBy).toEqual([...text].map((_, index) => index === text.length - 1))
  expect([reader.hasMore, bytewise.hasMore]).toEqual([false, false])
  expect(bytewise.head).toEqual(reader.head)
  const { status, keptMs } = reader.head ?? { status: 0, keptMs: 0 }
  return { status, keptMs }
}

const FOREVER = Number.POSITIVE_INFINITY

test.each([
  ['a body of a given length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 200, FOREVER],
  ['no reason', 'HTTP/1.1 201 \r\ncontent-length: 0\r\n\r\n', 201, FOREVER],
  ['nor the space before it', 'HTTP/1.1 201\r\ncontent-length: 0\r\n\r\n', 201, FOREVER],
  ['a status without a body', 'HTTP/1.1 204 No Content\r\n\r\n', 204, FOREVER],
  ['that has one nevertheless', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n', 204, 0],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0b ;ext="x"\r\n0\r\n\r\n234567\r\n0\r\n\r\n',
    200,
    FOREVER,
  ],
  ['trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: y\r\nz: 1\r\n\r\n', 200, FOREVER],
  [
    'hints before it',
    'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n',
    503,
    FOREVER,
  ],
  ['a connection that is closed', 'HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 1\r\n\r\nx', 200, 0],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\nx', 200, 0],
  ['HTTP/1.0 that is kept', 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\nx', 200, FOREVER],
  [
    'a connection kept for a while',
    'HTTP/1.1 200 OK\r\nkeep-alive: timeout=5, max=9\r\ncontent-length: 0\r\n\r\n',
    200,
    3_000,
  ],
  ['and for too short', 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n', 200, 0],
])('an answer with %s is complete with its last byte', (_, text, status, keptMs) => {
  expect(statusOf(text)).toEqual({ status, keptMs })
})

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['another protocol after it', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\n'],
  ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
  ['a header of two lines', 'HTTP/1.1 200 OK\r\nx: 1\r\n 2\r\n\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\ncontent-length : 1\r\n\r\n'],
  ['a line end within a line', 'HTTP/1.1 200 OK\r\nx: 1\ny: 2\r\n\r\n'],
  ['a size of a chunk that is no number', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n'],
  ['a chunk that is longer than its size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nxy\r\n'],
  ['a size without end', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(5_000)}`],
  ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(17_000)}`],
  ['a body that is too long', `HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n${'x'.repeat(18_000)}`],
  ['hints without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)],
  ['eleven hints', `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`],
])('an answer with %s is refused', (_, text) => {
  expect(() => read(new AnswerReader(MAX_BODY_BYTES), text)).toThrow()
})

test('the status is known before the body has come', () => {
  const reader = new AnswerReader(MAX_BODY_BYTES)
  expect(read(reader, 'HTTP/1.1 429 Slow\r\nRetry-After: 7\r\ncontent-length: 2\r\n\r\n')).toBe(false)
  expect(reader.head).toMatchObject({ status: 429, retryAfter: '7' })
  expect(read(reader, 'xy')).toBe(true)
})

test('a long run of white space in a header is read at once', () => {
  const head = `HTTP/1.1 100 Continue\r\nconnection: a${'\t'.repeat(16_000)}b\r\n\r\n`
  for (let answer = 0; answer < 100; answer += 1) {
    const reader = new AnswerReader(MAX_BODY_BYTES)
    expect(read(reader, `${head}HTTP/1.1 200 OK\r\nconnection: close\t,\tx\r\ncontent-length: 0\r\n\r\n`)).toBe(true)
    expect(reader.head?.keptMs).toBe(0)
  }
})

test('a body without a length ends with the connection', () => {
  const reader = new AnswerReader(MAX_BODY_BYTES)
  expect(read(reader, 'HTTP/1.1 200 OK\r\n\r\nsome')).toBe(false)
  expect(read(reader, 'more')).toBe(false)
  expect(reader.head).toMatchObject({ status: 200 })
})

test('answers follow one another, and what comes after one without a question is noticed', () => {
  const reader = new AnswerReader(MAX_BODY_BYTES)
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  for (let time = 0; time < 3; time += 1) {
    expect(read(reader, answer)).toBe(true)
    expect(reader.hasMore).toBe(false)
    reader.restart()
    expect(reader.head).toBeNull()
  }
  expect(read(reader, `${answer}H`)).toBe(true)
  expect(reader.hasMore).toBe(true)
})
