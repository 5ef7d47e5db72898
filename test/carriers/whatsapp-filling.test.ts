/** How messages fill the headers and buttons of templates, and what happens if they cannot. */
import { afterEach, describe, expect, test } from 'vitest'
import { mediaKindOf, writeMedia } from '../../src/carriers/whatsapp/media.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import type { CloudTemplate } from '../../src/simulator/whatsapp/cloud-message.ts'
import type { WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { body } from '../support/cloud-template.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildWhatsAppBench, type HttpBench } from '../support/http-benches.ts'

type Components = CloudTemplate['components']

let bench: HttpBench<WhatsAppDouble>

afterEach(async () => {
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
})

/**
 * Returns a started carrier that knows one template, `one`, and perhaps others, and sends to a recipient who has not
 * written.
 */
async function begin(components: Components, change: Partial<CloudTemplate> = {}, others: readonly Components[] = []) {
  bench = await buildWhatsAppBench()
  const { carrier, inbox, double, traffic } = bench
  const about = { id: '2', name: 'one', language: 'en', status: 'APPROVED', category: 'UTILITY' } as const
  double.templates.push({ ...about, components, ...change })
  for (const [index, each] of others.entries())
    double.templates.push({ ...about, name: `other_${index}`, components: each })
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  const submissions = new SubmissionMaker(bench)
  const send = async (content: Partial<TextContent>, phoneEnd = '04') => {
    const submission = submissions.make(phoneEnd, { content: { kind: 'text', text: 'Hi', ...content } })
    return (await settled('the verdict', carrier.submit(submission)))[0]
  }
  return { send, double, traffic }
}

const refusal = (why: string) => ({
  kind: 'refused',
  status: 'REJECTED',
  reason: `template one fits the text, but ${why}, and the recipient has not written within 24 hours`,
})

describe('a media header', () => {
  test.each([
    ['IMAGE', 'https://shop.example/a.JPG?size=2'],
    ['VIDEO', 'https://shop.example/a.mp4'],
    ['DOCUMENT', 'https://shop.example/invoice%2017.pdf'],
    ['VIDEO', 'https://shop.example/media?id=5'],
  ])('%s is filled with the address of the image field', async (format, image) => {
    const { send, traffic } = await begin([{ type: 'HEADER', format }, body('Hi')])
    expect(await send({ image })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([{ text: 'Hi', image }])
  })

  test('of another kind than the address, or without one, refuses the message', async () => {
    const { send, traffic } = await begin([{ type: 'HEADER', format: 'VIDEO' }, body('Hi')])
    expect(await send({ image: 'https://shop.example/a.png' })).toEqual(
      refusal('its header is a video, and the address is of an image'),
    )
    expect(await send({})).toEqual(refusal('its header needs the address of a video in the image field'))
    expect(traffic.arrivals).toEqual([])
  })

  test('that is missing refuses a message with an image', async () => {
    const { send } = await begin([body('Hi')])
    expect(await send({ image: 'https://shop.example/a.png' })).toEqual(
      refusal('it has no image, and the message has one'),
    )
  })

  test('is an image if several templates have the same text and the address has no extension', async () => {
    const twins = ['DOCUMENT', 'IMAGE'].map((format): Components => [{ type: 'HEADER', format }, body('Hi')])
    const { send } = await begin([{ type: 'HEADER', format: 'VIDEO' }, body('Hi')], {}, twins)
    // Meta refuses the removed templates: only the image can still be sent.
    bench.double.templates.splice(1, 2)
    expect(await send({ image: 'https://shop.example/5' })).toMatchObject({ kind: 'taken' })
  })

  test('names a document after its address, and knows the kinds of files', () => {
    expect(writeMedia('document', 'https://shop.example/a/invoice%2017.pdf')).toEqual({
      type: 'document',
      document: { link: 'https://shop.example/a/invoice%2017.pdf', filename: 'invoice 17.pdf' },
    })
    expect(writeMedia('document', 'https://shop.example/%zz')).toMatchObject({ document: { filename: '%zz' } })
    const kinds = ['a.png', 'a.jpeg', 'a.3gp', 'a.docx', 'a', 'a.exe', 'a.pdf/b'].map((name) =>
      mediaKindOf(`https://shop.example/${name}?x=.mp4`),
    )
    expect(kinds).toEqual(['image', 'image', 'video', 'document', null, null, null])
  })
})

describe('a text header with a placeholder', () => {
  const components: Components = [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}} is here' },
    body('Dear {{1}}, hello.'),
  ]

  test.each(['\n', '\r\n', '\n\n'])('is the first line of the message, before %j', async (line) => {
    const { send, traffic } = await begin(components)
    expect(await send({ text: `Order A-17 is here${line}Dear Ann, hello.` })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([{ text: 'Order A-17 is here\nDear Ann, hello.' }])
  })

  test('is filled by name if the template names its parameters, and is part of the listed text', async () => {
    const named: Components = [{ type: 'HEADER', format: 'TEXT', text: '{{day}}!' }, body('Dear {{name}}, hello.')]
    const { send } = await begin(named, { parameter_format: 'NAMED' })
    expect(await send({ text: 'Monday!\nDear Ann, hello.' })).toMatchObject({ kind: 'taken' })
    expect(bench.carrier.templates?.()?.templates.at(-1)?.text).toBe('{{day}}!\nDear {{name}}, hello.')
  })

  test('does not fit a message without that line', async () => {
    const { send } = await begin(components)
    for (const text of ['Dear Ann, hello.', 'Order A-17\nDear Ann, hello.', 'Order A-17 is here']) {
      expect(await send({ text })).toMatchObject({ reason: expect.stringMatching(/^no approved template fits, /) })
    }
  })
})

describe('two buttons that open addresses', () => {
  const buttons = [
    { type: 'QUICK_REPLY', text: 'Thanks' },
    { type: 'URL', text: 'Order', url: 'https://shop.example/o/{{1}}' },
    { type: 'URL', text: 'Invoice', url: 'https://pay.example/{{1}}' },
  ]
  const components: Components = [body('Order {{1}}: {{2}} now.'), { type: 'BUTTONS', buttons }]
  const order = { button: 'Order', link: 'https://shop.example/o/A-17' }
  const invoice = { button: 'Invoice', link: 'https://pay.example/9' }

  test('one is that of the message, the other opens an address of the text', async () => {
    const { send, traffic } = await begin(components)
    expect(await send({ text: 'Order A-17: https://pay.example/9 now.', ...order })).toMatchObject({ kind: 'taken' })
    expect(await send({ text: `Order A-17: ${order.link} now.`, ...invoice })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([order, order])
  })

  test('an address that is missing in the text refuses the message', async () => {
    const { send, traffic } = await begin(components)
    expect(await send({ text: 'Order A-17: pay now.', ...order })).toEqual(
      refusal('nothing in the message fills the address of its button 3'),
    )
    expect(await send({ text: 'Order A-17: pay now.', ...order, button: 'Other' })).toEqual(
      refusal('it has no button with this caption and address'),
    )
    expect(await send({ text: 'Order A-17: pay now.' })).toEqual(
      refusal('it has a button that opens an address, and the message has none'),
    )
    expect(traffic.arrivals).toEqual([])
  })

  test('one without a placeholder needs no value', async () => {
    const fixed = [buttons[1] as (typeof buttons)[1], { type: 'URL', text: 'Shop', url: 'https://shop.example/' }]
    const { send, traffic } = await begin([
      body('Hi'),
      { type: 'BUTTONS', buttons: (fixed as Components[0]['buttons']) ?? [] },
    ])
    expect(await send(order)).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([order])
  })
})

describe('a button that copies a code', () => {
  const copy = (example: string[] = ['25OFF']) => ({ type: 'COPY_CODE', text: 'Copy offer code', example })
  const withCode = (text: string, example: object, button = copy()): Components => [
    { ...body(text), example },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Stop' }, button] },
  ]

  test.each<[string, string, object]>([
    ['the placeholder with the same example', 'Get {{1}} off with {{2}}.', { body_text: [['25%', '25OFF']] }],
    ['the placeholder that is named so', 'Get {{percent}} off with {{coupon_code}}.', {}],
    ['the only placeholder', 'Get some off with {{1}}.', {}],
  ])('gets the value of %s', async (_, text, example) => {
    const format = text.includes('{{1}}') ? 'POSITIONAL' : 'NAMED'
    const { send, traffic } = await begin(withCode(text, example), { category: 'MARKETING', parameter_format: format })
    const message = text.replace(/\{\{(?:1|percent)\}\}(?= off)/, '30%').replace(/\{\{\w+\}\}/, 'SAVE30')
    expect(await send({ text: message })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([{ text: message }])
  })

  test('refuses the message if the code is not in its text, or is invalid', async () => {
    const { send } = await begin(withCode('Get {{1}} off with {{2}}.', { body_text: [['25%', 'OTHER']] }))
    expect(await send({ text: 'Get 30% off with SAVE30.' })).toEqual(
      refusal('it has a copy-code button whose code is not in the text, which no message can fill'),
    )
  })

  test('refuses a code that Meta would not accept', async () => {
    const { send } = await begin(withCode('Use {{1}}.', {}))
    for (const code of ['two words', 'x'.repeat(21)]) {
      expect(await send({ text: `Use ${code}.` })).toEqual(
        refusal('its code must be 1 to 20 characters without spaces'),
      )
    }
  })
})

describe('a template that no message can fill', () => {
  test.each<[string, Components[number]]>([
    ['a location header', { type: 'HEADER', format: 'LOCATION' }],
    ['a gif header', { type: 'HEADER', format: 'GIF' }],
    ['a carousel', { type: 'CAROUSEL' as 'FOOTER' }],
    ['a flow button', { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Book' }] }],
    [
      'a button whose placeholder is not at the end of its address',
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'x', url: 'https://a.example/{{1}}/b' }] },
    ],
  ])('with %s refuses the message without a request to Meta', async (what, component) => {
    const { send, traffic } = await begin([component, body('Hi')])
    const why = refusal(`it has ${what}, which no message can fill`)
    expect([await send({}), await send({}, '13')]).toEqual([why, why])
    expect(traffic.arrivals).toEqual([])
  })

  test('does not prevent another that fits', async () => {
    const { send, double } = await begin([{ type: 'HEADER', format: 'LOCATION' }, body('Hello number one')])
    expect(double.templates).toHaveLength(2)
    expect(await send({ text: 'Hello number one' })).toMatchObject({ kind: 'taken' })
  })
})
