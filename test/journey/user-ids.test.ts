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

  test('is no other writer: an answer to one message does not go to another user', async () => {
    await writes('Hello')
    const [inbound] = await inboxOf()
    const other = byWhatsApp({ phone: 'US.13491208655302741901', reply_to: inbound?.['inbound_id'] })
    expect(await refusal(other)).toMatchObject({ success: false, error: 'reply_to: must be a message from phone' })
    expect(await refusal(byWhatsApp({ phone: undefined }))).toMatchObject({ error: 'phone: required, or reply_to' })
  })
})

test.each(['US.', 'us.123', 'USA.123', `US.${'1'.repeat(129)}`, 'US.12 3', "US.1'2"])(
  '%s is no user id',
  async (phone) => {
    expect(await refusal(byWhatsApp({ phone }))).toMatchObject({ success: false, error: 'Invalid phone number' })
  },
)
