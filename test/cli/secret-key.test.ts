/** The key that seals is changed as an operator does it, beside the gateway of a real installation. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ANNA = '37120000100'

let world: SandboxWorld
let line: CommandLine
beforeEach(async () => {
  world = await SandboxWorld.start()
  line = new CommandLine({ initialized: false })
  line.environment = { POSTHORN_DATA_DIR: world.dataDir }
})
afterEach(async () => {
  line.close()
  await world.stop()
})

const keyFile = () => join(world.dataDir, 'secret.key')
const keysIn = () => readFileSync(keyFile(), 'utf8').trim().split('\n')
const sms = { type: 'sms', phone: ANNA, sms_signature: 'SMSTest', sms_message: 'Your code is 7766' }

async function listed() {
  const { keys } = await line.ask(['secret-key', 'list'])
  return keys as readonly { key: string; is_here: boolean; seals: boolean; sealed: number }[]
}

test('sealed, rotated, sealed anew, the old key removed: everything opens, and the gateway never stopped', async () => {
  const first = await world.sendOne(sms)
  await world.pass(5)
  const before = await world.trace(first)
  const [{ key: old } = { key: '' }] = await listed()
  expect(await listed()).toEqual([{ key: old, is_here: true, seals: true, sealed: expect.any(Number) }])

  const { key: added } = await line.ask(['secret-key', 'rotate'])
  expect(keysIn()).toHaveLength(2)
  const second = await world.sendOne(sms)
  await world.pass(5)
  expect((await world.story(second)).steps).toEqual(['sms DELIVERED'])
  const [newer, older] = await listed()
  expect([newer, older]).toMatchObject([
    { key: added, seals: true },
    { key: old, seals: false },
  ])
  expect(newer?.sealed).toBeGreaterThan(0)
  expect(await line.run(['secret-key', 'remove', old])).toMatchObject({
    exitCode: 1,
    err: `error: key ${old} is still in use (${older?.sealed}): run posthorn secret-key reseal first\n`,
  })
  expect(await line.run(['secret-key', 'remove', String(added)])).toMatchObject({
    err: `error: key ${added} is the current key: run posthorn secret-key rotate first\n`,
  })
  expect(keysIn()).toHaveLength(2)

  expect((await line.run(['secret-key', 'reseal'])).out).toBe(
    `Re-encrypted: ${older?.sealed}.\nKey ${old} is unused now; remove it with: posthorn secret-key remove ${old}\n`,
  )
  await line.ask(['secret-key', 'remove', old])
  expect(keysIn()).toHaveLength(1)
  expect(await world.trace(first)).toEqual(before)

  // Carriers' settings, hook secrets and texts open with the new key alone.
  await world.stopGateway()
  await world.startGateway()
  expect(await world.trace(first)).toEqual(before)
  const third = await world.sendOne(sms)
  await world.pass(5)
  expect((await world.story(third)).reports).toEqual(['DELIVERED by sms for 0.05'])
  const audit = await line.ask(['audit', 'list'])
  expect(audit).toMatchObject({
    data: [{ action: 'rotateSecretKey', subject: 'the key that seals', after: { key: added } }],
  })
})

test('with a wrong key every command says so, and changes nothing', async () => {
  await world.sendOne(sms)
  await world.pass(5)
  await world.stopGateway()
  const kept = line.path('kept.key')
  copyFileSync(keyFile(), kept)
  writeFileSync(keyFile(), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
  const database = readFileSync(join(world.dataDir, 'posthorn.db'))
  for (const command of ['list', 'rotate', 'reseal', 'remove 1a2b3c4d']) {
    const { exitCode, err } = await line.run(['secret-key', ...command.split(' ')])
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/sealed with key [0-9a-f]{8}, which is not in .*secret\.key\n$/),
    })
  }
  expect(readFileSync(keyFile(), 'utf8')).toBe(`${'ab'.repeat(32)}\n`)
  expect(readFileSync(join(world.dataDir, 'posthorn.db')).equals(database)).toBe(true)
  copyFileSync(kept, keyFile())
  await world.startGateway()
})

test('keys from the environment are changed by who gives them', async () => {
  await world.stopGateway()
  const [old = ''] = keysIn()
  const newer = 'cd'.repeat(32)
  const given = (keys: string) => {
    line.environment = { POSTHORN_DATA_DIR: world.dataDir, POSTHORN_SECRET_KEY: keys }
  }
  rmSync(keyFile())
  given(old)
  expect((await line.run(['secret-key', 'rotate'])).err).toBe(
    'error: put a new key in front of the others in POSTHORN_SECRET_KEY, start the gateway with it, and run this again\n',
  )
  given(`${newer},${old}`)
  const rotated = await line.ask(['secret-key', 'rotate'])
  expect((await listed()).map(({ key, seals }) => [key, seals])).toEqual([
    [rotated['key'], true],
    [rotated['before'], false],
  ])
  const { unneeded } = await line.ask(['secret-key', 'reseal'])
  expect(unneeded).toEqual([rotated['before']])
  expect((await line.run(['secret-key', 'remove', String(rotated['before'])])).err).toBe(
    `error: key ${rotated['before']} is unused: remove it from POSTHORN_SECRET_KEY yourself\n`,
  )
  given(newer)
  expect(await line.ask(['account', 'list'])).toMatchObject({ data: [{ account: 1 }] })
  writeFileSync(keyFile(), `${newer}\n`, { mode: 0o600 })
  await world.startGateway()
})
