/** The SMPP server over TLS: certificates of the server and of clients, their renewal, and peers that do not finish. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import type { MessageAnswer } from '../../../src/wire/smpp/pdu.ts'
import { eventually } from '../../support/eventually.ts'
import { HOOK_CERTIFICATE, HOOK_CERTIFICATE_KEY } from '../../support/hook-certificate.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE_KEY } from '../../support/loopback-certificate.ts'
import { SmppClient, submitTo } from '../../support/smpp-client.ts'
import { SmppWorld } from '../../support/smpp-world.ts'

let folder: string
let world: SmppWorld | null
const clients: SmppClient[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-tls-'))
  world = null
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await world?.stop()
  rmSync(folder, { recursive: true })
})

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}
const start = async (settings: Readonly<Record<string, string>> = {}) => {
  world = await SmppWorld.start({
    'smpp-tls-cert': file('cert.pem', LOOPBACK_CERTIFICATE),
    'smpp-tls-key': file('key.pem', LOOPBACK_CERTIFICATE_KEY),
    ...settings,
  })
  return world
}
const connect = ({ port }: SmppWorld, secure: ConnectionOptions | null = { ca: LOOPBACK_CERTIFICATE }) => {
  const client = new SmppClient(port, undefined, secure)
  clients.push(client)
  return client
}
const PHONE = '37120000000'
const OWN = { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_CERTIFICATE_KEY }
const OTHER = { cert: HOOK_CERTIFICATE, key: HOOK_CERTIFICATE_KEY }

test('a client binds over TLS, sends, and gets its receipt', async () => {
  const { sandbox } = await start()
  const client = connect(world as SmppWorld)
  expect((await client.bind('shop')).status).toBe(STATUS.ok)
  const { messageId } = await client.ask<MessageAnswer>(submitTo(PHONE))
  await sandbox.pass(2)
  expect(client.receipts).toEqual([`${messageId} DELIVRD`])
})

test('a client without the certificate that the server demands, or with another one, does not come in', async () => {
  const served = await start({ 'smpp-tls-client-ca': file('clients.pem', LOOPBACK_CERTIFICATE) })
  for (const certificate of [{}, OTHER]) {
    const client = connect(served, { ca: LOOPBACK_CERTIFICATE, ...certificate })
    client.bind('shop').catch(() => {})
    await eventually('the end of its connection', () => client.isClosed)
    expect(client.received).toEqual([])
  }
  const client = connect(served, { ca: LOOPBACK_CERTIFICATE, ...OWN })
  expect((await client.bind('shop')).status).toBe(STATUS.ok)
  // The password is asked for all the same.
  const wrong = connect(served, { ca: LOOPBACK_CERTIFICATE, ...OWN })
  expect((await wrong.bind('shop', 'bind_receiver', { password: 'wrong' })).status).toBe(STATUS.badPassword)
})

test('peers that do not speak TLS are disconnected, however many, and one that says nothing after a while', async () => {
  const served = await start()
  const silent = connect(served, null)
  for (let round = 0; round < 60; round += 1) {
    const plain = connect(served, null)
    plain.bind('shop').catch(() => {})
    await eventually('the end of its connection', () => plain.isClosed)
  }
  expect((await connect(served).bind('shop')).status).toBe(STATUS.ok)
  await eventually('the end of the silent connection', () => silent.isClosed)
})

test('a renewed certificate is used without a restart, and a broken one is not', async () => {
  const served = await start()
  const subjectAt = async () => {
    const client = connect(served, { rejectUnauthorized: false })
    expect((await client.bind('shop')).status).toBe(STATUS.ok)
    const socket = client.socket
    return socket instanceof TLSSocket ? socket.getPeerCertificate().subject.CN : null
  }
  const before = connect(served)
  await before.bind('shop')
  expect(await subjectAt()).toBe('127.0.0.1')
  file('cert.pem', 'no certificate')
  await served.sandbox.passInSilence(61)
  expect(await subjectAt()).toBe('127.0.0.1')
  expect(served.sandbox.log.lines.map(({ line }) => line)).toContainEqual(
    expect.stringMatching(/keeps its certificate/),
  )
  file('cert.pem', HOOK_CERTIFICATE)
  file('key.pem', HOOK_CERTIFICATE_KEY)
  await served.sandbox.passInSilence(61)
  expect(await subjectAt()).toBe('hook.example')
  expect((await before.ask<MessageAnswer>(submitTo(PHONE))).status).toBe(STATUS.ok)
})
