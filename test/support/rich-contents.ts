/** Rich contents as a client sends them, one of each kind, and arbitrary ones within the limits of the contract. */
import fc from 'fast-check'
import { readFields } from '../../src/contract/fields/fields.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { RICH_FIELD } from '../../src/contract/rich/rich-fields.ts'
import type { Rich } from '../../src/domain/message/rich.ts'

export const IMAGE = 'https://client.example/shoe.jpg'
export const PAGE = 'https://client.example/shoes/17?from=message'

export const SUGGESTIONS = [
  { type: 'reply', text: 'Yes', postback: 'appointment-17-yes' },
  { type: 'reply', text: 'No' },
  { type: 'url', text: 'Read more', url: PAGE },
  { type: 'dial', text: 'Call us', phone: '+49 170 1234500' },
  { type: 'location', text: 'Find us', latitude: 52.5200065999999, longitude: 13.404953, label: 'Our shop' },
  { type: 'ask_location', text: 'Where are you?' },
  {
    ...{ type: 'calendar', text: 'Remember', title: 'Fitting', description: 'Bring socks.' },
    ...{ start: '2026-03-01T10:00:00+01:00', end: '2026-03-01T10:30:00+01:00' },
  },
] as const

const [YES, , MORE] = SUGGESTIONS

export const CARD = { type: 'card', title: 'A shoe', description: 'Size 42', image: IMAGE, suggestions: [YES, MORE] }

export const CAROUSEL = {
  type: 'carousel',
  cards: [
    { title: 'A shoe', description: 'Size 42', image: IMAGE, suggestions: [{ ...YES, postback: 'shoe' }] },
    { title: 'A boot', description: 'Size 43', image: IMAGE, suggestions: [{ ...YES, postback: 'boot' }] },
  ],
}

export const FILE = {
  type: 'file',
  url: 'https://client.example/invoice.pdf',
  name: 'Invoice.pdf',
  caption: 'Thank you',
}

export const RICH_CONTENTS: readonly (readonly [name: string, rich: object])[] = [
  ['suggestions', { type: 'suggestions', suggestions: SUGGESTIONS }],
  ['a card', CARD],
  [
    'a horizontal card with a video',
    {
      ...{ type: 'card', orientation: 'horizontal', height: 'tall', title: 'A film' },
      ...{ video: 'https://client.example/film.mp4', thumbnail: IMAGE, alt: 'A shoe' },
    },
  ],
  ['a card of text', { type: 'card', description: 'Size 42' }],
  ['a carousel', CAROUSEL],
  ['a carousel of small cards', { ...CAROUSEL, width: 'small' }],
  ['a file', { ...FILE, suggestions: [YES] }],
]

/** Returns the content as the operations use it. Throws an ItemRefused. */
export function readRich(rich: object): Rich {
  const read = readFields({ rich }, [RICH_FIELD] as const, DEFAULT_LIMITS).rich
  if (read === undefined) throw new RangeError('there is no rich content')
  return read
}

const textOf = (max: number) => fc.string({ unit: 'grapheme', minLength: 1, maxLength: max }).filter(isReadable)
const isReadable = (text: string) => text.trim() === text && text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text)
const address = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true })
const phone = fc.constantFrom('491701234500', '+442071234567')
const tappable = { text: textOf(10), postback: fc.option(textOf(30), { nil: '' }) }
const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true })

const suggestion = fc.oneof(
  fc.record({ type: fc.constant('reply'), ...tappable }),
  fc.record({ type: fc.constant('url'), ...tappable, url: address }),
  fc.record({ type: fc.constant('dial'), ...tappable, phone }),
  fc.record({
    ...{ type: fc.constant('location'), ...tappable, label: fc.option(textOf(40), { nil: null }) },
    ...{ latitude: degrees(90), longitude: degrees(180) },
  }),
  fc.record({ type: fc.constant('ask_location'), ...tappable }),
  fc.record({
    ...{ type: fc.constant('calendar'), ...tappable, title: textOf(40), description: textOf(100) },
    ...{ start: fc.constant('2026-03-01T10:00:00+01:00'), end: fc.constant('2026-03-01T10:30:00Z') },
  }),
)

const listOf = (min: number, max: number) =>
  fc.uniqueArray(suggestion, { minLength: min, maxLength: max, selector: ({ text }) => text })

const card = fc.record(
  {
    ...{ title: textOf(50), description: textOf(300), image: address },
    ...{ height: fc.constantFrom('short', 'medium'), suggestions: listOf(1, 4) },
  },
  { requiredKeys: ['title'] },
)

/** Some of them repeat a postback, which is refused. */
export const anyRich = fc.oneof(
  fc.record({ type: fc.constant('suggestions'), suggestions: listOf(1, 11) }),
  card.map((members) => ({ type: 'card', ...members })),
  fc.record({
    ...{ type: fc.constant('carousel'), width: fc.constantFrom('small', 'medium') },
    cards: fc.array(card, { minLength: 2, maxLength: 10 }),
  }),
  fc.record({ type: fc.constant('file'), url: address, name: textOf(40), caption: textOf(100) }),
)
