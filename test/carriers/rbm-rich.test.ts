import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { messageUuid } from '../../src/carriers/rbm/message-uuid.ts'
import { fitFeatures, needsFeatures, writeAgentMessage } from '../../src/carriers/rbm/submit.ts'
import { RICH_FEATURES } from '../../src/carriers/rbm/write-rich.ts'
import { ItemRefused } from '../../src/contract/request/refused.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import { checkAgentMessage } from '../../src/simulator/rbm/check-agent-message.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildRbmBench } from '../support/http-benches.ts'
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
const SHAPE = { lifetimeSeconds: 60, trafficType: null }

const contentOf = (rich: object, plain = PLAIN) =>
  JSON.parse(writeAgentMessage({ ...plain, rich: readRich(rich) }, SHAPE)).contentMessage

describe('the message to Google', () => {
  test('has suggestions of every kind below the text', () => {
    const at = { startTime: '2026-03-01T09:00:00.000Z', endTime: '2026-03-01T09:30:00.000Z' }
    const latLong = { latitude: 52.5200065999999, longitude: 13.404953 }
    expect(contentOf({ type: 'suggestions', suggestions: SUGGESTIONS })).toEqual({
      text: 'See our shoes',
      suggestions: [
        { reply: { text: 'Yes', postbackData: 'appointment-17-yes' } },
        { reply: { text: 'No', postbackData: 'No' } },
        { action: { text: 'Read more', postbackData: 'Read more', openUrlAction: { url: PAGE } } },
        { action: { text: 'Call us', postbackData: 'Call us', dialAction: { phoneNumber: '+491701234500' } } },
        { action: { text: 'Find us', postbackData: 'Find us', viewLocationAction: { latLong, label: 'Our shop' } } },
        { action: { text: 'Where are you?', postbackData: 'Where are you?', shareLocationAction: {} } },
        {
          action: {
            ...{ text: 'Remember', postbackData: 'Remember' },
            createCalendarEventAction: { ...at, title: 'Fitting', description: 'Bring socks.' },
          },
        },
      ],
    })
  })

  test('keeps the image and the button of the step above suggestions', () => {
    const step = { ...PLAIN, image: IMAGE, button: 'Open', link: PAGE }
    const { richCard, suggestions } = contentOf({ type: 'suggestions', suggestions: SUGGESTIONS.slice(0, 1) }, step)
    expect(richCard.standaloneCard.cardContent.media.contentInfo).toEqual({ fileUrl: IMAGE })
    expect(richCard.standaloneCard.cardContent.suggestions).toHaveLength(1)
    expect(suggestions).toEqual([{ reply: { text: 'Yes', postbackData: 'appointment-17-yes' } }])
  })

  test('is a card in place of the text', () => {
    expect(contentOf(CARD)).toEqual({
      richCard: {
        standaloneCard: {
          cardOrientation: 'VERTICAL',
          cardContent: {
            ...{ title: 'A shoe', description: 'Size 42' },
            media: { height: 'MEDIUM', contentInfo: { fileUrl: IMAGE } },
            suggestions: [
              { reply: { text: 'Yes', postbackData: 'appointment-17-yes' } },
              { action: { text: 'Read more', postbackData: 'Read more', openUrlAction: { url: PAGE } } },
            ],
          },
        },
      },
    })
    const video = 'https://client.example/film.mp4'
    const film = { type: 'card', orientation: 'horizontal', video, thumbnail: IMAGE, alt: 'A shoe' }
    expect(contentOf(film).richCard.standaloneCard).toEqual({
      ...{ cardOrientation: 'HORIZONTAL', thumbnailImageAlignment: 'LEFT' },
      cardContent: {
        media: {
          height: 'MEDIUM',
          contentInfo: { fileUrl: video, thumbnailUrl: IMAGE, contentDescription: 'A shoe' },
        },
      },
    })
  })

  test('is a carousel or a file in place of the text', () => {
    const { cardWidth, cardContents } = contentOf(CAROUSEL).richCard.carouselCard
    expect(cardWidth).toBe('MEDIUM')
    expect(cardContents).toMatchObject([
      { title: 'A shoe', suggestions: [{ reply: { postbackData: 'shoe' } }] },
      { title: 'A boot', suggestions: [{ reply: { postbackData: 'boot' } }] },
    ])
    expect(contentOf({ ...FILE, alt: 'A bill' })).toEqual({
      contentInfo: { fileUrl: FILE.url, contentDescription: 'A bill' },
    })
  })

  test.each(RICH_CONTENTS)('is one that Google takes: %s', (_, rich) => {
    expect(checkAgentMessage(JSON.stringify({ contentMessage: contentOf(rich), ttl: '60s' }))).toBeTypeOf('object')
  })

  test('is one that Google takes, whatever the contract accepts', () => {
    fc.assert(
      fc.property(anyRich, (given) => {
        try {
          const body = writeAgentMessage({ ...PLAIN, rich: readRich(given) }, SHAPE)
          expect(checkAgentMessage(body)).toBeTypeOf('object')
        } catch (error) {
          if (!(error instanceof ItemRefused)) throw error
          expect(error.message).toMatch(/^rich\S*\.postback: must differ/)
        }
      }),
    )
  })
})

describe('a device that does not support all of it', () => {
  const all = new Set(RICH_FEATURES)
  const rich = readRich(CARD)
  const content: TextContent = { ...PLAIN, button: 'Open', link: PAGE, rich }

  test('is asked for before, and gets the plain content', () => {
    const { rich: _, ...plain } = content
    expect(needsFeatures({ ...PLAIN, rich })).toBe(true)
    expect(fitFeatures(content, null)).toBe(content)
    expect(fitFeatures(content, all)).toBe(content)
    expect(fitFeatures(content, all.difference(new Set(['RICHCARD_STANDALONE'])))).toEqual(plain)
    expect(fitFeatures(content, all.difference(new Set(['ACTION_OPEN_URL'])))).toEqual({
      kind: 'text',
      text: `See our shoes\n${PAGE}`,
    })
    expect(fitFeatures(content, all.difference(new Set(['ACTION_DIAL', 'RICHCARD_CAROUSEL'])))).toBe(content)
  })

  const actions = ['OPEN_URL', 'DIAL', 'VIEW_LOCATION', 'SHARE_LOCATION', 'CREATE_CALENDAR_EVENT']

  test.each<[string, object]>([
    ['RICHCARD_CAROUSEL', CAROUSEL],
    ...actions.map((name, at): [string, object] => {
      return [`ACTION_${name}`, { type: 'suggestions', suggestions: [SUGGESTIONS[at + 2]] }]
    }),
  ])('gets the text without %s', (feature, given) => {
    const asked: TextContent = { ...PLAIN, rich: readRich(given) }
    expect(fitFeatures(asked, all.difference(new Set([feature])))).toEqual(PLAIN)
    expect(fitFeatures(asked, new Set([feature]))).toEqual(asked)
  })

  test('gets replies and files in any case', () => {
    for (const given of [FILE, { type: 'suggestions', suggestions: SUGGESTIONS.slice(0, 2) }]) {
      const asked: TextContent = { ...PLAIN, rich: readRich(given) }
      expect(fitFeatures(asked, new Set())).toEqual(asked)
    }
  })
})

describe('without checks of capabilities', () => {
  test('a message that Google refuses is sent again without the rich content, under the same id', async () => {
    const bench = await buildRbmBench()
    const { carrier, inbox, double, traffic, clock } = bench
    onTestFinished(async () => {
      await settled('the carrier to stop', carrier.stop(), clock)
      await bench.stop()
    })
    carrier.start(inbox)
    await eventually('the carrier to be up', () => carrier.state().up)
    const submissions = new SubmissionMaker(bench)
    const submit = async (content: TextContent) => {
      const submission = submissions.make('04', { content })
      return { submission, verdict: (await settled('the verdict', carrier.submit(submission)))[0] }
    }
    double.setFeatures(['RICHCARD_STANDALONE'])
    const { submission, verdict } = await submit({ ...PLAIN, rich: readRich(CARD) })
    expect(verdict).toEqual({
      ...{ kind: 'taken', ref: messageUuid(submission) },
      note: 'without the rich content: INVALID_ARGUMENT: the device does not support the content',
    })
    await submit({ ...PLAIN, rich: readRich({ type: 'card', title: 'A shoe' }) })
    expect(traffic.arrivals.map(({ text }) => text)).toEqual(['See our shoes', 'A shoe'])
    const refused = await submit({ ...PLAIN, text: 'x'.repeat(3_073), rich: readRich(CAROUSEL) })
    expect(refused.verdict).toMatchObject({ kind: 'refused', status: 'REJECTED' })
    expect(double.capabilityRequests()).toBe(0)
  })
})

describe('the simulated Google refuses', () => {
  const reply = (text: string, postbackData = 'x') => ({ reply: { text, postbackData } })
  const card = (cardContent: object, orientation = 'VERTICAL') => ({
    richCard: { standaloneCard: { cardOrientation: orientation, cardContent } },
  })
  const carousel = (cardContents: readonly object[], cardWidth = 'MEDIUM') => ({
    richCard: { carouselCard: { cardWidth, cardContents } },
  })
  const media = (height: string) => ({ height, contentInfo: { fileUrl: IMAGE } })

  test.each([
    ['text and a card', { text: 'Hi', ...card({ title: 'A' }) }],
    ['twelve suggestions', { text: 'Hi', suggestions: Array(12).fill(reply('A')) }],
    ['a reply of 26 characters', { text: 'Hi', suggestions: [reply('x'.repeat(26))] }],
    ['a postback of 2049 characters', { text: 'Hi', suggestions: [reply('A', 'x'.repeat(2_049))] }],
    ['a suggestion without an action', { text: 'Hi', suggestions: [{ action: { text: 'A', postbackData: 'x' } }] }],
    ['five suggestions in a card', card({ title: 'A', suggestions: Array(5).fill(reply('A')) })],
    ['an empty card', card({})],
    ['a title of 201 characters', card({ title: 'x'.repeat(201) })],
    ['a description of 2001 characters', card({ description: 'x'.repeat(2_001) })],
    ['a horizontal card without an alignment', card({ title: 'A' }, 'HORIZONTAL')],
    ['an unknown height', card({ title: 'A', media: media('HUGE') })],
    ['a carousel of one card', carousel([{ title: 'A' }])],
    ['a carousel of eleven cards', carousel(Array(11).fill({ title: 'A' }))],
    ['a small and tall card', carousel(Array(2).fill({ title: 'A', media: media('TALL') }), 'SMALL')],
    ['a file without an address', { contentInfo: { fileUrl: 'invoice.pdf' } }],
    ['more than 250 KB', { text: 'Hi', comment: 'x'.repeat(250 * 1024) }],
  ])('%s', (_, contentMessage) => {
    expect(checkAgentMessage(JSON.stringify({ contentMessage }))).toBeTypeOf('string')
  })
})
