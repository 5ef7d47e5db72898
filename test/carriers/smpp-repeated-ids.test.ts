/**
 * Carriers that give several messages the same id: how their receipts are matched, and that operators get a warning.
 */
import type { PDU, Session } from 'smpp'
import { afterEach, expect, test } from 'vitest'
import { RepeatedIds } from '../../src/carriers/smpp/repeated-ids.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { eventually } from '../support/eventually.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { refOf, SmppBench, smsSubmission } from '../support/smpp-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

/** Gives every message the id of OsmoMSC, and sends its receipt from this number, with the returned reference. */
const takeAs =
  (numberOf: (phone: string) => string, echoes = false, id = 'msg_id_not_implemented') =>
  (session: Session, pdu: PDU) => {
    session.send(pdu.response({ message_id: id }))
    session.deliver_sm(
      {
        esm_class: 4,
        source_addr: numberOf(String(pdu['destination_addr'])),
        short_message: Buffer.from(
          `id:${id} stat:${String(pdu['destination_addr']).endsWith('1') ? 'DELIVRD' : 'UNDELIV'}`,
        ),
        ...(echoes ? { user_message_reference: pdu['user_message_reference'] } : {}),
      },
      () => {},
    )
  }

const PHONES = ['37120000001', '37120000002']

test.each([
  ['as it is', (phone: string) => phone],
  ['with a plus', (phone: string) => `+${phone}`],
  ['national', (phone: string) => `0${phone.slice(3)}`],
])('the recipient distinguishes them, written %s', async (_, numberOf) => {
  const settings = { receiptIds: { apartBy: 'recipient' } }
  const { carrier, inbox, log } = await bench.startNpmSmpp(takeAs(numberOf), settings)
  const verdicts = await Promise.all(PHONES.map((phone) => carrier.submit(smsSubmission('Hello', phone))))
  const [first = '', second = ''] = verdicts.flat().map(refOf)
  expect(first).not.toBe(second)
  expect(first).not.toContain(PHONES[0])
  await eventually('both receipts', () => inbox.receipts.length === 2)
  expect(inbox.of(first)).toMatchObject([{ outcome: 'delivered' }])
  expect(inbox.of(second)).toMatchObject([{ outcome: 'undeliverable' }])
  expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([])
})

test.each(['msg_id_not_implemented', ''])(
  'the returned reference distinguishes them, even messages to one recipient, with the id "%s"',
  async (id) => {
    const references: unknown[] = []
    const take = takeAs((phone) => phone, true, id)
    const { carrier, inbox } = await bench.startNpmSmpp(
      (session, pdu) => {
        references.push(pdu['user_message_reference'])
        take(session, pdu)
      },
      { receiptIds: { apartBy: 'reference' } },
    )
    const [phone = ''] = PHONES
    const verdicts = await Promise.all(['One', 'Two'].map((text) => carrier.submit(smsSubmission(text, phone))))
    const [first = '', second = ''] = verdicts.flat().map(refOf)
    expect(new Set(references).size).toBe(2)
    await eventually('both receipts', () => inbox.receipts.length === 2)
    expect(inbox.of(first)).toHaveLength(1)
    expect(inbox.of(second)).toHaveLength(1)
  },
)

test('without the setting no reference is sent, and the log has one warning', async () => {
  const references: unknown[] = []
  const { carrier, log } = await bench.startNpmSmpp((session, pdu) => {
    references.push(pdu['user_message_reference'])
    session.send(pdu.response({ message_id: 'msg_id_not_implemented' }))
  })
  for (const phone of [...PHONES, ...PHONES]) await carrier.submit(smsSubmission('Hello', phone))
  expect(references).toEqual([undefined, undefined, undefined, undefined])
  const warned = log.lines.filter(({ line }) => line.includes('the same id'))
  expect(warned).toMatchObject([{ fields: { carrier: 'sms-1', ref: 'msg_id_not_implemented' } }])
})

test('a message that is sent again under its own id is no repeat', async () => {
  const { carrier, log } = await bench.startNpmSmpp((session, pdu) => session.send(pdu.response({ message_id: '7' })))
  const submission = smsSubmission('Hello')
  await carrier.submit(submission)
  await carrier.submit({ ...submission, attempt: 2 })
  expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([])
})

test('thousands of different ids are not repeated ones, however a carrier writes them, and a repeated one is found', () => {
  const log = new SilentLog()
  const repeats = new RepeatedIds('sms-1', { clock: new VirtualClock(), random: new SeededRandom(), log })
  const ids = Array.from({ length: 5_000 }, (_, index) => [
    `${index}`,
    `a1b2c3d4${index}`,
    index.toString(16),
    `${10n ** 18n + BigInt(index)}`,
  ])
  for (const [index, id] of [...new Set(ids.flat())].entries()) repeats.check(id, index as MessageId)
  expect(log.lines).toEqual([])
  repeats.check('one', 1 as MessageId)
  repeats.check('one', 1 as MessageId)
  expect(log.lines).toEqual([])
  repeats.check('one', 2 as MessageId)
  expect(log.lines).toHaveLength(1)
})
