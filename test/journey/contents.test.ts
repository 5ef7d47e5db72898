/**
 * Contents as the recipient sees them: long texts in parts, images and buttons, short links; each as it reaches the
 * double of its carrier.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PhoneArrival } from '../../src/simulator/phones/traffic.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, chatappItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const IMAGE = 'https://client.example/parcel.png'
const LINK = 'https://client.example/parcels/17?from=message'

/** What came to a phone, without what is different every time. */
function arrivedAt(phone: string): readonly Omit<PhoneArrival, 'ref' | 'phone' | 'sender'>[] {
  return world.box.traffic.to(phone).map(({ ref: _ref, phone: _phone, sender: _sender, ...rest }) => rest)
}

describe('a long SMS', () => {
  test.each([
    ['of the GSM alphabet', '491701235002', `${'Ein € für {dich}. '.repeat(20)}end`],
    ['in UCS-2', '491702235002', `${'Привет, мир! 🙂 '.repeat(10)}`],
  ])('%s is paid part by part, and delivered when all its parts are', async (_, phone, text) => {
    const answer = await world.ask([chainItem(phone, { sms_message: text, hook: world.sink.address })])
    expect(answer.data).toMatchObject([{ success: true, data: { parts: 3 } }])
    const id = answer.data?.[0]?.data['msg_id'] as Parameters<SandboxWorld['story']>[0]
    await world.rest()
    expect(
      arrivedAt(phone)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
    expect((await world.trace(id)).message.journey).toMatchObject({ status: 'ACCEPTED', phase: 'carried' })
    expect(world.reports.filter(({ body }) => body['msg_id'] === id)).toEqual([])
    await world.pass(1)
    expect(await world.story(id)).toEqual({
      steps: ['rcs UNDELIVERABLE', 'chatapp UNDELIVERABLE', 'sms DELIVERED'],
      timeline: ['rcs refused', 'chatapp refused', 'sms taken', ...Array(3).fill('sms delivered')],
      revoked: [],
      money: ['hold 0.15', 'charge 0.15'],
      arrived: ['sms', 'sms', 'sms'],
      reports: ['DELIVERED by sms for 0.15'],
    })
  })
})

describe('RCS', () => {
  const text = 'Your parcel arrives today.'
  const button = { rcs_link: LINK, rcs_button: 'Follow it' }

  test.each([
    ['text', '491701236000', {}, { text }],
    ['text and button', '491702236000', button, { text, button: 'Follow it', link: LINK }],
    ['text and image', '491703236000', { rcs_image: IMAGE }, { text, image: IMAGE }],
    [
      'text, image and button',
      '491704236000',
      { rcs_image: IMAGE, ...button },
      { text, image: IMAGE, button: 'Follow it', link: LINK },
    ],
  ])('%s', async (_, phone, fields, seen) => {
    await world.send(rcsItem(phone, { rcs_message: text, ...fields }))
    await world.rest()
    expect(arrivedAt(phone)).toEqual([{ channel: 'rcs', ...seen }])
  })
})

describe('the chat app', () => {
  const text = 'Your parcel arrives today.'
  const all = {
    chatapp_message: text,
    chatapp_image: IMAGE,
    chatapp_link: LINK,
    chatapp_button: 'Follow it',
  }

  test.each([
    ['text', '491701237000', { text }],
    ['image', '491702237000', { text: '', image: IMAGE }],
    ['text+link', '491703237000', { text, button: 'Follow it', link: LINK }],
    ['text+image+link', '491704237000', { text, image: IMAGE, button: 'Follow it', link: LINK }],
  ])('%s shows what its type names and nothing else', async (type, phone, seen) => {
    await world.send(chatappItem(phone, { ...all, chatapp_type: type }))
    await world.rest()
    expect(arrivedAt(phone)).toEqual([{ channel: 'chatapp', ...seen }])
  })

  test.each(['chatapp', 'viber'])('a text with an image and no button is one message, as %s', async (type) => {
    const phone = type === 'viber' ? '491706237000' : '491705237000'
    const fields = { type: 'text+image', signature: 'ChatTest', message: text, image: IMAGE }
    const named = Object.entries(fields).map(([name, value]) => [`${type}_${name}`, value])
    const id = await world.sendOne({ type, phone, ...Object.fromEntries(named) })
    await world.pass(3)
    expect(arrivedAt(phone)).toEqual([{ channel: 'chatapp', text: `${text}\n${IMAGE}` }])
    const { postings } = await world.trace(id)
    expect(postings.map(({ kind, amountMicros }) => [kind, amountMicros])).toEqual([
      ['hold', 40_000],
      ['charge', 40_000],
    ])
  })

  test('a text that is too long with the address of its image is refused with the reason, and costs nothing', async () => {
    const long = { chatapp_type: 'text+image', chatapp_message: 'x'.repeat(990), chatapp_image: IMAGE }
    const id = await world.sendOne(chatappItem('491707237000', long))
    await world.pass(3)
    const { status, chargedMicros, steps } = (await world.trace(id)).message.journey
    expect([status, chargedMicros, steps[0]?.detail]).toEqual([
      'REJECTED',
      0,
      expect.stringContaining('needs a button'),
    ])
    expect(arrivedAt('491707237000')).toEqual([])
  })
})

describe('short links', () => {
  const browser = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
  }
  const follow = (url: string, headers: Record<string, string>) => fetch(url, { headers, redirect: 'manual' })

  test('are in every text and button, redirect, and report the first human click', async () => {
    const phone = '491701238005'
    const id = await world.sendOne(
      chainItem(phone, {
        id: 7,
        rcs_message: `RCS ${LINK} and https://other.example/a`,
        rcs_link: LINK,
        rcs_button: 'Open',
        rcs_lifetime: 20,
        chatapp_type: 'text+link',
        chatapp_message: `Chat ${LINK}`,
        chatapp_link: LINK,
        chatapp_button: 'Open',
        sms_message: `SMS ${LINK}`,
        short_link: true,
      }),
    )
    await world.pass(42)
    const [rcs, chat, sms] = arrivedAt(phone)
    const [short = '', other = ''] = rcs?.text.match(/http\S+/g) ?? []
    expect(short).toMatch(new RegExp(`^${world.gateway.address}/l/[A-Za-z0-9]{10}$`))
    expect(other).not.toBe(short)
    expect([rcs, chat, sms]).toEqual([
      { channel: 'rcs', text: `RCS ${short} and ${other}`, button: 'Open', link: short },
      { channel: 'chatapp', text: `Chat ${short}`, button: 'Open', link: short },
      { channel: 'sms', text: `SMS ${short}` },
    ])

    for (const headers of [{ 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }, browser, browser]) {
      const { status, headers: answered } = await follow(short, headers)
      expect([status, answered.get('location')]).toEqual([302, LINK])
      expect(answered.get('cache-control')).toBe('private, no-store')
      await world.rest()
    }
    const story = await world.story(id)
    expect(story.reports).toEqual(['DELIVERED by sms for 0.05', `clicked ${LINK}`])
    const { links } = await world.trace(id)
    expect(Object.fromEntries(links.map(({ url, humans, robots }) => [url, { humans, robots }]))).toEqual({
      [LINK]: { humans: 2, robots: 1 },
      'https://other.example/a': { humans: 0, robots: 0 },
    })
    expect((await follow(`${short}x`, browser)).status).toBe(404)
  })
})
