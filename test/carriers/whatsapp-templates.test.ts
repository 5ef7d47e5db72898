/**
 * Templates that are submitted for Meta's review, over a real socket to a simulator that accepts only what Meta would.
 */
import { afterEach, describe, expect, test } from 'vitest'
import type { TemplateAnswer, TemplateDraft } from '../../src/ports/carriers/carrier.ts'
import type { CloudTemplate } from '../../src/simulator/whatsapp/cloud-message.ts'
import type { WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildViberBench, buildWhatsAppBench, type HttpBench } from '../support/http-benches.ts'

let bench: HttpBench<WhatsAppDouble>

afterEach(async () => {
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
})

const DRAFT: TemplateDraft = {
  sender: 'Shop',
  text: 'Your order {{1}} comes on {{2}}.',
  name: 'order_comes',
  language: 'en',
  category: 'utility',
  examples: { 1: 'A-17', 2: 'Monday' },
}

/** Returns a started carrier, and resolves with the result of submitting a draft. */
async function begin() {
  bench = await buildWhatsAppBench()
  const { carrier, inbox, double } = bench
  double.templates.length = 0
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  const submit = (change: Partial<TemplateDraft> = {}) =>
    settled('the answer', carrier.submitTemplate?.({ ...DRAFT, ...change }) as Promise<TemplateAnswer>)
  const become = (change: Partial<CloudTemplate>) => {
    double.templates[0] = { ...(double.templates[0] as CloudTemplate), ...change }
  }
  return { ...bench, submit, become }
}

test("a text with examples, footer and button is submitted in Meta's format, and is listed", async () => {
  const { submit, double, carrier } = await begin()
  const button = { caption: 'Follow it', link: 'https://example.com/o/{{1}}', example: 'https://example.com/o/A-17' }
  expect(await submit({ footer: 'Example Shop', button })).toEqual({ kind: 'taken', status: 'submitted' })
  expect(double.submissions).toEqual([
    {
      name: 'order_comes',
      language: 'en',
      category: 'UTILITY',
      components: [
        { type: 'BODY', text: DRAFT.text, example: { body_text: [['A-17', 'Monday']] } },
        { type: 'FOOTER', text: 'Example Shop' },
        {
          type: 'BUTTONS',
          buttons: [{ type: 'URL', text: 'Follow it', url: button.link, example: [button.example] }],
        },
      ],
    },
  ])
  expect(carrier.templates?.()?.templates).toEqual([{ text: DRAFT.text, status: 'submitted', reason: null }])
})

test('replies are buttons before the one that opens an address, and differ', async () => {
  const { submit, double } = await begin()
  const button = { caption: 'Look', link: 'https://example.com/' }
  expect(await submit({ replies: ['Yes', 'No'], button })).toEqual({ kind: 'taken', status: 'submitted' })
  expect(await submit({ replies: ['Yes', 'No'], button })).toEqual({ kind: 'taken', status: 'submitted' })
  const buttons = [
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'QUICK_REPLY', text: 'No' },
    { type: 'URL', text: 'Look', url: 'https://example.com/' },
  ]
  const [body] = double.submissions.map(({ components }) => components as readonly object[])
  expect(double.submissions).toHaveLength(1)
  expect(body?.at(-1)).toEqual({ type: 'BUTTONS', buttons })
  for (const replies of [['Yes', 'Yes'], ['Look']]) {
    const refused = { kind: 'refused', reason: 'replies: captions of buttons must differ' }
    expect(await submit({ replies, button, name: 'other' })).toEqual(refused)
  }
})

test('placeholders may have names, and a text may have none', async () => {
  const { submit, double } = await begin()
  const named = { text: 'Dear {{name}}, hello.', examples: { name: 'Ann' }, name: 'hello' }
  expect(await submit(named)).toMatchObject({ kind: 'taken' })
  expect(await submit({ text: 'We are closed.', examples: {}, name: 'closed' })).toMatchObject({ kind: 'taken' })
  expect(double.templates.map((each) => each.parameter_format)).toEqual(['NAMED', 'POSITIONAL'])
  expect(double.submissions[0]?.['components']).toEqual([
    {
      type: 'BODY',
      text: named.text,
      example: { body_text_named_params: [{ param_name: 'name', example: 'Ann' }] },
    },
  ])
})

describe('a template that was submitted before', () => {
  test('is not submitted again, and returned with its status', async () => {
    const { submit, double, become } = await begin()
    expect(await Promise.all([submit(), submit(), submit()])).toEqual(
      Array(3).fill({ kind: 'taken', status: 'submitted' }),
    )
    become({ status: 'APPROVED' })
    expect(await submit()).toEqual({ kind: 'taken', status: 'approved' })
    expect(double.submissions).toHaveLength(1)
  })

  test('is found if the answer was lost', async () => {
    const { submit, double, clock } = await begin()
    double.setAnswersLost(true)
    const lost = submit()
    await eventually('the template to arrive', () => double.submissions.length === 1)
    clock.advance(15_000)
    expect(await lost).toEqual({ kind: 'unclear', reason: 'no answer within 15 s' })
    double.setAnswersLost(false)
    expect(await submit()).toEqual({ kind: 'taken', status: 'submitted' })
    expect(double.templates).toHaveLength(1)
  })

  test('is edited if it was rejected: its text, and its category if that changed', async () => {
    const { submit, double, become } = await begin()
    await submit()
    become({ status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' })
    const text = 'Your order {{1}} comes on {{2}}, we hope.'
    expect(await submit({ text })).toEqual({ kind: 'taken', status: 'resubmitted' })
    become({ status: 'REJECTED', rejected_reason: 'INCORRECT_CATEGORY' })
    expect(await submit({ text, category: 'marketing' })).toEqual({ kind: 'taken', status: 'resubmitted' })
    const example = { body_text: [['A-17', 'Monday']] }
    expect(double.submissions.slice(1)).toEqual([
      { components: [{ type: 'BODY', text, example }] },
      { category: 'MARKETING', components: [{ type: 'BODY', text, example }] },
    ])
    expect(double.templates).toMatchObject([{ name: 'order_comes', status: 'PENDING', category: 'MARKETING' }])
  })

  test('does not give its name to another text', async () => {
    const { submit, double } = await begin()
    await submit()
    expect(await submit({ text: 'Another {{1}} and {{2}}.' })).toEqual({
      kind: 'refused',
      reason: 'there is another template named order_comes in en: choose another name',
    })
    expect(await submit({ language: 'en_GB' })).toMatchObject({ kind: 'taken' })
    expect(double.submissions).toHaveLength(2)
  })
})

test('a lifetime is submitted with a new template and with an edited one', async () => {
  const { submit, become, double } = await begin()
  expect(await submit({ lifetimeSeconds: 600 })).toMatchObject({ kind: 'taken' })
  become({ status: 'REJECTED' })
  expect(await submit({ lifetimeSeconds: 43_200, category: 'marketing' })).toMatchObject({ kind: 'taken' })
  expect(double.submissions.map((each) => each['message_send_ttl_seconds'])).toEqual([600, 43_200])
})

test.each([
  [{ lifetimeSeconds: 29 }, 'lifetime: must be 30 to 43200 seconds for utility'],
  [{ lifetimeSeconds: 43_201 }, 'lifetime: must be 30 to 43200 seconds for utility'],
  [
    { category: 'marketing', lifetimeSeconds: 600 } as const,
    'lifetime: must be 43200 to 2592000 seconds for marketing',
  ],
  [{ examples: { 1: 'A-17' } }, 'examples: wanted is one for {{2}}'],
  [{ examples: { ...DRAFT.examples, 3: 'x' } }, 'examples: the text has no {{3}}'],
  [
    { button: { caption: 'Open', link: 'https://a.example/{{1}}' } },
    'link_example: wanted for the placeholder of the link',
  ],
  [
    { button: { caption: 'Open', link: 'https://a.example/', example: 'https://a.example/' } },
    'link_example: the link has no placeholder',
  ],
  [{ sender: 'Unknown' }, 'its settings have no phone-number id for Unknown'],
])('%j is refused and not submitted', async (change, reason) => {
  const { submit, double } = await begin()
  expect(await submit(change)).toEqual({ kind: 'refused', reason })
  expect(double.submissions).toEqual([])
})

test("a template that Meta rejects is refused with Meta's reason", async () => {
  const { submit, double } = await begin()
  expect(await submit({ text: '{{1}} comes on {{2}}.' })).toEqual({
    kind: 'refused',
    reason: '100: Message template is not valid: Variables can’t be at the start or end of the template.',
  })
  expect(double.templates).toEqual([])
})

test('a token that Meta does not know is in no answer, no state and no line of the log', async () => {
  const { submit, double, carrier, log } = await begin()
  double.setTokenGood(false)
  expect(await submit()).toEqual({ kind: 'unclear', reason: 'templates: 190: Malformed access token …' })
  expect(JSON.stringify([log.lines, carrier.state()])).not.toContain(double.accessToken)
})

test("the list has Meta's reason why a template cannot be sent", async () => {
  const { submit, become, carrier, clock, double } = await begin()
  await submit()
  const reason = () => carrier.templates?.()?.templates[0]?.reason
  for (const [change, expected] of [
    [{ status: 'REJECTED', rejected_reason: 'TAG_CONTENT_MISMATCH' }, 'TAG_CONTENT_MISMATCH'],
    [{ status: 'PAUSED', rejected_reason: 'NONE' }, 'PAUSED'],
    [{ status: 'APPROVED', rejected_reason: 'NONE' }, null],
  ] as const) {
    become(change)
    await double.reportTemplateChange()
    clock.advance(5_000)
    await eventually(`the reason ${expected}`, () => reason() === expected)
  }
})

test('Viber accepts no submissions, and the reason says how templates are approved', async () => {
  bench = (await buildViberBench()) as unknown as typeof bench
  expect(await bench.carrier.submitTemplate?.(DRAFT)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('have the partner of the service approve the text'),
  })
})
