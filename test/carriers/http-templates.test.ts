/** HTTP carriers whose texts are registered: requests name the template of a text and the values of its variables. */
import { describe, expect, test } from 'vitest'
import { readyProviders } from '../../src/app/carriers/ready-providers.ts'
import { fitRegisteredTemplate } from '../../src/carriers/http/registered-templates.ts'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import { valuesOf } from '../../src/carriers/http/submission-values.ts'
import { writeRequest } from '../../src/carriers/http/submit.ts'
import { fillAnswers } from '../../src/operations/admin/carriers/fill-answers.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { HttpUpstream } from '../support/http-upstream.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const CODE = { name: 't-code', text: '{{code}} is your code for {{shop}}.', values: { dlt: '1107', language: 'en' } }
const PARCEL = { name: 't-parcel', text: 'Parcel {#var#} for {#var#} is here.' }
const submissions = new SubmissionMaker({ carrier: { channel: 'sms' } as never, sender: 'Shop' })
const ADDRESS = 'https://a.example/send'

function settingsWith(request: object, given: object = {}) {
  const answer = { id: 'ours' }
  return readHttpSettings({ request: { address: ADDRESS, ...request }, answer, templates: [PARCEL, CODE], ...given })
}

function write(request: object, text: string, given: object = {}) {
  const settings = settingsWith(request, given)
  const template = fitRegisteredTemplate(settings, 'Shop', text)
  if (template === null) return null
  const around = { settings, template, callbacks: { receipt: '', inbound: '' }, now: 0 }
  return writeRequest(settings.request, valuesOf(submissions.make('00'), { kind: 'text', text }, null, around), 0)
}

const bodyOf = (json: unknown, text: string, given: object = {}) =>
  JSON.parse(write({ json }, text, given)?.body ?? 'null')

const CODE_TEXT = '4711 is your code for "A" & Co.'

describe('a text that fits a template', () => {
  test('has its name, its values and its variables by name and by place', () => {
    const json = ['{{template}}', '{{template.dlt}}', '{{template.language}}', '{{variable.code}}', '{{variable.2}}']
    expect(bodyOf(json, CODE_TEXT)).toEqual(['t-code', '1107', 'en', '4711', '"A" & Co'])
    expect(
      bodyOf({ a: '{{template.dlt}}', b: '{{variable.3}}', c: '{{if template}}yes' }, 'Parcel 7 for Ann is here.'),
    ).toEqual({ c: 'yes' })
  })

  test('has all of its variables as members, which change no other member', () => {
    const json = {
      to: '{{phone}}',
      shop: 'fixed',
      '{{variables}}': 'all',
      inner: '{{variables}}',
      list: '{{variables[]}}',
    }
    const shop = '"A" & Co'
    expect(bodyOf(json, CODE_TEXT)).toEqual({
      to: '380501234500',
      shop: 'fixed',
      code: '4711',
      inner: { code: '4711', shop },
      list: ['4711', shop],
    })
    expect(bodyOf({ '{{variables}}': 'all' }, 'Parcel 7 for Ann is here.')).toEqual({ '1': '7', '2': 'Ann' })
  })

  test('has them in forms and in the query', () => {
    const form = { template: '{{template}}', code: '{{variable.code}}', other: '{{variable.other}}' }
    expect(write({ form }, CODE_TEXT)?.body).toBe('template=t-code&code=4711')
    const request = { method: 'GET', address: `${ADDRESS}?t={{template}}&s={{variable.shop}}` }
    expect(write(request, CODE_TEXT)?.url).toBe(`${ADDRESS}?t=t-code&s=%22A%22%20%26%20Co`)
  })
})

describe('a text that fits none', () => {
  test('is refused, unless it may be sent without a template', () => {
    expect(write({ json: '{{text}}' }, 'Hello')).toBeNull()
    expect(bodyOf({ t: '{{template}}', x: '{{text}}', '{{variables}}': 1 }, 'Hello', { unmatched: 'send' })).toEqual({
      x: 'Hello',
    })
  })

  test('may fit the template of another sender', () => {
    const templates = [{ ...CODE, sender: 'Other' }]
    expect(write({ json: '{{text}}' }, CODE_TEXT, { templates })).toBeNull()
    expect(write({ json: '{{text}}' }, CODE_TEXT, { templates: [{ ...CODE, sender: 'Shop' }] })).not.toBeNull()
  })

  test('is sent where no templates are set', () => {
    expect(bodyOf({ x: '{{text}}' }, 'Hello', { templates: [] })).toEqual({ x: 'Hello' })
  })
})

test.each([
  [{ json: { a: '{{template.}}' } }, '{{template.}} is not allowed here'],
  [{ headers: { 'X-A': '{{variable.1}}' } }, '{{variable.1}} is not allowed here'],
])('%j is refused', (request, reason) => {
  expect(() => settingsWith(request)).toThrow(reason)
})

describe('MSG91', () => {
  const provider = readyProviders().find(({ name }) => name === 'msg91')

  /** @param answer of the service. */
  async function send(text: string, answer: object) {
    if (provider === undefined) throw new Error('no such provider')
    const answers = { authKey: 'the-key', webhookToken: 'a-token-of-our-own' }
    const settings = fillAnswers(provider, answers, null, new SeededRandom()) as { readonly request: object }
    const upstream = await HttpUpstream.start(
      (address) => ({ ...settings, request: { ...settings.request, address }, templates: [CODE] }),
      () => ({ status: 200, body: JSON.stringify(answer) }),
    )
    const { verdicts, requests } = await upstream.send({ text })
    await upstream.stop()
    return {
      verdicts,
      requests: requests.map(({ headers, body }) => ({ key: headers['authkey'], json: JSON.parse(body) })),
    }
  }

  test('gets the template and its variables, and its request id is ours', async () => {
    const { verdicts, requests } = await send(CODE_TEXT, { type: 'success', message: '3763646c3058373530393938' })
    expect(verdicts).toEqual([{ kind: 'taken', ref: '3763646c3058373530393938' }])
    const recipient = { mobiles: '380501234500', code: '4711', shop: '"A" & Co' }
    const json = { template_id: 't-code', sender: 'Shop', short_url: '0', recipients: [recipient] }
    expect(requests).toEqual([{ key: 'the-key', json }])
  })

  test('is not asked for another text, and may refuse', async () => {
    expect(await send('Hello', {})).toMatchObject({ verdicts: [{ kind: 'refused', status: 'REJECTED' }], requests: [] })
    const { verdicts } = await send(CODE_TEXT, { type: 'error', message: 'template id missing' })
    expect(verdicts).toMatchObject([{ kind: 'refused', reason: 'HTTP 200: error: template id missing' }])
  })
})
