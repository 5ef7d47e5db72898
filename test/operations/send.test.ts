import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { channelsOf } from '../../src/contract/channels/send-types.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { SEND_TYPES } from '../support/all-operations.ts'
import { buildPrice } from '../support/build-price.ts'
import { ASYNC_PATH, type ClientBench, startClientBench } from '../support/client-bench.ts'
import { chain, chatapp, PHONE, rcs, send, sms } from '../support/operations.ts'
import { claimAll } from '../support/take-from-queues.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const IMAGE = 'https://client.example/image.png'
const LINK = 'https://client.example/offer'

test('rcs: one step as requested, passed to delivery after it is stored', async () => {
  const fields = {
    rcs_image: IMAGE,
    rcs_link: LINK,
    rcs_button: 'Go',
    rcs_lifetime: 600,
    hook: 'https://client.example/h',
  }
  const result = await bench.ask(rcs(fields))
  expect(result).toEqual({ success: true, data: { id: 1, msg_id: expect.any(Number), data: 1, parts: 1 } })
  expect(bench.outbox.taken).toMatchObject([
    {
      id: result.data.msg_id,
      phone: String(PHONE),
      hook: 'https://client.example/h',
      currency: 'EUR',
      plan: [
        {
          channel: 'rcs',
          sender: 'RCSTest',
          content: { kind: 'text', text: 'Hello', image: IMAGE, button: 'Go', link: LINK },
          lifetimeSeconds: 600,
          priceMicros: 30_000,
          parts: 1,
        },
      ],
    },
  ])
  expect(await bench.store.loadMessages([result.data.msg_id])).toEqual(bench.outbox.taken)
  expect(await bench.store.verifyLedger()).toEqual([])
})

test.each([
  ['text', { text: 'Hello' }],
  ['image', { text: '', image: IMAGE }],
  ['text+image', { text: 'Hello', image: IMAGE }],
  ['text+link', { text: 'Hello', button: 'Go', link: LINK }],
  ['text+image+link', { text: 'Hello', image: IMAGE, button: 'Go', link: LINK }],
])('chatapp: the composition %s takes what it names and leaves the rest', async (type, content) => {
  const all = { chatapp_image: IMAGE, chatapp_link: LINK, chatapp_button: 'Go' }
  await bench.ask(chatapp({ chatapp_type: type, ...all }))
  expect(bench.outbox.taken[0]?.plan).toEqual([
    {
      channel: 'chatapp',
      sender: 'ChatTest',
      content: { kind: 'text', ...content },
      lifetimeSeconds: 172_800,
      priceMicros: 40_000,
      parts: 1,
    },
  ])
})

test('a chain: three steps in order, holds the highest price, returns the SMS parts', async () => {
  const result = await bench.ask(chain({ sms_message: 'x'.repeat(161), rcs_lifetime: 60, chatapp_lifetime: 60 }))
  expect(result.data.parts).toBe(2)
  const [message] = bench.outbox.taken
  expect(message?.plan.map((step) => [step.channel, step.lifetimeSeconds, step.priceMicros, step.parts])).toEqual([
    ['rcs', 60, 30_000, 1],
    ['chatapp', 172_800, 40_000, 1],
    ['sms', 172_800, 100_000, 2],
  ])
  expect(message?.journey.heldMicros).toBe(100_000)
})

test('the chain takes the lifetime of its later steps from the account', async () => {
  const { settings } = (await bench.store.loadDirectory()).accounts[0] ?? {}
  if (settings === undefined) throw new Error('no account')
  const changed = { ...settings, stepLifetimeSeconds: 3_600, reportSteps: true }
  await bench.change({ kind: 'set account', accountId: bench.accountId, settings: changed })
  await bench.ask(chain())
  const [message] = bench.outbox.taken
  expect(message?.plan.map((step) => step.lifetimeSeconds)).toEqual([172_800, 3_600, 3_600])
  expect(message?.reportSteps).toBe(true)
})

test.each([
  ['x'.repeat(160), 1],
  ['x'.repeat(161), 2],
  [`${'x'.repeat(159)}€`, 2],
  ['я'.repeat(70), 1],
  ['я'.repeat(71), 2],
  ['🎉'.repeat(35), 1],
  ['🎉'.repeat(36), 2],
])('parts of an SMS: case %#', async (text, parts) => {
  expect((await bench.ask(chain({ sms_message: text }))).data.parts).toBe(parts)
})

test('an item that is wrong fails alone, and results stand in request order', async () => {
  const { success, data } = await bench.post([rcs({ id: 1 }), rcs({ id: 2, phone: 1 }), 5, rcs({ id: 3 })])
  expect(success).toBe(true)
  expect(data).toMatchObject([
    { success: true, data: { id: 1 } },
    { success: false, error: 'Invalid phone number', data: { id: 2 } },
    { success: false, data: {} },
    { success: true, data: { id: 3 } },
  ])
  expect(bench.outbox.taken).toHaveLength(2)
})

test('the asynchronous path gives the same and a request id', async () => {
  const answer = await bench.post([rcs()], { path: ASYNC_PATH })
  expect(answer).toEqual({
    success: true,
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    data: [{ success: true, data: { id: 1, msg_id: expect.any(Number), data: 1, parts: 1 } }],
  })
  expect(await bench.post([rcs()])).not.toHaveProperty('request_id')
})

describe('every send type', () => {
  const TYPES = [
    ...['rcs', 'chatapp', 'sms'],
    ...['rcs+chatapp', 'rcs+sms', 'chatapp+rcs', 'chatapp+sms', 'sms+rcs', 'sms+chatapp'],
    ...['rcs+chatapp+sms', 'rcs+sms+chatapp', 'chatapp+rcs+sms', 'chatapp+sms+rcs', 'sms+rcs+chatapp'],
    'sms+chatapp+rcs',
  ]
  const LIFETIMES = { rcs_lifetime: 61, chatapp_lifetime: 62, sms_lifetime: 63 }

  test('is there, and no other', () => {
    expect(SEND_TYPES.toSorted()).toEqual(TYPES.toSorted())
    const wrong = [
      '',
      '+',
      'sms+',
      '+sms',
      'sms+sms',
      'rcs+sms+rcs',
      'SMS',
      ' sms',
      'sms rcs',
      'call',
      'sms+call',
      5,
      null,
    ]
    expect([...wrong, 'sms+'.repeat(1_000)].filter((type) => channelsOf(type) !== null)).toEqual([])
  })

  test.each(TYPES)(
    '%s: its steps in their order, each with its lifetime, and nothing of other channels',
    async (type) => {
      const channels = type.split('+')
      const others = { rcs_message: 5, chatapp_type: 5, sms_signature: 5 }
      const result = await bench.ask({ ...others, ...send(type, LIFETIMES) })
      expect(result).toMatchObject({ success: true, data: { parts: 1 } })
      const lifetimeOf = { rcs: 61, chatapp: 62, sms: 63 } as const
      const ofSpec = { rcs: 61, chatapp: 172_800, sms: 172_800 } as const
      const expected = type === 'rcs+chatapp+sms' ? ofSpec : lifetimeOf
      expect(bench.outbox.taken[0]?.plan.map((step) => [step.channel, step.lifetimeSeconds])).toEqual(
        channels.map((channel) => [channel, expected[channel as keyof typeof expected]]),
      )
    },
  )

  test('returns the SMS parts, wherever the SMS step is', async () => {
    const sms_message = 'x'.repeat(161)
    const { data } = await bench.post(['sms', 'sms+rcs', 'rcs+sms+chatapp'].map((type) => send(type, { sms_message })))
    expect(data.map((result: { data: object }) => result.data)).toMatchObject([
      { parts: 2 },
      { parts: 2 },
      { parts: 2 },
    ])
  })

  test('has the default lifetime alone and the account’s in later steps of a chain', async () => {
    const { settings } = (await bench.store.loadDirectory()).accounts[0] ?? {}
    if (settings === undefined) throw new Error('no account')
    const changed = { ...settings, stepLifetimeSeconds: 3_600 }
    await bench.change({ kind: 'set account', accountId: bench.accountId, settings: changed })
    await bench.post([sms(), chatapp(), send('sms+rcs+chatapp')])
    expect(bench.outbox.taken.map(({ plan }) => plan.map((step) => step.lifetimeSeconds))).toEqual([
      [172_800],
      [172_800],
      [3_600, 172_800, 3_600],
    ])
  })

  test.each(['rcs+rcs', 'sms+rcs+sms', 'sms+', '+sms', 'SMS', 'call+sms', 'rcs sms'])('but not %s', async (type) => {
    expect((await bench.ask({ ...send('rcs+chatapp+sms'), type })).error).toMatch(/^type: must be one of /)
  })
})

describe('money', () => {
  test('an operation that the account cannot pay fails alone', async () => {
    const poor = await startClientBench({ balanceMicros: 50_000 })
    const { data } = await poor.post([rcs({ id: 1 }), rcs({ id: 2 }), { type: 'balance' }])
    expect(data).toMatchObject([
      { success: true, data: { id: 1 } },
      { success: false, error: 'Insufficient funds', data: { id: 2 } },
      { success: true, data: { amount: 0.02, currency: 'EUR' } },
    ])
    expect(poor.outbox.taken).toHaveLength(1)
    expect(await poor.store.verifyLedger()).toEqual([])
    await poor.stop()
  })

  test('a number that the operator has no price for', async () => {
    const french = 33612345678
    expect(await bench.ask(rcs({ phone: french }))).toMatchObject({ error: 'phone: no price for rcs to this number' })
    await bench.change({
      kind: 'set price',
      price: buildPrice({ accountId: bench.accountId, channel: 'rcs', prefix: '33', priceMicros: toMicros(1) }),
    })
    expect(await bench.ask(rcs({ phone: french }))).toMatchObject({ success: true })
    expect(await bench.ask(chain({ phone: french }))).toMatchObject({
      error: 'phone: no price for chatapp to this number',
    })
  })
})

test('without room in memory messages wait in the store, and delivery is notified', async () => {
  bench.outbox.full.add('rcs')
  const { data } = await bench.post([rcs(), chatapp()])
  expect(bench.outbox.taken.map((message) => message.id)).toEqual([data[1].data.msg_id])
  expect(bench.outbox.dueAts).toEqual([bench.clock.now()])
  const due = await claimAll(bench.store, { now: bench.clock.now() })
  expect(due.queued.map((message) => message.id)).toEqual([data[0].data.msg_id])
})

describe('SMS in plain letters', () => {
  const text = `“Zażółć” ${'x'.repeat(100)}`

  test('for an account that wants it are fewer parts, counted, priced and sent so', async () => {
    await bench.stop()
    bench = await startClientBench({ settings: { transliterateSms: true } })
    expect((await bench.ask(chain({ sms_message: text }))).data.parts).toBe(1)
    expect(bench.outbox.taken[0]?.plan.at(-1)).toMatchObject({
      content: { text: `"Zazolc" ${'x'.repeat(100)}` },
      parts: 1,
      priceMicros: 50_000,
    })
  })

  test('are what they were for any other', async () => {
    expect((await bench.ask(chain({ sms_message: text }))).data.parts).toBe(2)
    expect(bench.outbox.taken[0]?.plan.at(-1)).toMatchObject({ content: { text }, parts: 2 })
  })

  test('may be longer than the same text could be otherwise', async () => {
    const long = '’'.repeat(1_000)
    expect(await bench.ask(chain({ sms_message: long }))).toMatchObject({ success: false })
    await bench.stop()
    bench = await startClientBench({ settings: { transliterateSms: true } })
    expect((await bench.ask(chain({ sms_message: long }))).data.parts).toBe(7)
  })
})
