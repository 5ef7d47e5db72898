/** Users of WhatsApp who keep their number to themselves: they write, are answered, and opt out by their user id. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WHATSAPP_NUMBER_ID, WHATSAPP_SENDER } from '../../src/simulator/phones/reply-channels.ts'
import type { WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, chatappItem, smsItem } from '../support/send-items.ts'

const USER = 'US.13491208655302741900'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
  const number = { carrier: 'sandbox-whatsapp', address: '15555550100', account: 1, hook: world.sink.address }
  expect(await world.askAdmin('PUT', '/inbound-numbers', { body: number })).toMatchObject({ status: 200 })
})
afterEach(() => world.stop())

const whatsapp = () => world.box.whatsapp as WhatsAppDouble

const writes = (text: string, from = USER) => whatsapp().write(from, WHATSAPP_NUMBER_ID, text)

async function inboxOf(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { data } = await world.ask([{ type: 'inbound/list', after: 0 }])
  return data?.[0]?.data as unknown as readonly Readonly<Record<string, unknown>>[]
}

const byWhatsApp = (change: object = {}) => ({
  ...chatappItem(USER, { chatapp_signature: WHATSAPP_SENDER, chatapp_message: 'Yes, until 6.' }),
  ...change,
})

async function steps(item: object): Promise<readonly string[]> {
  const id = await world.sendOne(item)
  await world.pass(5)
  return (await world.story(id)).steps
}

async function refusal(item: object): Promise<unknown> {
  return (await world.ask([item])).data?.[0]
}

describe('a WhatsApp user without a number', () => {
  test('writes, is answered, writes STOP, and gets nothing more, also after a restart', async () => {
    await writes('Are you open?')
    const [inbound] = await inboxOf()
    expect(inbound).toMatchObject({ phone: null, user_id: USER, from: USER, text: 'Are you open?' })
    const answer = byWhatsApp({ phone: undefined, reply_to: inbound?.['inbound_id'] })
    expect(await steps(answer)).toEqual(['chatapp DELIVERED'])
    expect(world.box.traffic.to(USER)).toMatchObject([{ text: 'Yes, until 6.' }])
    expect(world.reports.map(({ body }) => body)).toMatchObject([
      { type: 'message.inbound', phone: null, user_id: USER },
      { type: 'message.status', phone: null, user_id: USER, status: 'DELIVERED' },
    ])
    await writes('STOP')
    expect(await steps(answer)).toEqual(['chatapp FILTERED'])
    await world.stopGateway()
    await world.startGateway()
    await world.carriersUp()
    expect(await steps(answer)).toEqual(['chatapp FILTERED'])
    expect(world.box.traffic.to(USER)).toHaveLength(1)
  })

  test('gets messages again after START', async () => {
    await writes('STOP')
    await writes('START')
    expect(await steps(byWhatsApp())).toEqual(['chatapp DELIVERED'])
  })

  test('is named in status and prices, which are those of the country', async () => {
    const price = { channel: 'chatapp', currency: 'EUR', prefix: '1', price: 0.11 }
    expect(await world.askAdmin('PUT', '/prices', { body: price })).toMatchObject({ status: 200 })
    await writes('Hello')
    const id = await world.sendOne(byWhatsApp())
    await world.pass(5)
    const { data } = await world.ask([{ type: 'status', msg_id: id }])
    expect(data?.[0]?.data).toMatchObject({ phone: null, user_id: USER, status: 'DELIVERED', price: 0.11 })
  })

  test('is reached by WhatsApp only: other steps of a chain say so, and a send without a chat app is refused', async () => {
    await writes('Hello')
    const chain = chainItem(USER, { chatapp_signature: WHATSAPP_SENDER })
    expect(await steps(chain)).toEqual(['rcs NO ROUTE', 'chatapp DELIVERED'])
    expect(await steps(chainItem(USER))).toEqual(['rcs NO ROUTE', 'chatapp NO ROUTE', 'sms NO ROUTE'])
    expect(await refusal(smsItem(USER))).toMatchObject({ success: false, code: 'invalid_phone', field: 'phone' })
    expect(await refusal({ type: 'call/otp', phone: USER })).toMatchObject({ error: 'Invalid phone number' })
  })

  test('is not reached while denied', async () => {
    await writes('Hello')
    const numbers = { list: 'deny', digits: USER, whole: true, note: 'asked by letter' }
    expect(await world.askAdmin('POST', '/guards/numbers', { body: numbers })).toMatchObject({ status: 200 })
    expect(await steps(byWhatsApp())).toEqual(['chatapp FILTERED'])
  })

  test('is no other writer: an answer to one message does not go to another user', async () => {
    await writes('Hello')
    const [inbound] = await inboxOf()
    const other = byWhatsApp({ phone: 'US.13491208655302741901', reply_to: inbound?.['inbound_id'] })
    expect(await refusal(other)).toMatchObject({ success: false, error: 'reply_to: must be a message from phone' })
    expect(await refusal(byWhatsApp({ phone: undefined }))).toMatchObject({ error: 'phone: required, or reply_to' })
  })
})

describe('a user whom Meta names by phone and user id', () => {
  const PHONE = '491701234500'
  const NEW = 'US.99991208655302741900'

  const notify = async (news: object) => {
    const metadata = { display_phone_number: '15555550100', phone_number_id: WHATSAPP_NUMBER_ID }
    await whatsapp().notify('messages', { metadata, ...news })
  }
  const name = (userId = USER) =>
    notify({ statuses: [{ id: 'wamid.0', status: 'delivered', recipient_id: PHONE, recipient_user_id: userId }] })
  const changeId = (change: object) => {
    const system = { type: 'user_changed_user_id', user_id: NEW, previous_user_id: USER }
    const at = { id: 'wamid.1', timestamp: String(Math.floor(world.clock.now() / 1_000)) }
    return notify({ messages: [{ ...at, type: 'system', from_user_id: USER, system, ...change }] })
  }
  const optOut = (phone: string, path = '') =>
    world.askAdmin('POST', `/accounts/1/opt-outs${path}`, { body: { phone } })
  const restart = async () => {
    await world.stopGateway()
    await world.startGateway()
    await world.carriersUp()
  }
  /** What becomes of a message to each name. */
  const sendTo = async (...phones: readonly string[]) => {
    const ended: string[] = []
    for (const phone of phones) ended.push(...(await steps(byWhatsApp({ phone }))))
    return ended
  }
  const open = async (...phones: readonly string[]) => {
    for (const phone of phones) await writes('Hello', phone)
  }

  test('stays opted out by both, if the opt-out came before or after, and over a restart', async () => {
    await open(USER, PHONE)
    await writes('STOP')
    await name()
    await restart()
    await open(USER, PHONE)
    expect(await sendTo(USER, PHONE)).toEqual(['chatapp FILTERED', 'chatapp FILTERED'])
    await writes('START', PHONE)
    await restart()
    await open(USER, PHONE)
    expect(await sendTo(USER, PHONE)).toEqual(['chatapp DELIVERED', 'chatapp DELIVERED'])
    await writes('STOP', PHONE)
    await restart()
    expect(await sendTo(USER, PHONE)).toEqual(['chatapp FILTERED', 'chatapp FILTERED'])
  })

  test('is opted out and in by an operator under either name', async () => {
    await open(USER, PHONE)
    await optOut(PHONE)
    await name()
    expect(await sendTo(USER, PHONE)).toEqual(['chatapp FILTERED', 'chatapp FILTERED'])
    await optOut(USER, '/remove')
    expect(await sendTo(USER, PHONE)).toEqual(['chatapp DELIVERED', 'chatapp DELIVERED'])
  })

  test('is opted out under both names by the id in other letters', async () => {
    await name('US.aBc1')
    await optOut('US.ABC1')
    await open(PHONE)
    expect(await sendTo(PHONE)).toEqual(['chatapp FILTERED'])
  })

  test.each([USER, PHONE])('is erased under both names by %s, and stays opted out', async (erased) => {
    await open(USER)
    await sendTo(USER)
    await writes('STOP')
    await name()
    await open(PHONE)
    await world.pass(5)
    expect(await world.askAdmin('POST', '/forgotten-phones', { body: { phone: erased } })).toMatchObject({
      body: { messages: 1, replies: 3, opt_outs: 2 },
    })
    expect(await inboxOf()).toEqual([])
    expect((await world.askAdmin('POST', '/messages/find', { body: { phone: USER } })).body['data']).toEqual([])
    await open(USER, PHONE)
    expect(await sendTo(USER, PHONE)).toEqual(['chatapp FILTERED', 'chatapp FILTERED'])
  })

  test('stays opted out under a new id, with a phone and without', async () => {
    await writes('STOP')
    await changeId({})
    await open(NEW)
    expect(await sendTo(NEW)).toEqual(['chatapp FILTERED'])
    await name(NEW)
    await open(PHONE)
    expect(await sendTo(USER, NEW, PHONE)).toEqual(['chatapp FILTERED', 'chatapp FILTERED', 'chatapp FILTERED'])
    await writes('START', NEW)
    await open(USER)
    expect(await sendTo(USER, NEW, PHONE)).toEqual(['chatapp DELIVERED', 'chatapp DELIVERED', 'chatapp DELIVERED'])
  })
})

describe('a user id in other letters', () => {
  const [WRITTEN, OTHERWISE, PARENT] = ['US.aBc1', 'US.ABC1', 'US.ENT.aBc1'] as const
  const sendTo = (phone: string) => steps(byWhatsApp({ phone }))

  test('is opted out as well, and the id for several businesses is another recipient', async () => {
    for (const id of [WRITTEN, OTHERWISE, PARENT]) await writes('Hello', id)
    await writes('STOP', WRITTEN)
    await world.stopGateway()
    await world.startGateway()
    await world.carriersUp()
    for (const id of [WRITTEN, PARENT]) await writes('Hello', id)
    for (const id of [WRITTEN, OTHERWISE, 'US.abc1']) expect(await sendTo(id)).toEqual(['chatapp FILTERED'])
    expect(await sendTo(PARENT)).toEqual(['chatapp DELIVERED'])
    expect(world.box.traffic.to(PARENT)).toHaveLength(1)
    await writes('START', OTHERWISE)
    expect(await sendTo(WRITTEN)).toEqual(['chatapp DELIVERED'])
    expect(world.box.traffic.to(WRITTEN)).toHaveLength(1)
  })

  test('is denied as well, and keeps its opt-out after an erasure', async () => {
    for (const id of [WRITTEN, OTHERWISE]) await writes('Hello', id)
    const entry = { list: 'deny', digits: OTHERWISE, whole: true }
    await world.askAdmin('POST', '/guards/numbers', { body: entry })
    expect(await sendTo(WRITTEN)).toEqual(['chatapp FILTERED'])
    await world.askAdmin('POST', '/guards/numbers/remove', { body: entry })
    await world.askAdmin('POST', '/accounts/1/opt-outs', { body: { phone: OTHERWISE } })
    await world.pass(5)
    const erased = await world.askAdmin('POST', '/forgotten-phones', { body: { phone: WRITTEN } })
    expect(erased.body).toMatchObject({ opt_outs: 1 })
    expect(await sendTo(WRITTEN)).toEqual(['chatapp FILTERED'])
  })
})

describe('an operator', () => {
  const longest = `US.ENT.${'7'.repeat(128)}`

  test('tries the routes to a user id, reads what was written, and tests a carrier that reaches it', async () => {
    const trial = await world.askAdmin('POST', '/routes/trial', {
      body: { account: 1, phone: longest, channels: ['sms', 'chatapp'], sender: WHATSAPP_SENDER },
    })
    expect(trial).toMatchObject({ status: 200, body: { phone: longest, country: 'US' } })
    expect(trial.body['channels']).toMatchObject([
      { channel: 'sms', carrier: null, no_carrier: expect.stringContaining('user id') },
      { channel: 'chatapp', carrier: 'sandbox-whatsapp' },
    ])
    await writes('Hello', longest)
    const talk = await world.askAdmin('POST', '/accounts/1/conversation', { body: { phone: longest } })
    expect(talk.body['data']).toMatchObject([{ text: 'Hello' }])
    const test = (carrier: string) =>
      world.askAdmin('POST', `/carriers/${carrier}/test`, {
        body: { account: 1, to: longest, sender: WHATSAPP_SENDER },
      })
    expect(await test('sandbox-whatsapp')).toMatchObject({ status: 200 })
    expect(await test('sandbox-chat')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('user id') },
    })
  })
})

test.each(['US.', 'us.123', 'USA.123', `US.${'1'.repeat(129)}`, 'US.12 3', "US.1'2"])(
  '%s is no user id',
  async (phone) => {
    expect(await refusal(byWhatsApp({ phone }))).toMatchObject({ success: false, error: 'Invalid phone number' })
  },
)
