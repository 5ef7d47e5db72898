/** Warnings and refusals that keep operators from mistakes at the command line. */
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine
beforeEach(() => {
  line = new CommandLine()
})
afterEach(() => line.close())

test('backup and secret-key refuse to work on the local folder while POSTHORN_SERVER names a gateway', async () => {
  await line.ask(['account', 'list'])
  line.environment = { ...line.environment, POSTHORN_SERVER: 'http://127.0.0.1:9' }
  const file = line.path('copy.db')
  expect(await line.run(['backup', file])).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/^error: POSTHORN_SERVER is set to http:\/\/127\.0\.0\.1:9, .* this machine only/),
  })
  expect(existsSync(file)).toBe(false)
  expect(await line.run(['secret-key', 'rotate'])).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/POSTHORN_SERVER is set/),
  })
})

test('carrier add and carrier set warn of a throughput of 0', async () => {
  const warning = /Warning: throughput is 0, so this carrier sends nothing.*--unset throughput/
  const account = ['host=smsc.example', 'port=2775', 'systemId=me', 'password=secret'].flatMap((each) => [
    '--set',
    each,
  ])
  const added = await line.run([...'carrier add --id acme --kind smpp --set throughput=0'.split(' '), ...account])
  expect(added).toMatchObject({ exitCode: 0, out: expect.stringMatching(warning) })
  const set = (...more: readonly string[]) => line.run(['carrier', 'set', '--id', 'acme', ...more])
  expect((await set('--set', 'throughput=50')).out).not.toMatch(/Warning/)
  expect((await set('--set', 'throughput=0')).out).toMatch(warning)
})
