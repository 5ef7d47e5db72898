import { afterEach, expect, test } from 'vitest'
import { fitRich } from '../../src/carriers/viber/fit-rich.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import type { ViberDouble } from '../../src/simulator/viber/viber.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildViberBench, type HttpBench } from '../support/http-benches.ts'
import { CARD, CAROUSEL, FILE, IMAGE, PAGE, RICH_CONTENTS, readRich, SUGGESTIONS } from '../support/rich-contents.ts'

const PLAIN: TextContent = { kind: 'text', text: 'See our shoes' }
const [YES, , MORE, CALL, , WHERE] = SUGGESTIONS

let bench: HttpBench<ViberDouble> | null = null
afterEach(async () => {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
})

test.each<[string, object, object | null]>([
  [
    'a card with an address is a text with image and button',
    { ...CARD, suggestions: [MORE, CALL] },
    { text: 'A shoe\nSize 42\nCall us: +491701234500', image: IMAGE, button: 'Read more', link: PAGE },
  ],
  ['an image alone is one', { type: 'card', image: IMAGE }, { text: '', image: IMAGE }],
  [
    'an address below a text is a button',
    { type: 'suggestions', suggestions: [MORE] },
    { text: 'See our shoes', button: 'Read more', link: PAGE },
  ],
  ['a text and an image without a button', { ...CARD, suggestions: [CALL] }, null],
  ['a card with a reply', CARD, null],
  ['a question for the location', { type: 'suggestions', suggestions: [WHERE] }, null],
  ['a reply', { type: 'suggestions', suggestions: [YES] }, null],
  ['a video', { type: 'card', video: PAGE }, null],
  ['a carousel', CAROUSEL, null],
  ['a file', FILE, null],
])('%s', (_, rich, shown) => {
  expect(fitRich({ ...PLAIN, rich: readRich(rich) })).toEqual(shown === null ? null : { kind: 'text', ...shown })
})

test('every rich content is a message that Viber takes', async () => {
  const begun = await buildViberBench()
  bench = begun
  const { carrier, inbox, traffic } = begun
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  const submissions = new SubmissionMaker(begun)
  const contents = [...RICH_CONTENTS.map(([, rich]) => rich), { ...CARD, suggestions: [MORE] }]
  for (const rich of contents) {
    const content: TextContent = { ...PLAIN, rich: readRich(rich) }
    const verdicts = await settled('the verdict', carrier.submit(submissions.make('04', { content })))
    const isShown = fitRich(content) !== null
    const note = isShown ? undefined : 'without the rich content: Viber cannot show it'
    expect(verdicts).toEqual([{ kind: 'taken', ref: traffic.arrivals.at(-1)?.ref, note }])
  }
  expect(traffic.arrivals.at(-1)).toMatchObject({
    text: 'A shoe\nSize 42',
    image: IMAGE,
    button: 'Read more',
    link: PAGE,
  })
})
