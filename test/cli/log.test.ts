/** What the log of a gateway says of what went wrong. */
import { expect, test } from 'vitest'
import { openLog } from '../../src/app/log/json-log.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'

test('logs an internal error with its stack, an unavailable store in one line', () => {
  const lines: Record<string, unknown>[] = []
  const log = openLog('warn', 'json', { write: (line: string) => void lines.push(JSON.parse(line)) })
  log.error({ carrier: 'acme', error: new TypeError('x is not a function') }, 'broken')
  log.error({ carrier: 'acme', error: new StoreError('the database is away') }, 'not recorded')
  log.info({}, 'not logged')
  expect(lines).toMatchObject([
    { carrier: 'acme', error: 'TypeError: x is not a function', stack: expect.stringContaining('log.test.ts') },
    { carrier: 'acme', error: 'StoreError: the database is away', msg: 'not recorded' },
  ])
  expect(lines[1]).not.toHaveProperty('stack')
  expect(lines).toHaveLength(2)
})

test('writes lines for a terminal: time, level, text, fields, and the stack below', () => {
  const lines: string[] = []
  const log = openLog('debug', 'readable', { write: (line: string) => void lines.push(line) })
  log.info({ carrier: 'acme', links: 2, since: null, reason: 'no answer', path: 'a\\b', at: 'x=y' }, 'the link is down')
  log.error({ error: new TypeError('x is not a function') }, 'broken')
  const [first = '', second] = lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /, ''))
  expect(first).toBe(
    'INFO  the link is down carrier=acme links=2 since=null reason="no answer" path="a\\\\b" at="x=y"\n',
  )
  expect(second).toMatch(/^ERROR broken error="TypeError: x is not a function"\n {4}at [^\n]+log\.test\.ts:/)
})

test.each([
  ['line ends', 'a\n2026-01-01T00:00:00.000Z ERROR fake'],
  ['colours', '\u001b[31mred'],
  ['colours of eight bits', '\u009b31mred'],
  ['deletions', 'ab\u007f\u0008'],
  ['reversed text', 'a\u202eb'],
  ['line separators', 'a\u2028b\u0085c'],
])('shows %s in values, names and texts as escapes', (_name, value) => {
  const lines: string[] = []
  const log = openLog('info', 'readable', { write: (line: string) => void lines.push(line) })
  const error = new Error(value)
  log.warn({ value, error, [value]: 1 }, value)
  const [head = '', ...frames] = lines.join('').split('\n')
  expect(head).toMatch(/^\S+Z WARN /)
  expect(frames.filter((line) => line !== '' && !line.startsWith('    at '))).toEqual([])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not appear.
  expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/)
})
