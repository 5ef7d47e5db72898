/** Recipients tap suggestions and buttons in the sandbox; the account gets inbound messages with the postbacks. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replyByPhone } from '../../src/sandbox/phone-control.ts'
import type { PhoneReply } from '../../src/simulator/phone-reply.ts'
import { CAROUSEL, IMAGE, PAGE } from '../support/rich-contents.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chatappItem, rcsItem } from '../support/send-items.ts'

const ANNA = '491701234500'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

const below = (...suggestions: readonly object[]) => ({ type: 'suggestions', suggestions })
const reply = (text: string, postback = text) => ({ type: 'reply', text, postback })

async function inbound() {
  await world.rest()
  const { data } = await world.ask([{ type: 'inbound/list' }])
  return data?.[0]?.data as unknown as readonly Record<string, unknown>[]
}

describe('by RCS', () => {
  const tap = (text: string, change: Partial<PhoneReply> = {}) =>
    replyByPhone(world.dataDir, { from: ANNA, to: 'sandbox-agent', text, channel: 'rcs', taps: true, ...change })

  test('a tap brings the caption and the postback, and names its message', async () => {
    const suggestions = [reply('Yes', 'fitting-17-yes'), { type: 'dial', text: 'Call us', phone: 491701234500 }]
    const id = await world.sendOne(rcsItem(ANNA, { id: 7, rich: below(...suggestions) }))
    await world.pass(1)
    expect(await tap('Yes')).toBe(null)
    expect(await tap('Call us')).toBe(null)
    const about = { channel: 'rcs', phone: Number(ANNA), in_reply_to: { id: 7, msg_id: id } }
    expect(await inbound()).toMatchObject([
      { ...about, text: 'Yes', content: { type: 'suggestion', payload: 'fitting-17-yes' } },
      { ...about, text: 'Call us', content: { type: 'suggestion', payload: 'Call us' } },
    ])
  })

  test('of two cards the first with the caption is tapped; what is not shown cannot be tapped', async () => {
    await world.sendOne(rcsItem(ANNA, { rich: CAROUSEL }))
    await world.pass(1)
    expect(await tap('Yes')).toBe(null)
    expect(await inbound()).toMatchObject([{ content: { payload: 'shoe' } }])
    expect(await tap('Maybe')).toBe(`tap: ${ANNA} got no "Maybe" by rcs since the start of the sandbox`)
    expect(await tap('Yes', { from: '491701234600' })).toBe(
      'tap: 491701234600 got no "Yes" by rcs since the start of the sandbox',
    )
    expect(await tap('Yes', { channel: 'sms' })).toBe('tap: only RCS and WhatsApp have something to tap')
    expect(await tap('Yes', { channel: 'chatapp' })).toBe('tap: only RCS and WhatsApp have something to tap')
  })
})

describe('by WhatsApp', () => {
  const whatsapp = { from: ANNA, to: '15555550100', channel: 'whatsapp' } as const
  const tap = (text: string, quotes?: number) => {
    const quoted = quotes === undefined ? {} : { quotes: String(quotes) }
    return replyByPhone(world.dataDir, { ...whatsapp, text, taps: true, ...quoted })
  }
  const chat = async (rich: object, change: object = {}) => {
    const id = await world.sendOne(chatappItem(ANNA, { chatapp_signature: 'WhatsAppTest', rich, ...change }))
    await world.pass(1)
    return id
  }

  beforeEach(async () => {
    expect(await replyByPhone(world.dataDir, { ...whatsapp, text: 'Are you open?' })).toBe(null)
    await world.rest()
  })

  test('taps of buttons, rows of a list and cards bring their postbacks, and name exactly their message', async () => {
    const buttons = await chat(below(reply('Yes', 'yes-1'), reply('No', 'no-1')))
    const list = await chat(below(...['9', '10', '11', '12'].map((hour) => reply(`At ${hour}`, `hour-${hour}`))))
    const carousel = await chat(CAROUSEL)
    expect(await tap('No')).toBe(null)
    expect(await tap('At 11')).toBe(null)
    expect(await tap('Yes', buttons)).toBe(null)
    expect(await tap('Yes')).toBe(null)
    expect((await inbound()).slice(1)).toMatchObject([
      { text: 'No', content: { type: 'suggestion', payload: 'no-1' }, in_reply_to: { msg_id: buttons } },
      { text: 'At 11', content: { type: 'suggestion', payload: 'hour-11' }, in_reply_to: { msg_id: list } },
      { text: 'Yes', content: { type: 'suggestion', payload: 'yes-1' }, in_reply_to: { msg_id: buttons } },
      { text: 'Yes', content: { type: 'suggestion', payload: 'shoe' }, in_reply_to: { msg_id: carousel } },
    ])
    expect(await tap('Yes', 9)).toBe(`tap: ${ANNA} got no "Yes" by whatsapp since the start of the sandbox`)
  })

  test('a question for the location is answered with one', async () => {
    const id = await chat(below({ type: 'ask_location', text: 'Where are you?' }))
    expect(await tap('Send location')).toBe(null)
    expect((await inbound()).slice(1)).toMatchObject([
      { text: 'geo:52.52,13.405', content: { type: 'location', latitude: 52.52 }, in_reply_to: { msg_id: id } },
    ])
  })

  test('the phone shows what the channel has for it', async () => {
    const card = {
      type: 'card',
      title: 'A shoe',
      image: IMAGE,
      suggestions: [{ type: 'url', text: 'Open', url: PAGE }],
    }
    await chat(card)
    await chat({ type: 'file', url: 'https://client.example/invoice.pdf', caption: 'Thank you' })
    expect(world.box.traffic.to(ANNA)).toMatchObject([
      { text: 'A shoe', image: IMAGE, button: 'Open', link: PAGE },
      { text: 'Thank you', image: 'https://client.example/invoice.pdf' },
    ])
  })
})
