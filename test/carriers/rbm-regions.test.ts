/** Google RCS by region: where phones are checked together, agents of regions, and how Google bills a message. */
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { readRbmCall } from '../../src/carriers/rbm/read-receipt.ts'
import { regionOf } from '../../src/carriers/rbm/regions.ts'
import { readRbmSettings } from '../../src/carriers/rbm/settings.ts'
import { readRbmAnswer } from '../../src/carriers/rbm/submit.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Submission } from '../../src/ports/carriers/carrier.ts'
import type { RbmDouble } from '../../src/simulator/rbm/rbm.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildRbmBench, type HttpBench } from '../support/http-benches.ts'

let bench: HttpBench<RbmDouble> | null = null

afterEach(async () => {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
})

const AMERICAS = ['12025550104', '12025550105', '5511912345604', '5511912345605'] as unknown as Phone[]
const EUROPE = ['4917012345604', '4917012345605', '33612345604', '33612345605'] as unknown as Phone[]
const UZBEKISTAN = ['998901234504', '998901234505'] as unknown as Phone[]
const ASIA = ['919812345604', '919812345605'] as unknown as Phone[]

/** Returns a started carrier, and what submits a text to each of these phones at the same moment. */
async function begin(settings: object = {}) {
  const begun = await buildRbmBench(settings)
  bench = begun
  const { carrier, inbox } = begun
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  const submissions = new SubmissionMaker(begun)
  const sendAll = async (phones: readonly Phone[], change: Partial<Submission> = {}) => {
    const made = phones.map((phone) => carrier.submit({ ...submissions.make('04', change), phone }))
    return (await settled('the verdicts', Promise.all(made))).flat()
  }
  return { ...begun, sendAll }
}

describe('phones are checked together', () => {
  test('in one batch for each country, at the host of its region', async () => {
    const { double, sendAll } = await begin({ checkCapabilities: true })
    const verdicts = await sendAll([...AMERICAS, ...EUROPE, ...ASIA])
    expect(verdicts.every(({ kind }) => kind === 'taken')).toBe(true)
    expect(double.batches).toEqual([2, 2, 2, 2, 2])
    expect(double.batchRegions.toSorted()).toEqual(['asia', 'europe', 'europe', 'us', 'us'])
    expect(double.capabilityRequests()).toBe(0)
  })

  test('one by one where Google puts their country into another region, and the others together', async () => {
    const { double, sendAll } = await begin({ checkCapabilities: true })
    const verdicts = await sendAll([...EUROPE, ...UZBEKISTAN])
    expect(verdicts.every(({ kind }) => kind === 'taken')).toBe(true)
    expect([double.batches, double.capabilityRequests()]).toEqual([[2, 2], 2])
  })

  test.each([
    [{}, 'https://europe-rcsbusinessmessaging.googleapis.com'],
    [{ baseUrl: 'http://localhost:9' }, 'http://localhost:9'],
    [
      { baseUrl: 'http://localhost:9', regionalUrls: { us: 'http://a', europe: 'http://b', asia: 'http://c' } },
      'http://b',
    ],
  ])('with %j at the host %s', async (change, host) => {
    const { double } = await begin()
    const { serviceAccount, clientToken } = double
    const settings = readRbmSettings({ agentId: 'a', serviceAccount, clientToken, ...change })
    expect(settings.regionalUrls.europe).toBe(host)
  })

  test.each([
    ...['1202', '52', '5511'].map((phone) => [phone, 'us']),
    ...['44', '27', '971', '7'].map((phone) => [phone, 'europe']),
    ...['62', '81', '91', '86'].map((phone) => [phone, 'asia']),
  ])('%s… is in the region %s', (phone, region) => {
    expect(regionOf(phone ?? '')).toBe(region)
  })
})

describe('a sender with an agent for each region', () => {
  const agents = { Shop: { us: 'shop-us', asia: 'shop-asia@rbm.goog' } }

  test('sends by the agent of the recipient, or by the common one', async () => {
    const { double, sendAll, carrier } = await begin({ agents })
    double.forbid('shop-us')
    const verdicts = await sendAll([...AMERICAS.slice(0, 1), ...EUROPE.slice(0, 1), ...ASIA.slice(0, 1)])
    expect(verdicts.map(({ kind }) => kind)).toEqual(['unreachable', 'taken', 'taken'])
    expect(carrier.state().lastError).toBe('PERMISSION_DENIED: the agent may not send')
  })

  test.each([
    ['shop-us', '12025550104', ['Shop']],
    ['shop-asia', '919812345604', ['Shop']],
    // The recipient moved to another country.
    ['shop-us', '4917012345604', ['Shop']],
    ['agent-one', '4917012345604', { except: [] }],
    ['agent-one', '919812345604', { except: ['Shop'] }],
  ])('gets what is written to %s by %s', async (agentId, phone, senders) => {
    const { double, inbox } = await begin({ agents })
    await double.write({ from: phone, to: agentId, text: 'STOP' })
    expect(inbox.arrivals).toMatchObject([{ recipient: agentId, senders, sender: phone }])
  })
})

describe('the billing category', () => {
  const classified = (classificationType: unknown) => ({ richMessageClassification: { classificationType } })

  test.each([
    [classified('RICH_MESSAGE'), { category: 'rich_message' }],
    [classified('RICH_MEDIA_MESSAGE'), { category: 'rich_media_message' }],
    [classified('no word'), {}],
    [classified({}), {}],
    [{ richMessageClassification: 'RICH_MESSAGE' }, {}],
    [{}, {}],
  ])('of the answer %j is %j', (body, category) => {
    const answer = { kind: 'answered', status: 200, body: JSON.stringify(body), retryAfterMs: null } as const
    expect(readRbmAnswer(answer, 'ref')).toEqual({ kind: 'taken', ref: 'ref', ...category })
  })

  test('of an event goes with its receipt', () => {
    const event = { eventType: 'DELIVERED', messageId: 'ref-1', eventId: 'e1', ...classified('RICH_MESSAGE') }
    const bytes = Buffer.from(JSON.stringify(event))
    const headers = { 'x-goog-signature': createHmac('sha512', 'token').update(bytes).digest('base64') }
    const body = Buffer.from(JSON.stringify({ message: { data: bytes.toString('base64') } }))
    expect(readRbmCall({ method: 'POST', path: '', headers, body }, 'token')).toMatchObject({
      receipt: { ref: 'ref-1', category: 'rich_message' },
    })
  })
})
