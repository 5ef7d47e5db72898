/**
 * Kannel, an SMS gateway, as a client of the simulated SMSC: its messages must arrive, and it must understand the
 * delivery reports. Real processes in real time, because Kannel has no other clock.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { Traffic } from '../../src/simulator/phones/traffic.ts'
import type { Smsc } from '../../src/simulator/smpp/smsc.ts'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import { eventually } from '../support/eventually.ts'
import { SMPP_ACCOUNT, SmppBench } from '../support/smpp-bench.ts'
import { writeKannelConfig } from './kannel-config.ts'

const BEARERBOX = findProgram('bearerbox', 'kannel')
const SMSBOX = findProgram('smsbox', 'kannel')
/** Kannel's codes for the state of a message: 1 delivered, 2 not, 8 the SMSC has it. */
const DELIVERED = '1'
const FAILED = '2'
const TAKEN = '8'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe.skipIf(BEARERBOX === null || SMSBOX === null)('Kannel', () => {
  const bench = new SmppBench()
  const boxes = [new DebianProgram(), new DebianProgram()] as const
  /** The states that Kannel reported, by phone. */
  const states = new Map<string, string[]>()
  const sink = createHttpServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://sink').searchParams
    const phone = query.get('phone') ?? ''
    states.set(phone, [...(states.get(phone) ?? []), query.get('state') ?? ''])
    response.end()
  })
  let smsc: Smsc
  let traffic: Traffic
  let sendPort: number

  beforeAll(async () => {
    const started = await bench.startSmsc(systemClock)
    smsc = started.smsc
    traffic = started.traffic
    sink.listen(0, '127.0.0.1')
    await once(sink, 'listening')
    const [adminPort, boxPort] = [await freePort(), await freePort()]
    sendPort = await freePort()
    const config = writeKannelConfig({ smscPort: smsc.port, adminPort, boxPort, sendPort, ...SMPP_ACCOUNT })
    const [bearerbox, smsbox] = boxes
    for (const { folder } of boxes) writeFileSync(join(folder, 'kannel.conf'), config)
    bearerbox.start(BEARERBOX ?? '', ['-v', '4', 'kannel.conf'])
    await bearerbox.listens('tcp', boxPort)
    smsbox.start(SMSBOX ?? '', ['-v', '4', 'kannel.conf'])
    await smsbox.listens('tcp', sendPort)
    await eventually('Kannel to bind', () => smsc.bound() === 1)
  })

  afterAll(async () => {
    for (const box of boxes) await box.stop()
    sink.close()
    await bench.close()
  })

  async function send(phone: string, text: string, coding: Record<string, string> = {}): Promise<void> {
    const { port } = sink.address() as AddressInfo
    const query = new URLSearchParams({
      ...{ username: 'user', password: 'user', from: 'Kannel', to: phone, text, charset: 'UTF-8', ...coding },
      ...{ 'dlr-mask': '31', 'dlr-url': `http://127.0.0.1:${port}/?phone=${phone}&state=%d` },
    })
    const answer = await fetch(`http://127.0.0.1:${sendPort}/cgi-bin/sendsms?${query}`)
    expect(await answer.text()).toBe('0: Accepted for delivery')
  }

  const arrivedAt = (phone: string) =>
    traffic
      .to(phone)
      .map(({ text }) => text)
      .join('')

  test.each([
    ['GSM', '37120000100', 'Hello {you} for 5€', {}],
    ['UCS-2', '37120000200', 'Привет 😀', { coding: '2' }],
    ['long GSM', '37120000300', 'The quick brown fox jumps over the lazy dog. '.repeat(8).trim(), {}],
    ['long UCS-2', '37120000400', 'Съешь ещё этих мягких французских булок. '.repeat(5).trim(), { coding: '2' }],
  ])('sends %s, and gets its delivery report', async (_, phone, text, coding) => {
    await send(phone, text, coding)
    await eventually('the receipts', () => states.get(phone)?.includes(DELIVERED))
    expect(states.get(phone)).toContain(TAKEN)
    expect(arrivedAt(phone)).toBe(text)
  })

  test('gets the report of a message that could not be delivered', async () => {
    await send('37120000503', 'Hello')
    await eventually('the receipt', () => states.get('37120000503')?.includes(FAILED))
  })

  test('acknowledges an inbound message', async () => {
    const outcome = await smsc.deliver({
      ...{ command: 'deliver_sm', serviceType: '', source: { ton: 1, npi: 1, digits: '37120000600' } },
      ...{ destination: { ton: 3, npi: 0, digits: '1234' }, esmClass: 0, protocolId: 0, priority: 0 },
      ...{ scheduleTime: '', validityPeriod: '', registeredDelivery: 0, replaceIfPresent: 0, dataCoding: 0 },
      ...{ defaultMessageId: 0, payload: Buffer.from('Hello'), tlvs: [] },
    })
    expect(outcome).toMatchObject({ kind: 'answered', answer: { command: 'deliver_sm_resp', status: 0 } })
  })
})
