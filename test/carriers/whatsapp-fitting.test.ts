/** What WhatsApp templates fit a text, and what the answers of its API mean. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitTemplate, sendableTemplates } from '../../src/carriers/whatsapp/fit-template.ts'
import { readMessageTemplate } from '../../src/carriers/whatsapp/message-template.ts'
import { readGraphAnswer } from '../../src/carriers/whatsapp/submit.ts'
import type { CloudTemplate } from '../../src/simulator/whatsapp/cloud-message.ts'
import { body, template } from '../support/cloud-template.ts'

describe('fitting a template', () => {
  const valuesIn = (text: string, message: string, change: Partial<CloudTemplate> = {}) => {
    const read = readMessageTemplate(template([body(text)], change))
    const fitted = read === null ? null : fitTemplate(read, { kind: 'text', text: message })
    if (fitted?.kind !== 'fits') return null
    const [component] =
      (fitted.template as { components?: { parameters: { text: string; parameter_name?: string }[] }[] }).components ??
      []
    return (component?.parameters ?? []).map((each) =>
      each.parameter_name ? `${each.parameter_name}=${each.text}` : each.text,
    )
  }

  test.each([
    ['Hi', 'Hi', []],
    ['Hi', 'hi', null],
    ['Hi {{1}}', 'Hi ', null],
    ['{{1}}!', '!', null],
    ['Hi {{1}}, {{2}}.', 'Hi Ann, see you, then.', ['Ann', 'see you, then']],
    ['Hi {{1}}, {{2}}.', 'Hi Ann.', null],
    ['{{1}} and {{1}}', 'a and a', ['a']],
    ['{{1}} and {{1}}', 'a and b', null],
    ['{{1}}{{2}}', 'ab', ['a', 'b']],
    ['Hi {{1}}', 'Hi two\nlines', null],
    ['Hi {{1}}', 'Hi tab\there', null],
    ['Hi {{1}}', `Hi ${'x'.repeat(1_025)}`, null],
    ['a\nb {{1}}', 'a\r\nb c', ['c']],
    ['(.*)+$ {{1}} [a', '(.*)+$ x [a', ['x']],
    ['Hi {{ 1 }}', 'Hi Ann', ['Ann']],
  ])('%j and %j give %j', (text, message, values) => {
    expect(valuesIn(text, message)).toEqual(values)
  })

  test('by name if the template names its parameters', () => {
    expect(valuesIn('Hi {{name}}, {{day}}', 'Hi Ann, Monday', { parameter_format: 'NAMED' })).toEqual([
      'name=Ann',
      'day=Monday',
    ])
  })

  test('prefers the template with the most text outside of placeholders', () => {
    const texts = ['Hi {{1}}', 'Hi {{1}}, your code is {{2}}.', '{{1}}, your code is {{2}}.']
    const read = texts.flatMap((text) => readMessageTemplate(template([body(text)])) ?? [])
    expect(sendableTemplates(read).map(({ text }) => text)).toEqual([texts[1], texts[2], texts[0]])
  })

  test('finds the values that it was filled with, and is never slow', () => {
    const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '' && !/ {5}/.test(text))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (values) => {
        const text = `${values.map((_, index) => `<${index}>{{${index + 1}}}`).join('')}.`
        const message = text.replace(/\{\{(\d+)\}\}/g, (_, place: string) => values[Number(place) - 1] ?? '')
        const found = valuesIn(text, message)
        expect(found).not.toBeNull()
        expect(text.replace(/\{\{(\d+)\}\}/g, (_, place: string) => found?.[Number(place) - 1] ?? '')).toBe(message)
      }),
    )
    expect(valuesIn('{{1}}a'.repeat(200), 'a'.repeat(100_000))).toBeNull()
  })
})

test.each([
  [130429, 'slow'],
  [131056, 'slow'],
  [613, 'slow'],
  [130497, 'unreachable'],
  [131026, 'refused'],
  [100, 'refused'],
  [131000, 'unclear'],
])('the error %i is %s', (code, kind) => {
  const error = JSON.stringify({ error: { code, message: 'm' } })
  const read = (status: number) => readGraphAnswer({ kind: 'answered', status, body: error, retryAfterMs: null })
  expect(read(400)).toMatchObject({ kind: 'verdict', verdict: { kind } })
  expect(read(500)).toMatchObject({ kind: 'verdict', verdict: { kind: 'unclear' } })
})

test.each([
  ['<html>', 400],
  ['{"messages":[]}', 200],
  ['{"messages":[{"id":{}}]}', 200],
  ['', 200],
])('the answer %s with HTTP %i is unclear', (text, status) => {
  const answer = readGraphAnswer({ kind: 'answered', status, body: text, retryAfterMs: null })
  expect(answer).toMatchObject({ kind: 'verdict', verdict: { kind: 'unclear' } })
})
