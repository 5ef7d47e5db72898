/**
 * Kannel, an SMS gateway, as a client of the simulated SMSC: its messages must arrive, and it must understand the
 * delivery reports. Real processes in real time, because Kannel has no other clock.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import type { Smsc } from '../../src/simulator/smpp/smsc.ts'
import { eventually } from '../support/eventually.ts'
import { SMPP_ACCOUNT, SmppBench } from '../support/smpp-bench.ts'
import { HAS_KANNEL, KannelBoxes } from './kannel-boxes.ts'

/** Kannel's codes for the state of a message: 1 delivered, 2 not, 8 the SMSC has it. */
const DELIVERED = '1'
const FAILED = '2'
const TAKEN = '8'

describe.skipIf(!HAS_KANNEL)('Kannel', () => {
  const bench = new SmppBench()
  const boxes = new KannelBoxes()
  const { states } = boxes
  let smsc: Smsc
  let traffic: PhoneTraffic

  beforeAll(async () => {
    const started = await bench.startSmsc(systemClock)
    smsc = started.smsc
    traffic = started.traffic
    await boxes.start({ smscPort: smsc.port, ...SMPP_ACCOUNT })
    await eventually('Kannel to bind', () => smsc.bound() === 1)
  })

  afterAll(async () => {
    await boxes.stop()
    await bench.close()
  })

  async function send(phone: string, text: string, coding: Record<string, string> = {}): Promise<void> {
    expect(await boxes.send(phone, text, coding)).toBe('0: Accepted for delivery')
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
