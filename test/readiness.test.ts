/** Reports of a gateway that cannot work: `/readyz` on request, one log line per change. */
import { expect, test } from 'vitest'
import { Readiness } from '../src/app/live/readiness.ts'
import type { Log } from '../src/ports/system/log.ts'

test('a change is logged once, however often and for whatever reason the gateway is not ready', async () => {
  const lines: string[] = []
  const note = (kind: string) => (fields: object, line: string) =>
    lines.push(`${kind} ${line} ${JSON.stringify(fields)}`)
  const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  let state: () => Promise<string | null> = async () => null
  const readiness = new Readiness(() => state(), log)

  expect(await readiness.whyNot()).toBeNull()
  expect(lines).toEqual([])
  state = async () => 'the database takes no writes'
  expect([await readiness.whyNot(), await readiness.whyNot()]).toEqual([
    'the database takes no writes',
    'the database takes no writes',
  ])
  state = async () => {
    throw new Error('ECONNREFUSED')
  }
  expect(await readiness.whyNot()).toBe('the database does not answer: ECONNREFUSED')
  state = async () => null
  expect([await readiness.whyNot(), await readiness.whyNot()]).toEqual([null, null])
  expect(lines).toEqual([
    'warn not ready: the gateway gets no traffic {"reason":"the database takes no writes"}',
    'info ready again {}',
  ])
})
