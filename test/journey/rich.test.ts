/** Rich contents on their whole way: from the request through the store to the phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CARD, CAROUSEL, FILE, IMAGE, PAGE, SUGGESTIONS } from '../support/rich-contents.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const lastTo = (phone: string) => world.box.traffic.to(phone).at(-1)
const REPLY = { type: 'reply', text: 'Yes' }

describe('by RCS', () => {
  const yes = { kind: 'reply', text: 'Yes', postback: 'appointment-17-yes' }
  const more = { kind: 'action', text: 'Read more', postback: 'Read more' }
  const cardOf = (text: string, postback: string) => ({
    text,
    media: IMAGE,
    suggestions: [{ kind: 'reply', text: 'Yes', postback }],
  })

  test.each([
    ['suggestions', { type: 'suggestions', suggestions: SUGGESTIONS.slice(0, 1) }, { text: 'Hi', suggestions: [yes] }],
    ['a card', CARD, { text: 'A shoe\nSize 42', image: IMAGE, suggestions: [yes, more] }],
    ['a carousel', CAROUSEL, { cards: [cardOf('A shoe\nSize 42', 'shoe'), cardOf('A boot\nSize 43', 'boot')] }],
    ['a file', FILE, { text: '', image: FILE.url }],
  ])('the phone shows %s, and it costs what the text costs', async (_, rich, seen) => {
    const id = await world.sendOne(rcsItem('491701240000', { rcs_message: 'Hi', rich }))
    await world.pass(1)
    expect(lastTo('491701240000')).toMatchObject(seen)
    expect(await world.story(id)).toMatchObject({ money: ['hold 0.03', 'charge 0.03'], steps: ['rcs DELIVERED'] })
  })

  test('a planned message comes from the store unchanged', async () => {
    const sendAt = new Date(world.clock.now() + 60_000).toISOString()
    await world.sendOne(rcsItem('491701241000', { rich: CARD, send_at: sendAt }))
    await world.stopGateway()
    await world.startGateway()
    await world.pass(62)
    expect(lastTo('491701241000')).toMatchObject({ text: 'A shoe\nSize 42', image: IMAGE, suggestions: [yes, more] })
  })

  test('its links are short, and lead where they led', async () => {
    const suggestions = [{ type: 'url', text: 'Read more', url: PAGE }]
    await world.sendOne(rcsItem('491701242000', { rich: { type: 'suggestions', suggestions }, short_link: true }))
    await world.rest()
    const { link = '', button } = lastTo('491701242000') ?? {}
    expect(button).toBe('Read more')
    const { status, headers } = await fetch(link, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, PAGE])
  })
})

test('the next steps of the chain have the fields of their channels', async () => {
  const rich = { type: 'suggestions', suggestions: [REPLY] }
  const id = await world.sendOne(chainItem('491701243005', { rich, rcs_lifetime: 20, sms_message: 'Reply with YES' }))
  await world.pass(45)
  expect(world.box.traffic.to('491701243005').map(({ channel, text }) => [channel, text])).toEqual([
    ['rcs', 'Hello by RCS'],
    ['chatapp', 'Hello by chat app'],
    ['sms', 'Reply with YES'],
  ])
  const notes = (await world.trace(id)).timeline.map(({ detail }) => detail)
  expect(notes).toContainEqual(expect.stringMatching(/^as \d+, without the rich content: Viber cannot show it$/))
})
