/**
 * Kannel as a provider: the ready settings send through its real smsbox and bearerbox to the simulated SMSC, and get
 * its delivery reports and inbound messages. Real processes in real time, because Kannel has no other clock.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { fillAnswers } from '../../src/operations/admin/carriers/fill-answers.ts'
import type { Carrier } from '../../src/ports/carriers/carrier.ts'
import type { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import type { Smsc } from '../../src/simulator/smpp/smsc.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually } from '../support/eventually.ts'
import { InboxWitness } from '../support/inbox-witness.ts'
import { providerFile, WEBHOOK_TOKEN } from '../support/providers/provider-bench.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { SMPP_ACCOUNT, SmppBench } from '../support/smpp-bench.ts'
import { openWebhookDoor, type WebhookDoor } from '../support/webhook-door.ts'
import { HAS_KANNEL, KannelBoxes } from './kannel-boxes.ts'

describe.skipIf(!HAS_KANNEL)('Kannel with its ready settings', () => {
  const bench = new SmppBench()
  const boxes = new KannelBoxes()
  const inbox = new InboxWitness()
  const submissions = new SubmissionMaker({ carrier: { channel: 'sms' } as never, sender: 'Shop' })
  let [carrier, door, smsc, traffic] = [] as unknown as [Carrier, WebhookDoor, Smsc, PhoneTraffic]

  beforeAll(async () => {
    const started = await bench.startSmsc(systemClock)
    smsc = started.smsc
    traffic = started.traffic
    // Kannel has to know the addresses before the carrier can know Kannel's.
    door = await openWebhookDoor({ id: 'up', answerWebhook: (call) => carrier.answerWebhook?.(call) } as Carrier)
    const provider = providerFile('kannel')
    const getUrl = /get-url = "(.*)"/.exec(provider.setUp.join(' '))?.[1] ?? ''
    const inboundUrl = getUrl.replace('{{inboundWebhook}}', `${door.address}/inbound/${WEBHOOK_TOKEN}`)
    await boxes.start({ smscPort: smsc.port, ...SMPP_ACCOUNT, inboundUrl })
    const answers = { base: boxes.address, username: 'user', password: 'user', webhookToken: WEBHOOK_TOKEN }
    const random = new SeededRandom()
    const settings = fillAnswers(provider, answers, null, random)
    const publicUrl = door.address.replace('/carriers/up', '')
    const tools = { clock: systemClock, random, log: new SilentLog(), publicUrl }
    carrier = createHttpCarrier({ id: 'up', channel: 'sms', settings }, tools)
    carrier.start(inbox)
    await eventually('Kannel to bind', () => smsc.bound() === 1)
  })

  afterAll(async () => {
    await carrier?.stop()
    await boxes.stop()
    await door?.stop()
    await bench.close()
  })

  test.each([
    ['GSM', '00', 'Hello {you} for 5€ & 100%'],
    ['Unicode', '00', 'Привіт 👋 & 100%'],
  ])('takes %s, and its delivery is known', async (_what, end, text) => {
    const submission = submissions.make(end, { content: { kind: 'text', text } })
    const [verdict] = await carrier.submit(submission)
    const ref = `${submission.messageId}-${submission.step}`
    expect(verdict).toEqual({ kind: 'taken', ref })
    await eventually('the receipt', () => inbox.of(ref).some(({ outcome }) => outcome === 'delivered'))
    expect(traffic.to(submission.phone).at(-1)?.text).toBe(text)
  })

  test('takes a long text as one message', async () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(9).trim()
    const submission = submissions.make('20', { content: { kind: 'text', text }, parts: [0, 1, 2] })
    const [verdict] = await carrier.submit(submission)
    const ref = verdict?.kind === 'taken' ? verdict.ref : ''
    await eventually('the receipt', () => inbox.of(ref).some(({ outcome }) => outcome === 'delivered'))
    const parts = traffic.to(submission.phone).map((each) => each.text)
    expect(parts.join('')).toBe(text)
  })

  test('reports a message that could not be delivered', async () => {
    const submission = submissions.make('03')
    const [verdict] = await carrier.submit(submission)
    const ref = verdict?.kind === 'taken' ? verdict.ref : ''
    await eventually('the receipt', () => inbox.of(ref).some(({ outcome }) => outcome === 'undeliverable'))
  })

  test.each([
    ['GSM', 'Yes & 100%'],
    ['Unicode', 'Так 👋 & 100%'],
  ])('passes on an inbound message in %s', async (_what, text) => {
    const before = inbox.arrivals.length
    await smsc.write({ from: '380501234599', to: '4915550001', text })
    const arrivals = await eventually('the message', () => inbox.arrivals.length > before && inbox.arrivals)
    expect(arrivals.at(-1)).toMatchObject({ sender: '+380501234599', recipient: '+4915550001', text })
  })

  test('is down for a wrong password', async () => {
    const answers = { base: boxes.address, username: 'user', password: 'wrong', webhookToken: WEBHOOK_TOKEN }
    const random = new SeededRandom()
    const settings = fillAnswers(providerFile('kannel'), answers, null, random)
    const tools = { clock: systemClock, random, log: new SilentLog(), publicUrl: 'http://127.0.0.1' }
    const other = createHttpCarrier({ id: 'other', channel: 'sms', settings }, tools)
    other.start(inbox)
    expect(await other.submit(submissions.make('00'))).toMatchObject([{ kind: 'unreachable', account: true }])
    await other.stop()
  })
})
