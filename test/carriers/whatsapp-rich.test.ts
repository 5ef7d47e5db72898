import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { writeFreeMessage, writeRichMessage } from '../../src/carriers/whatsapp/submit.ts'
import { writeWhatsAppRich } from '../../src/carriers/whatsapp/write-rich.ts'
import { ItemRefused } from '../../src/contract/request/refused.ts'
import { checkForChatapp, checkRich } from '../../src/contract/rich/rich-limits.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import type { Rich } from '../../src/domain/message/rich.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { type CloudTemplate, readCloudMessage } from '../../src/simulator/whatsapp/cloud-message.ts'
import type { WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildWhatsAppBench, type HttpBench } from '../support/http-benches.ts'
import {
  anyRich,
  CARD,
  CAROUSEL,
  FILE,
  IMAGE,
  PAGE,
  RICH_CONTENTS,
  readRich,
  SUGGESTIONS,
} from '../support/rich-contents.ts'

const PLAIN: TextContent = { kind: 'text', text: 'See our shoes' }
const [YES, NO, MORE, CALL, FIND, WHERE, REMEMBER] = SUGGESTIONS
const below = (...suggestions: readonly unknown[]) => ({ type: 'suggestions', suggestions })
const replies = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'reply', text: `Reply ${at}` }))

const written = (rich: object, plain = PLAIN) => JSON.parse(JSON.stringify(writeWhatsAppRich(readRich(rich), plain)))
/** What the recipient sees; a text if Meta refuses it. */
const seen = (rich: Rich) => {
  const to = { phone: '491701234500' as Phone, ownRef: '1-0' }
  return readCloudMessage(JSON.parse(writeRichMessage(to, rich, PLAIN) ?? writeFreeMessage(to, PLAIN)), [])
}

describe('to a recipient who has written', () => {
  test('up to three replies are buttons', () => {
    expect(written(below(YES, NO))).toEqual({
      type: 'interactive',
      interactive: {
        ...{ type: 'button', body: { text: 'See our shoes' } },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'appointment-17-yes', title: 'Yes' } },
            { type: 'reply', reply: { id: 'No', title: 'No' } },
          ],
        },
      },
    })
  })

  test('more replies are a list', () => {
    const { type, action } = written(below(...replies(10))).interactive
    expect(type).toBe('list')
    expect(action.sections[0].rows).toHaveLength(10)
    expect(action.sections[0].rows[9]).toEqual({ id: 'Reply 9', title: 'Reply 9' })
  })

  test('an address is a button, and other actions are lines of the text', () => {
    const { type, body, action } = written(below(MORE, CALL, FIND, REMEMBER)).interactive
    expect([type, action.parameters]).toEqual(['cta_url', { display_text: 'Read more', url: PAGE }])
    expect(body.text.split('\n')).toEqual([
      'See our shoes',
      'Call us: +491701234500',
      'Find us: Our shop, https://maps.google.com/?q=52.5200065999999,13.404953',
      'Remember: Fitting, 2026-03-01 09:00 – 2026-03-01 09:30 UTC',
    ])
  })

  test('beside replies, an address is a line too', () => {
    const { type, body } = written(below(YES, MORE)).interactive
    expect([type, body.text]).toEqual(['button', `See our shoes\nRead more: ${PAGE}`])
  })

  test('the image and button of the step stay above suggestions', () => {
    const step = { ...PLAIN, image: IMAGE, button: 'Open', link: PAGE }
    const { type, header, action } = written(below(CALL), step).interactive
    expect([type, header, action.parameters.display_text]).toEqual([
      'cta_url',
      { type: 'image', image: { link: IMAGE } },
      'Open',
    ])
    expect(written(below(YES), step).interactive.body.text).toBe(`See our shoes\nOpen: ${PAGE}`)
  })

  test('a question for the location is that alone', () => {
    expect(written(below(WHERE)).interactive).toEqual({
      ...{ type: 'location_request_message', body: { text: 'See our shoes' }, action: { name: 'send_location' } },
    })
    expect(written(below(WHERE, YES)).interactive.action.buttons).toHaveLength(1)
  })

  test('a card has its image or video above its text', () => {
    expect(written(CARD).interactive).toMatchObject({
      ...{ type: 'button', header: { type: 'image', image: { link: IMAGE } } },
      body: { text: `A shoe\nSize 42\nRead more: ${PAGE}` },
    })
    const film = { type: 'card', video: 'https://client.example/film' }
    expect(written(film)).toEqual({ type: 'video', video: { link: film.video } })
    expect(written({ type: 'card', title: 'A shoe' })).toEqual({
      type: 'text',
      text: { body: 'A shoe', preview_url: false },
    })
  })

  test('a file has its name and caption, and buttons below them', () => {
    const document = { link: FILE.url, filename: 'Invoice.pdf' }
    expect(written(FILE)).toEqual({ type: 'document', document: { ...document, caption: 'Thank you' } })
    expect(written({ ...FILE, suggestions: [YES] }).interactive).toMatchObject({
      ...{ type: 'button', header: { type: 'document', document }, body: { text: 'Thank you' } },
    })
    expect(written({ type: 'file', url: IMAGE })).toEqual({ type: 'image', image: { link: IMAGE } })
  })

  test('a carousel is one below the text of the step', () => {
    const { type, body, action } = written(CAROUSEL).interactive
    expect([type, body.text]).toEqual(['carousel', 'See our shoes'])
    expect(action.cards[1]).toEqual({
      ...{ card_index: 1, header: { type: 'image', image: { link: IMAGE } }, body: { text: 'A boot\nSize 43' } },
      action: { buttons: [{ type: 'quick_reply', quick_reply: { id: 'boot', title: 'Yes' } }] },
    })
    const cards = CAROUSEL.cards.map((card) => ({ ...card, suggestions: [MORE] }))
    expect(written({ ...CAROUSEL, cards }).interactive.action.cards[0]).toMatchObject({
      ...{ type: 'cta_url', action: { name: 'cta_url', parameters: { display_text: 'Read more', url: PAGE } } },
    })
  })

  const [shoe] = CAROUSEL.cards
  test.each<[string, object]>([
    ['a list below an image', { ...CARD, suggestions: replies(4) }],
    ['a card of an image and replies alone', { type: 'card', image: IMAGE, suggestions: [YES] }],
    [
      'a carousel with a card without an image',
      { ...CAROUSEL, cards: [shoe, { title: 'A boot', suggestions: [YES] }] },
    ],
    ['a carousel of images and videos', { ...CAROUSEL, cards: [shoe, { video: PAGE, suggestions: [NO] }] }],
    ['a carousel with different buttons', { ...CAROUSEL, cards: [shoe, { image: IMAGE, suggestions: [MORE] }] }],
    ['a carousel without buttons', { ...CAROUSEL, cards: [{ image: IMAGE }, { image: IMAGE }] }],
    [
      'a carousel of long cards',
      { ...CAROUSEL, cards: [shoe, { ...shoe, title: 'x'.repeat(161), suggestions: [NO] }] },
    ],
    [
      'a carousel of cards of four lines',
      { ...CAROUSEL, cards: [shoe, { ...shoe, description: 'a\nb\nc', suggestions: [NO] }] },
    ],
  ])('%s is what WhatsApp cannot show: the fields of the step are sent', (_, rich) => {
    expect(writeWhatsAppRich(readRich(rich), PLAIN)).toBeNull()
    expect(seen(readRich(rich))).toMatchObject({ shown: { text: 'See our shoes' } })
  })

  test.each(RICH_CONTENTS)('%s is a message that Meta takes', (_, rich) => {
    expect(seen(readRich(rich))).toBeTypeOf('object')
  })

  test('whatever the contract accepts with a chat app is a message that Meta takes', () => {
    fc.assert(
      fc.property(anyRich, (given) => {
        try {
          const rich = readRich(given)
          checkRich(rich, 'rich')
          checkForChatapp(rich, 'rich', PLAIN.text)
          expect(seen(rich)).toBeTypeOf('object')
        } catch (error) {
          if (!(error instanceof ItemRefused)) throw error
        }
      }),
    )
  })
})

describe('the simulated Meta refuses', () => {
  const button = (title: string, id = title) => ({ type: 'reply', reply: { id, title } })
  const row = (title: string, id = title) => ({ id, title })
  const buttons = (...all: readonly object[]) => ({ type: 'button', body: { text: 'Hi' }, action: { buttons: all } })
  const list = (rows: readonly object[], caption = 'Menu') => {
    return { type: 'list', body: { text: 'Hi' }, action: { button: caption, sections: [{ rows }] } }
  }
  const rows = (count: number) => Array.from({ length: count }, (_, at) => row(`Row ${at}`))
  const cards = written(CAROUSEL).interactive.action.cards

  test.each<[string, object]>([
    ['four buttons', buttons(...['A', 'B', 'C', 'D'].map((each) => button(each)))],
    ['a title of 21 characters', buttons(button('x'.repeat(21)))],
    ['an id of 257 characters', buttons(button('A', 'x'.repeat(257)))],
    ['an id with a space around it', buttons(button('A', ' a'))],
    ['one title twice', buttons(button('A', 'a'), button('A', 'b'))],
    ['one id twice', buttons(button('A', 'a'), button('B', 'a'))],
    ['no body', { ...buttons(button('A')), body: undefined }],
    ['11 rows', list(rows(11))],
    ['a row of 25 characters', list([row('x'.repeat(25))])],
    ['a list without a caption', list(rows(2), '')],
    ['an image above a list', { ...list(rows(2)), header: { type: 'image', image: { link: IMAGE } } }],
    ['a carousel of one card', { type: 'carousel', body: { text: 'Hi' }, action: { cards: cards.slice(0, 1) } }],
    ['cards in disorder', { type: 'carousel', body: { text: 'Hi' }, action: { cards: [cards[1], cards[0]] } }],
    [
      'a carousel of different cards',
      {
        ...{ type: 'carousel', body: { text: 'Hi' } },
        action: { cards: [cards[0], { ...cards[1], header: { type: 'video', video: { link: PAGE } } }] },
      },
    ],
  ])('%s', (_, interactive) => {
    const message = { messaging_product: 'whatsapp', to: '491701234500', type: 'interactive', interactive }
    expect(readCloudMessage(JSON.parse(JSON.stringify(message)), [])).toBeTypeOf('string')
  })
})

let bench: HttpBench<WhatsAppDouble> | null = null

async function stopBench() {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
}

afterEach(stopBench)

/** Sends by a carrier that knows one template, perhaps to a recipient who has written. */
async function send(components: CloudTemplate['components'], content: TextContent, hasWritten = false) {
  await stopBench()
  bench = await buildWhatsAppBench()
  const { carrier, inbox, double, traffic } = bench
  double.templates.push({ id: '2', name: 'one', language: 'en', status: 'APPROVED', category: 'UTILITY', components })
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  const submission = new SubmissionMaker(bench).make('04', { content })
  if (hasWritten) await double.write(submission.phone, '555', 'Hello?')
  const [verdict] = await settled('the verdict', carrier.submit(submission))
  return { verdict, arrival: traffic.arrivals[0] }
}

test('what Meta refuses is sent again without the rich content, and refused if Meta refuses that too', async () => {
  const long = `https://client.example/${'x'.repeat(2_000)}`
  const rich = readRich(below({ type: 'url', text: 'Open', url: long }))
  const { verdict, arrival } = await send([], { ...PLAIN, rich }, true)
  expect(arrival).toMatchObject({ text: 'See our shoes' })
  expect(verdict).toMatchObject({
    ...{ kind: 'taken', note: expect.stringMatching(/^without the rich content: .*parameters are not valid/) },
  })
  const film = { ...CAROUSEL, cards: [{ video: PAGE }, { image: IMAGE }] }
  const shown = await send([], { ...PLAIN, rich: readRich(film) }, true)
  expect(shown.verdict).toMatchObject({ note: 'without the rich content: WhatsApp cannot show it' })
  const image = await send([], { ...PLAIN, text: '', image: long, rich: readRich(CAROUSEL) }, true)
  expect(image.verdict).toMatchObject({ kind: 'refused', status: 'REJECTED' })
})

describe('to a recipient who has not written', () => {
  const quick = (text: string) => ({ type: 'QUICK_REPLY', text })

  test('a card fills a template with an image, replies and an address', async () => {
    const { verdict, arrival } = await send(
      [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'A {{1}}\nSize {{2}}' },
        {
          type: 'BUTTONS',
          buttons: [
            quick('Yes'),
            { type: 'URL', text: 'Read more', url: 'https://client.example/shoes/{{1}}' },
            quick('Stop'),
          ],
        },
      ],
      { ...PLAIN, rich: readRich(CARD) },
    )
    expect(verdict).toMatchObject({ kind: 'taken' })
    expect(arrival).toMatchObject({
      ...{ text: 'A shoe\nSize 42', image: IMAGE, button: 'Read more', link: PAGE },
      suggestions: [
        { kind: 'reply', text: 'Yes', postback: 'appointment-17-yes' },
        { kind: 'reply', text: 'Stop', postback: 'Stop' },
      ],
    })
  })

  test('replies below a text name those of its template', async () => {
    const { arrival } = await send(
      [
        { type: 'BODY', text: 'See our {{1}}' },
        { type: 'BUTTONS', buttons: [quick('No'), quick('Yes')] },
      ],
      { ...PLAIN, rich: readRich(below(YES, NO)) },
    )
    expect(arrival?.suggestions?.map(({ postback }) => postback)).toEqual(['No', 'appointment-17-yes'])
  })

  test('without a template for the card, the fields of the step are sent; without any, the message is refused', async () => {
    const plain = await send([{ type: 'BODY', text: 'See our {{1}}' }], { ...PLAIN, rich: readRich(CAROUSEL) })
    expect(plain.arrival).toMatchObject({ text: 'See our shoes' })
    const none = await send([{ type: 'BODY', text: 'Good morning' }], { ...PLAIN, rich: readRich(CARD) })
    expect(none.verdict).toEqual({
      ...{ kind: 'refused', status: 'REJECTED' },
      reason: 'no approved template fits, and the recipient has not written within 24 hours',
    })
  })
})
