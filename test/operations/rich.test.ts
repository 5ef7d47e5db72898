/** Rich contents in sends: what is refused before it is accepted, and what the steps have. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TextContent } from '../../src/domain/message/message.ts'
import { type ClientBench, PUBLIC_URL, startClientBench } from '../support/client-bench.ts'
import { chain, chatapp, itemError, rcs, sms } from '../support/operations.ts'
import { CARD, CAROUSEL, FILE, PAGE, RICH_CONTENTS, readRich, SUGGESTIONS } from '../support/rich-contents.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
})
afterAll(() => bench.stop())

const lastContents = () => bench.outbox.taken.at(-1)?.plan.map(({ content }) => content as TextContent) ?? []
const below = (...suggestions: readonly unknown[]) => ({ type: 'suggestions', suggestions })
const reply = (change: object = {}) => ({ type: 'reply', text: 'Yes', ...change })
const many = (count: number) => Array.from({ length: count }, (_, index) => reply({ text: `Reply ${index}` }))
const CALENDAR = SUGGESTIONS[6]

test.each(RICH_CONTENTS)('%s is accepted, and is in every step but that of the SMS', async (_, rich) => {
  expect(await bench.ask(chain({ rich }))).toMatchObject({ success: true, data: { parts: 1 } })
  const content = { kind: 'text', text: 'Hello' }
  expect(lastContents()).toEqual([{ ...content, rich: readRich(rich) }, { ...content, rich: readRich(rich) }, content])
})

test('an event may have the first and the last second of its range', async () => {
  const event = { ...CALENDAR, start: '1970-01-01T01:00:00+01:00', end: '9999-12-31T23:59:59Z' }
  expect(await bench.ask(rcs({ rich: below(event) }))).toMatchObject({ success: true })
})

test('costs what the send costs without it, and an SMS alone ignores it', async () => {
  const { type: send_type, ...fields } = rcs()
  const { data } = await bench.ask({ ...fields, type: 'price', send_type, rich: CARD })
  expect(data).toEqual((await bench.ask({ ...fields, type: 'price', send_type })).data)
  expect(await bench.ask(sms({ rich: CARD }))).toMatchObject({ success: true, warnings: ['rich: ignored'] })
  expect(await bench.ask(rcs({ rich: null }))).toMatchObject({ success: true })
})

describe('what a messenger would refuse is refused before, with its path', () => {
  const cards = (second: object) => ({ ...CAROUSEL, cards: [CAROUSEL.cards[0], second] })

  test.each<[string, unknown, string]>([
    ['a text', 'card', 'rich: must be an object'],
    ['a list', [CARD], 'rich: must be an object'],
    ['no type', {}, 'rich.type: must be one of suggestions, card, carousel, file'],
    [
      'a type that every object has',
      { type: 'toString' },
      'rich.type: must be one of suggestions, card, carousel, file',
    ],
    ['a misspelt member', { ...CARD, titel: 'A' }, 'rich: has the unknown member "titel"'],
    ['a list without its elements', below(), 'rich.suggestions: must be a list of 1 to 11 elements'],
    ['12 suggestions', below(...many(12)), 'rich.suggestions: must be a list of 1 to 11 elements'],
    [
      'an object in place of a list',
      { ...CARD, suggestions: {} },
      'rich.suggestions: must be a list of 1 to 4 elements',
    ],
    [
      '5 suggestions in a card',
      { ...CARD, suggestions: many(5) },
      'rich.suggestions: must be a list of 1 to 4 elements',
    ],
    ['a suggestion that is a text', below('Yes'), 'rich.suggestions[0]: must be an object'],
    [
      'an unknown suggestion',
      below(reply(), { type: 'compose' }),
      'rich.suggestions[1].type: must be one of reply, url, dial, location, ask_location, calendar',
    ],
    ['a suggestion without a caption', below({ type: 'reply' }), 'rich.suggestions[0].text: required'],
    [
      'a caption of 26 characters',
      below(reply({ text: 'x'.repeat(26) })),
      'rich.suggestions[0].text: at most 25 characters',
    ],
    ...['Yes\nplease', 'Yes\u001b[1mplease', 'Yes\u0085please', 'Yes\u2028please'].map(
      (text): [string, unknown, string] => [
        `a caption such as ${JSON.stringify(text)}`,
        below(reply({ text })),
        'rich.suggestions[0].text: must not have line breaks or control characters',
      ],
    ),
    [
      'a postback of two lines',
      below(reply({ postback: 'a\nb' })),
      'rich.suggestions[0].postback: must not have line breaks or control characters',
    ],
    ...(
      [
        ['start', '0000-01-01T00:00:00+14:00'],
        ['start', '1969-12-31T23:59:59Z'],
        ['start', '1970-01-01T00:30:00+01:00'],
        ['end', '9999-12-31T23:30:00-01:00'],
      ] as const
    ).map(([name, time]): [string, unknown, string] => [
      `an event with the ${name} ${time}`,
      below({ ...CALENDAR, [name]: time }),
      `rich.suggestions[0].${name}: must be from 1970 to 9999, in UTC`,
    ]),
    ['a space', below(reply({ text: ' ' })), 'rich.suggestions[0].text: must have a visible character'],
    ['a space behind', below(reply({ text: 'a ' })), 'rich.suggestions[0].text: must not begin or end with a space'],
    [
      'a postback of 2049 characters',
      below(reply({ postback: 'x'.repeat(2_049) })),
      'rich.suggestions[0].postback: at most 2048 characters',
    ],
    [
      'one caption twice',
      below(reply(), reply({ postback: 'b' })),
      'rich.suggestions[1].text: must differ from those before it',
    ],
    [
      'one postback twice',
      below(reply(), reply({ text: 'No', postback: 'Yes' })),
      'rich.suggestions[1].postback: must differ from those before it',
    ],
    [
      'replies of two cards that no tap distinguishes',
      { type: 'carousel', cards: [1, 2].map(() => ({ title: 'A', suggestions: [reply()] })) },
      'rich.cards[1].suggestions[0].postback: must differ from those before it',
    ],
    [
      'a script',
      below({ type: 'url', text: 'A', url: 'javascript:x' }),
      'rich.suggestions[0].url: must be an absolute http or https address',
    ],
    [
      'no phone',
      below({ type: 'dial', text: 'A', phone: '0170' }),
      'rich.suggestions[0].phone: must be a phone number with country code',
    ],
    [
      'a phone that is an object',
      below({ type: 'dial', text: 'A', phone: {} }),
      'rich.suggestions[0].phone: must be a phone number with country code',
    ],
    [
      'a place beyond the pole',
      below({ type: 'location', text: 'A', latitude: 90.1, longitude: 0 }),
      'rich.suggestions[0].latitude: must be a number from -90 to 90',
    ],
    [
      'a place in words',
      below({ type: 'location', text: 'A', latitude: 1, longitude: '13' }),
      'rich.suggestions[0].longitude: must be a number from -180 to 180',
    ],
    [
      'an event that ends before it begins',
      below({ ...CALENDAR, end: CALENDAR.start }),
      'rich.suggestions[0].end: must be later than start',
    ],
    [
      'an event without an offset',
      below({ ...CALENDAR, start: '2026-03-01T10:00:00' }),
      'rich.suggestions[0].start: must have its offset, such as Z or +02:00, because the account has no time zone',
    ],
    ['an empty card', { type: 'card', title: '' }, 'rich: must have a title, a description, an image or a video'],
    ['an image and a video', { ...CARD, video: PAGE }, 'rich.video: not together with image'],
    ['a thumbnail without a video', { ...CARD, thumbnail: PAGE }, 'rich.thumbnail: needs video'],
    ['a description of no image', { type: 'card', title: 'A', alt: 'A shoe' }, 'rich.alt: needs image'],
    ['a long description', { ...CARD, alt: 'x'.repeat(201) }, 'rich.alt: at most 200 characters'],
    ['an unknown height', { ...CARD, height: 'huge' }, 'rich.height: must be one of short, medium, tall'],
    ['one card', { ...CAROUSEL, cards: [CARD] }, 'rich.cards: must be a list of 2 to 10 elements'],
    ['a type in a card of a carousel', cards(CARD), 'rich.cards[1]: has the unknown member "type"'],
    ['a title of 201 characters', cards({ title: 'x'.repeat(201) }), 'rich.cards[1].title: at most 200 characters'],
    [
      'tall cards that are small',
      { ...cards({ title: 'A', height: 'tall' }), width: 'small' },
      'rich.width: not together with cards[1].height',
    ],
    ['a file without its address', { type: 'file', name: 'A' }, 'rich.url: required'],
    [
      'more than 16 KiB',
      { type: 'carousel', cards: Array.from({ length: 10 }, () => ({ description: 'x'.repeat(2_000) })) },
      'rich: at most 16384 bytes of JSON',
    ],
  ])('%s', async (_, rich, error) => {
    const { id } = rcs()
    expect(await bench.ask(rcs({ rich }))).toEqual(itemError(error, { id }, error.slice(0, error.indexOf(': '))))
  })

  test.each<[string, unknown, string]>([
    [
      'a caption of 21 characters',
      below(reply({ text: 'x'.repeat(21) })),
      'rich.suggestions[0].text: at most 20 characters with chatapp',
    ],
    [
      'a postback of 201 characters',
      below(reply({ postback: 'x'.repeat(201) })),
      'rich.suggestions[0].postback: at most 200 characters with chatapp',
    ],
    ['11 replies', below(...many(11)), 'rich.suggestions: at most 10 with chatapp'],
    [
      'a card of more than 1000 characters',
      { ...CARD, description: 'x'.repeat(994) },
      'rich.description: at most 1000 characters with the title and chatapp',
    ],
  ])('%s, if the chain has a chat app', async (_, rich, error) => {
    expect((await bench.ask(rcs({ rich }))).error).toBeUndefined()
    expect((await bench.ask(chain({ rich }))).error).toBe(error)
  })

  test('suggestions below a chat message without a text, and more than 10 beside the button of an RCS message', async () => {
    const image = { chatapp_type: 'image', chatapp_image: PAGE }
    expect((await bench.ask(chatapp({ ...image, rich: below(reply()) }))).error).toBe('rich: needs chatapp_message')
    expect((await bench.ask(chatapp({ ...image, rich: FILE }))).error).toBeUndefined()
    const button = { rcs_button: 'Open', rcs_link: PAGE }
    expect((await bench.ask(rcs({ ...button, rich: below(...many(11)) }))).error).toBe(
      'rich.suggestions: at most 10 with rcs_button',
    )
  })

  test('a link for opting out that a card would hide', async () => {
    const link = { unsubscribe_link: true }
    expect((await bench.ask(rcs({ ...link, rich: CARD }))).error).toBe('unsubscribe_link: not together with card')
    expect((await bench.ask(rcs({ ...link, rich: below(reply()) }))).error).toBeUndefined()
  })

  test('in the words of the client: viber', async () => {
    const { chatapp_type: viber_type, chatapp_signature: viber_signature, chatapp_message: viber_message } = chatapp()
    const item = { ...{ viber_type, viber_signature, viber_message }, type: 'viber', phone: 491701234500 }
    expect((await bench.ask({ ...item, rich: below(...many(11)) })).error).toBe(
      'rich.suggestions: at most 10 with viber',
    )
  })
})

test('short_link shortens the addresses of texts and suggestions; the messenger loads images from where they are', async () => {
  const url = { type: 'url', text: 'Open', url: PAGE }
  const card = { ...CARD, description: `See ${PAGE}`, suggestions: [url] }
  await bench.ask(chain({ rich: card, short_link: true }))
  const [{ rich } = {}, chat] = lastContents()
  const [short = ''] =
    /http\S+/.exec(JSON.stringify(rich).replaceAll('"', ' ').slice(JSON.stringify(rich).indexOf('See'))) ?? []
  expect(short).toMatch(new RegExp(`^${PUBLIC_URL}/l/[a-zA-Z2-9]{10}$`))
  expect(rich).toEqual(readRich({ ...card, description: `See ${short}`, suggestions: [{ ...url, url: short }] }))
  expect(chat?.rich).toEqual(rich)
  const [code = ''] = short.split('/').slice(-1)
  expect(await bench.store.findLinks([code])).toMatchObject([{ url: PAGE }])

  await bench.ask(
    rcs({ rich: { ...CAROUSEL, cards: [card, CARD].map(({ type: _, ...each }) => each) }, short_link: true }),
  )
  expect(JSON.stringify(lastContents()[0]?.rich)).not.toContain(JSON.stringify(PAGE))
  await bench.ask(rcs({ rich: { ...FILE, caption: PAGE, suggestions: [url] }, short_link: true }))
  expect(lastContents()[0]?.rich).toMatchObject({ url: FILE.url, caption: expect.stringMatching(PUBLIC_URL) })
  const long = { type: 'card', title: `http://a.io/1 ${'x'.repeat(180)}` }
  expect((await bench.ask(rcs({ rich: long, short_link: true }))).error).toBe(
    'rich.title: at most 200 characters with short_link',
  )
})
