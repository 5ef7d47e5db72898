/** What the log of a gateway says of what went wrong. */
import { expect, test } from 'vitest'
import { openLog } from '../../src/app/json-log.ts'
import { StoreError } from '../../src/ports/store-errors.ts'

test('logs an internal error with its stack, an unavailable store in one line', () => {
  const lines: Record<string, unknown>[] = []
  const log = openLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) })
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
