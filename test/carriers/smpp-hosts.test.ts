/** Connecting to an SMPP carrier: backup hosts, a client certificate, long passwords, and binds answered as others. */
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Smsc } from '../../src/simulator/smpp/smsc.ts'
import { PduDecoder } from '../../src/wire/smpp/pdu-decoder.ts'
import { PduWriter } from '../../src/wire/smpp/pdu-writer.ts'
import { eventually } from '../support/eventually.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE_KEY } from '../support/loopback-certificate.ts'
import { SmppBench } from '../support/smpp-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

test('a host that cannot be reached is followed by the next, in the order of the settings and round again', async () => {
  const clock = new VirtualClock()
  const hosts = [await bench.startSmsc(clock), await bench.startSmsc(clock), await bench.startSmsc(clock)]
  const [first, second, third] = hosts.map(({ smsc }) => smsc)
  if (first === undefined || second === undefined || third === undefined) throw new Error('three hosts')
  await first.goDown()
  const backupHosts = [`127.0.0.1:${second.port}`, `127.0.0.1:${third.port}`]
  const { carrier, log } = bench.startCarrier(first.port, clock, { backupHosts })
  const boundTo = (smsc: Smsc) => eventually('the bind', () => smsc.bound() === 1 && carrier.state().up, { clock })
  const lost = () => eventually('the loss', () => !carrier.state().up)
  await boundTo(second)
  await second.goDown()
  await lost()
  await boundTo(third)
  await first.comeBack()
  third.cut()
  await lost()
  await boundTo(third)
  await third.goDown()
  await lost()
  await boundTo(first)
  const bound = log.lines.filter(({ level }) => level === 'info').map(({ fields }) => fields['port'])
  expect(bound).toEqual([second.port, third.port, third.port, first.port])
})

test('while none of its hosts answers, a round of all of them is one attempt', async () => {
  const clock = new VirtualClock()
  const { smsc } = await bench.startSmsc(clock)
  await smsc.goDown()
  const { log } = bench.startCarrier(smsc.port, clock, { backupHosts: [`127.0.0.1:${smsc.port}`] })
  const waits = () => log.lines.flatMap(({ fields }) => ('waitMs' in fields ? Number(fields['waitMs']) : []))
  await eventually('three rounds', () => waits().length >= 6, { clock })
  const [a = -1, b = -1, c = -1, d = -1, e = -1, f = -1] = waits()
  expect([a, c, e]).toEqual([0, 0, 0])
  expect(b).toBeGreaterThan(0)
  expect(d).toBeGreaterThan(b)
  expect(f).toBeGreaterThan(d)
})

test('a carrier that requires a client certificate gets it', async () => {
  const pem = { key: LOOPBACK_CERTIFICATE_KEY, cert: LOOPBACK_CERTIFICATE }
  const strict = { ...pem, ca: LOOPBACK_CERTIFICATE, requestCert: true, rejectUnauthorized: true }
  const clock = new VirtualClock()
  const { smsc } = await bench.startSmsc(clock, { tls: strict })
  const { carrier: without } = bench.startCarrier(smsc.port, clock, { tls: { ca: LOOPBACK_CERTIFICATE } })
  const own = { certificate: LOOPBACK_CERTIFICATE, key: LOOPBACK_CERTIFICATE_KEY }
  const { carrier } = bench.startCarrier(smsc.port, clock, { tls: { ca: LOOPBACK_CERTIFICATE, ...own } })
  await eventually('the bind', () => carrier.state().up, { clock })
  await eventually('the refusal', () => without.state().lastError !== null, { clock })
  expect(without.state().up).toBe(false)
})

test('a password may be longer than SMPP allows', async () => {
  const password = 'longer-than-the-eight-letters-of-SMPP-3.4'
  const clock = new VirtualClock()
  const { smsc } = await bench.startSmsc(clock, { password })
  const { carrier } = bench.startCarrier(smsc.port, clock, { password })
  await eventually('the bind', () => carrier.state().up)
})

test('a bind with the answer of another bind is accepted', async () => {
  const server = createServer((socket) => {
    const decoder = new PduDecoder()
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) =>
      decoder.read(chunk, (decoded) => {
        if (decoded.kind !== 'pdu' || !decoded.pdu.command.startsWith('bind_')) return
        const writer = new PduWriter()
        writer.write({ command: 'bind_transmitter_resp', status: 0, systemId: 'OsmoMSC', tlvs: [] }, decoded.sequence)
        socket.write(writer.take())
      }),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { carrier } = bench.startCarrier(port, new VirtualClock(), { bindAs: 'transmitter and receiver' })
  await eventually('both binds', () => carrier.state().links.every(({ state }) => state === 'up'))
  server.close()
})
