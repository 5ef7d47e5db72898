/**
 * Clients of other services call the chat app after its messenger: they are understood, and answered in their words.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkForGateway } from '../../src/app/parts/operation-tools.ts'
import { readConfig } from '../../src/app/settings/config.ts'
import { ChatappNames } from '../../src/contract/operations/chatapp-names.ts'
import { codeOf } from '../../src/contract/request/error-codes.ts'
import { writeStatusReport } from '../../src/domain/reports/report.ts'
import { OPERATION_TYPES } from '../support/all-operations.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { chatapp, PHONE, send } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ chatappNames: ['viber', 'whatsapp'] })
})
afterEach(() => bench.stop())

const rename = (text: string, name: string) => text.replaceAll('chatapp', name)
const named = (item: object, name = 'viber') => JSON.parse(rename(JSON.stringify(item), name))
const viber = (fields: object = {}) => ({ ...named(chatapp()), ...fields })
const SENDS = OPERATION_TYPES.filter((type) => type.split('+').includes('chatapp'))

test('every send with the chat app is taken under the other name, in any order of its channels', async () => {
  expect(SENDS).toHaveLength(11)
  const items = SENDS.map((type) => send(type))
  const expected = await bench.post(items)
  const plans = bench.outbox.taken.splice(0).map(({ plan }) => plan)
  const { data } = await bench.post(items.map((item) => named(item)))
  expect(data.map((result: { success: boolean }) => result.success)).toEqual(SENDS.map(() => true))
  expect(Object.keys(data[0].data)).toEqual(Object.keys(expected.data[0].data))
  const found = bench.outbox.taken.map(({ plan }) => plan.map(({ channelName: _, ...step }) => step))
  expect(found).toEqual(plans)
})

test('a name may be a part of the name of another channel', () => {
  const names = new ChatappNames(['cs', 'ms'])
  const typeOf = (type: string) => names.typeOf({ type })
  expect(['rcs+cs', 'ms+sms', 'rcs+ms+sms', 'cs'].map(typeOf)).toEqual([
    ...['rcs+chatapp', 'chatapp+sms', 'rcs+chatapp+sms', 'chatapp'],
  ])
  expect(['cs+ms', 'cs+chatapp', 'cs+fax', 'rcs+sms'].map(typeOf)).toEqual(['cs+ms', 'cs+chatapp', 'cs+fax', 'rcs+sms'])
})

test('all fields of the channel have the other name', async () => {
  const item = {
    type: 'viber',
    phone: PHONE,
    viber_type: 'text+image+link',
    viber_signature: 'ChatTest',
    viber_message: 'Hello',
    viber_image: 'https://a.example/i.png',
    viber_link: 'https://a.example/',
    viber_button: 'Open',
    viber_lifetime: 600,
  }
  expect(await bench.ask(item)).toEqual({ success: true, data: expect.objectContaining({ parts: 1 }) })
  expect(bench.outbox.taken[0]?.plan).toMatchObject([
    {
      channel: 'chatapp',
      channelName: 'viber',
      sender: 'ChatTest',
      lifetimeSeconds: 600,
      content: {
        text: 'Hello',
        image: 'https://a.example/i.png',
        link: 'https://a.example/',
        button: 'Open',
      },
    },
  ])
})

test('the name is kept with the message: status and reports use it', async () => {
  await bench.post([named(send('rcs+chatapp+sms', { id: 1 })), send('chatapp', { id: 2 }), viber({ id: 3 })])
  const { data } = await bench.post([1, 2, 3].map((id) => ({ type: 'status', id })))
  expect(data.map((each: { data: object }) => each.data)).toMatchObject([
    { type: 'rcs+viber+sms', channel: 'rcs' },
    { type: 'chatapp', channel: 'chatapp', steps: [{ channel: 'chatapp' }] },
    { type: 'viber', channel: 'viber', steps: [{ channel: 'viber' }] },
  ])
  const stored = await bench.store.loadMessages([data[2].data.msg_id])
  expect(stored.map((message) => JSON.parse(writeStatusReport(message, 0, 0).body))).toMatchObject([
    { channel: 'viber', steps: [{ channel: 'viber' }] },
  ])
})

test('a price uses the name', async () => {
  const price = (type: string) => ({ ...named(send(type)), type: 'price', send_type: rename(type, 'viber') })
  const { data } = await bench.post([price('chatapp'), price('sms+chatapp')])
  expect(data.map(({ data: { steps } }: { data: { steps: { channel: string }[] } }) => steps)).toMatchObject([
    [{ channel: 'viber', parts: 1, price: 0.04 }],
    [{ channel: 'sms' }, { channel: 'viber' }],
  ])
})

test('the list of templates has the name', async () => {
  const [one, other] = (await bench.post([{ type: 'template/viber/list' }, { type: 'template/chatapp/list' }])).data
  expect(one.data).toHaveLength(2)
  expect(one).toEqual(other)
})

describe('errors use the name', () => {
  test.each<[string, object, string, string]>([
    ['a missing field', viber({ viber_type: '' }), 'viber_type: required', 'viber_type'],
    ['a missing part', viber({ viber_message: '' }), 'viber_message: required', 'viber_message'],
    ['a wrong sender', viber({ viber_signature: 'Unknown' }), 'Error in Alpha-name', 'viber_signature'],
    [
      'a long text',
      viber({ viber_message: 'x'.repeat(1_001) }),
      'viber_message: at most 1000 characters',
      'viber_message',
    ],
    [
      'a wrong lifetime in a chain',
      named(send('chatapp+sms', { chatapp_lifetime: 5 })),
      'viber_lifetime: must be a whole number of seconds from 60 to 1209600',
      'viber_lifetime',
    ],
    ['no price', viber({ phone: 33612345678 }), 'phone: no price for viber to this number', 'phone'],
  ])('%s', async (_, item, error, field) => {
    expect(await bench.ask(item)).toEqual({ success: false, error, code: codeOf(error), data: { id: 1 }, field })
  })

  test.each([
    ['type', /^type: must be one of rcs, viber, sms, a chain such as viber\+sms/],
    ['send_type', /^send_type: must be one of rcs, viber, sms, or several of them joined by \+, such as viber\+sms$/],
  ])('of a %s that does not exist, too', async (naming, text) => {
    const item = { type: 'price', [naming]: 'viber+fax' }
    const { error } = await bench.ask(item)
    expect(error).toMatch(text)
    expect(error).not.toContain('chatapp')
  })
})

describe('both names in one operation', () => {
  test('the type decides what the answer calls the channel', async () => {
    const { data } = await bench.post([
      { ...chatapp({ id: 1 }), type: 'viber' },
      viber({ id: 2, type: 'chatapp' }),
      viber({ id: 3, type: 'whatsapp' }),
    ])
    expect(data.map((each: { success: boolean }) => each.success)).toEqual([true, true, true])
    expect(bench.outbox.taken.map(({ plan }) => plan[0]?.channelName)).toEqual(['viber', undefined, 'whatsapp'])
  })

  test.each<[string, string, string]>([
    ['viber', 'chatapp_message', 'viber_message'],
    ['chatapp', 'viber_message', 'chatapp_message'],
    ['whatsapp', 'viber_message', 'chatapp_message'],
  ])('a field under several names: in the type %s, %s gives way to %s', async (type, loser, winner) => {
    const item = { type, phone: PHONE, chatapp_type: 'text', chatapp_signature: 'ChatTest' }
    const result = await bench.ask({ ...item, [loser]: 'The other', [winner]: 'This one' })
    expect(result).toMatchObject({ success: true, warnings: [`${loser}: ignored`] })
    expect(bench.outbox.taken[0]?.plan[0]?.content).toMatchObject({ text: 'This one' })
  })

  test('null and the empty string are not sent under either name', async () => {
    const result = await bench.ask(viber({ chatapp_message: '', whatsapp_message: null }))
    expect(result).toEqual({ success: true, data: expect.anything() })
  })
})

test('a repeat under an Idempotency-Key is answered under the same name', async () => {
  const options = { headers: { 'Idempotency-Key': 'k' } }
  const items = [viber({ viber_signature: 'Unknown' }), viber({ viber_colour: 'red' })]
  const first = await bench.post(items, options)
  expect(first.data).toMatchObject([{ field: 'viber_signature' }, { warnings: ['viber_colour: ignored'] }])
  expect(await bench.post(items, options)).toEqual(first)
})

test('without the setting the name is unknown', async () => {
  const plain = await startClientBench({ chatappNames: [] })
  expect((await plain.ask(viber())).error).toMatch(/^type: must be one of rcs, chatapp, sms/)
  await plain.stop()
})

describe('the setting', () => {
  const namesOf = (value?: string) => readConfig({}, { POSTHORN_CHATAPP_NAMES: value }).chatappNames

  test('is viber by default, a list, or none', () => {
    expect(namesOf()).toEqual(['viber'])
    expect(namesOf('viber, whatsapp,viber')).toEqual(['viber', 'whatsapp'])
    expect(namesOf('none')).toEqual([])
  })

  test.each([
    ['Viber', '"Viber" must be 2 to 20 lower-case letters and digits'],
    ['viber,', '"" must be 2 to 20 lower-case letters and digits'],
    ['chatapp', '"chatapp" has another meaning in the API'],
    ['sms', '"sms" has another meaning in the API'],
    ['telegram', '"telegram" has another meaning in the API'],
    ['short', '"short" has another meaning in the API'],
    ['a1,a2,a3,a4,a5,a6,a7,a8,a9', 'at most 8 names'],
  ])('cannot be %s', (value, problem) => {
    const config = readConfig({}, { POSTHORN_CHATAPP_NAMES: value })
    expect(() => checkForGateway(config)).toThrow(`POSTHORN_CHATAPP_NAMES: ${problem}`)
  })
})
