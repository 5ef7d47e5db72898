/** A carrier is not removed while receipts for its messages are expected, unless the operator says so. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JourneyEvent } from '../../src/domain/message/journey-event.ts'
import { DELIVERED_BY_ACME, TAKEN_BY_ACME } from '../support/acme-events.ts'
import { buildMessage, buildPlan } from '../support/build-message.ts'
import { CommandLine } from '../support/command-line.ts'
import { walkMessage } from '../support/walk-message.ts'

let line: CommandLine

beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '1'])
  const settings = line.path('acme.json')
  writeFileSync(settings, JSON.stringify({ host: 'smsc.example', port: 2775, systemId: 'me', password: 'secret' }))
  await line.ask(['carrier', 'add', '--id', 'acme', '--kind', 'smpp', '--settings', settings, '--no-route'])
})
afterEach(() => line.close())

async function walk(events: readonly JourneyEvent[]): Promise<void> {
  const store = await line.openStore('gateway')
  await walkMessage(store, buildMessage({ plan: buildPlan('sms') }), events)
  await store.close()
}

const remove = (...more: readonly string[]) => line.run(['carrier', 'remove', '--id', 'acme', ...more])
const refusal = { exitCode: 1, err: expect.stringMatching(/carrier acme has taken 1 open message.*--lose-receipts/) }

test('carrier remove counts open messages that the carrier has taken', async () => {
  await walk([TAKEN_BY_ACME])
  expect(await remove()).toMatchObject(refusal)
  expect((await line.directory()).carriers).toHaveLength(1)
  expect(await remove('--lose-receipts')).toMatchObject({ exitCode: 0 })
  expect((await line.directory()).carriers).toEqual([])
})

test('carrier remove ignores messages that have ended', async () => {
  await walk([TAKEN_BY_ACME, DELIVERED_BY_ACME])
  expect(await remove()).toMatchObject({ exitCode: 0 })
})

test('config apply does not remove it either', async () => {
  await walk([TAKEN_BY_ACME])
  const file = line.path('none.json')
  writeFileSync(file, JSON.stringify({ carriers: [] }))
  expect(await line.run(['config', 'apply', file])).toMatchObject(refusal)
  expect(await line.run(['config', 'apply', file, '--dry-run'])).toMatchObject(refusal)
  expect((await line.directory()).carriers).toHaveLength(1)
  const applied = await line.run(['config', 'apply', file, '--lose-receipts'])
  expect(applied).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^- carrier acme/) })
})
