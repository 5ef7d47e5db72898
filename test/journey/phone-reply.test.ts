/** A conversation in the sandbox: messages go out, and its simulated phones answer through the real protocols. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { replyByPhone } from '../../src/sandbox/phone-control.ts'
import type { PhoneReply } from '../../src/simulator/phone-reply.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chatappItem, rcsItem } from '../support/send-items.ts'

const ANNA = '491701234500'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

const reply = (change: Partial<PhoneReply>) =>
  replyByPhone(world.dataDir, { from: ANNA, to: 'SMSTest', text: 'Yes', channel: 'sms', ...change })

async function list(type: string) {
  const { data } = await world.ask([{ type }])
  return data?.[0]?.data as unknown as readonly Record<string, unknown>[]
}

test('a phone answers on each channel, and each answer names its message', async () => {
  const sms = await world.sendOne({ type: 'sms', phone: ANNA, sms_signature: 'SMSTest', sms_message: 'Yes or no?' })
  const rcs = await world.sendOne(rcsItem(ANNA))
  const chat = await world.sendOne(chatappItem(ANNA))
  await world.pass(2)
  expect(await reply({})).toBe(null)
  expect(await reply({ channel: 'rcs', to: 'sandbox-agent', text: 'Ja 😀' })).toBe(null)
  expect(await reply({ channel: 'chatapp', to: '4321', text: 'Oui' })).toBe(null)
  await world.rest()
  const inbound = await list('inbound/list')
  expect(inbound).toMatchObject([
    { text: 'Yes', channel: 'sms', phone: Number(ANNA), to: 'SMSTest', in_reply_to: { msg_id: sms } },
    { text: 'Ja 😀', channel: 'rcs', phone: Number(ANNA), to: 'sandbox-agent', in_reply_to: { msg_id: rcs } },
    { text: 'Oui', channel: 'chatapp', phone: Number(ANNA), to: '4321', in_reply_to: { msg_id: chat } },
  ])
  const { events } = (await list('event/list')) as unknown as { readonly events: readonly object[] }
  expect(events).toMatchObject(inbound.map((each) => ({ ...each, type: 'message.inbound' })))
})

test('by WhatsApp a phone opens the conversation, and an answer names exactly the message that it quotes', async () => {
  const whatsapp = { channel: 'whatsapp', to: '15555550100' } as const
  const chat = (chatapp_message: string) =>
    world.sendOne(chatappItem(ANNA, { chatapp_signature: 'WhatsAppTest', chatapp_message }))
  const early = await chat('Hello?')
  await world.pass(2)
  expect(await reply({ ...whatsapp, text: 'Are you open?' })).toBe(null)
  await world.rest()
  const [first, second] = [await chat('At 9 or at 10?'), await chat('Or never?')]
  await world.pass(2)
  expect((await world.story(early)).steps).toEqual(['chatapp REJECTED'])
  expect((await world.story(first)).steps).toEqual(['chatapp DELIVERED'])
  // What the phone shows as the sender is what it answers to.
  expect(world.box.traffic.to(ANNA).at(-1)).toMatchObject({ sender: whatsapp.to, text: 'Or never?' })
  expect(await reply({ ...whatsapp, text: 'The first, at 10', quotes: String(first) })).toBe(null)
  expect(await reply({ ...whatsapp, text: 'Never mind' })).toBe(null)
  await world.rest()
  expect(await list('inbound/list')).toMatchObject([
    { text: 'Are you open?', channel: 'chatapp', phone: Number(ANNA), to: '15555550100', in_reply_to: null },
    { text: 'The first, at 10', in_reply_to: { msg_id: first } },
    { text: 'Never mind', in_reply_to: { msg_id: second } },
  ])
  expect(await reply({ ...whatsapp, quotes: String(early) })).toBe(
    `quote: ${ANNA} got no message ${early} by WhatsApp since the start of the sandbox`,
  )
  expect(await reply({ quotes: String(first) })).toBe('quote: only WhatsApp names a quoted message')
})

test.each([
  ['sms', 'Unknown', 'sandbox-sms'],
  ['rcs', 'another-agent', 'sandbox-rcs'],
  ['whatsapp', '1', 'sandbox-whatsapp'],
] as const)('by %s, a text to %s is refused: no account would get it', async (channel, to, carrier) => {
  expect(await reply({ channel, to })).toBe(
    `to: ${to} is no inbound number of ${carrier}: posthorn inbound-number list shows them`,
  )
})

test('a text that does not fit one SMS is refused, and without a sandbox it says how to start one', async () => {
  expect(await reply({ text: 'x'.repeat(161) })).toMatch(/^text: /)
  expect(await reply({ text: '' })).toBe('not a message of a phone')
  expect(statSync(join(world.dataDir, 'sandbox-phones.json')).mode & 0o777).toBe(0o600)
  expect(
    await replyByPhone(join(world.dataDir, 'elsewhere'), { from: ANNA, to: '1', text: 'x', channel: 'sms' }),
  ).toMatch(/^no sandbox runs on this data folder: start it with posthorn sandbox/)
})

test('an answer quotes the message in WhatsApp, and comes from the number that the phone wrote to by SMS', async () => {
  await reply({ channel: 'whatsapp', to: '15555550100', text: 'Are you open?' })
  await reply({ text: 'And at 10?' })
  await world.rest()
  const [byWhatsApp, bySms] = (await list('inbound/list')).map((each) => Number(each['inbound_id']))
  const chat = { chatapp_signature: 'WhatsAppTest', chatapp_message: 'Yes' }
  const [quoting, plain] = await world.send(
    chatappItem(ANNA, { ...chat, reply_to: byWhatsApp, 'unknown field': 1 }),
    chatappItem(ANNA, { ...chat, chatapp_message: 'Yes!', reply_to: bySms }),
    { type: 'sms', phone: ANNA, sms_message: 'Also at 10', reply_to: String(bySms) },
  )
  await world.pass(2)
  for (const id of [quoting, plain])
    expect((await world.story(Number(id) as MessageId)).steps).toEqual(['chatapp DELIVERED'])
  const arrived = world.box.traffic.to(ANNA).toSorted((a, b) => a.text.localeCompare(b.text))
  expect(arrived).toMatchObject([
    { sender: 'SMSTest', text: 'Also at 10' },
    { text: 'Yes', quotes: expect.stringMatching(/^wamid\./) },
    { text: 'Yes!', quotes: undefined },
  ])
})

test('an answer to a message of another phone, or to none of the account, is refused alone', async () => {
  await reply({})
  await world.rest()
  const [inbound] = await list('inbound/list')
  const send = { type: 'sms', phone: ANNA, sms_signature: 'SMSTest', sms_message: 'Hi' }
  const { data } = await world.ask([
    { ...send, reply_to: inbound?.['inbound_id'], phone: '491701234501' },
    { ...send, reply_to: Number(inbound?.['inbound_id']) - 1, id: 7 },
    { ...send, reply_to: 'x' },
    { ...send, reply_to: inbound?.['inbound_id'], sms_message: '' },
    { ...send, reply_to: null },
  ])
  expect(data).toMatchObject([
    { success: false, error: 'reply_to: must be a message from phone', field: 'reply_to' },
    { success: false, error: 'Inbound message not found', data: { id: 7 }, field: 'reply_to' },
    { success: false, field: 'reply_to' },
    { success: false, field: 'sms_message' },
    { success: true },
  ])
})
