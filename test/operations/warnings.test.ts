/** Fields that an operation ignores are named in its result, and nothing is added where all of them are used. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChatappNames } from '../../src/contract/operations/chatapp-names.ts'
import { DEFAULT_CHATAPP_NAMES } from '../../src/contract/operations/default-chatapp-names.ts'
import { ignoredFieldsOf } from '../../src/contract/operations/ignored-fields.ts'
import { OPERATION_SCHEMAS, SEND_SCHEMAS } from '../support/all-operations.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { call, chatapp, rcs, send, sms } from '../support/operations.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
})
afterAll(() => bench.stop())

const warningsOf = async (item: object) => (await bench.ask(item)).warnings

test.each<[string, object, string[] | undefined]>([
  ['a misspelled field', rcs({ rcs_lifetme: 60 }), ['rcs_lifetme: ignored']],
  ['a field of another channel', rcs({ sms_message: 'Hello' }), ['sms_message: ignored']],
  [
    'a part that chatapp_type does not name',
    chatapp({ chatapp_link: 'https://a.example/', chatapp_button: 'Open' }),
    ['chatapp_link: ignored', 'chatapp_button: ignored'],
  ],
  [
    'the same under another name',
    { ...chatapp({ type: 'viber' }), viber_image: 'https://a.example/i.png' },
    ['viber_image: ignored'],
  ],
  [
    'the chat-app lifetime of the chain of the specification',
    send('rcs+chatapp+sms', { chatapp_lifetime: 600 }),
    ['chatapp_lifetime: ignored'],
  ],
  ['a hook of a call', call({ hook: 'https://a.example/' }), ['hook: ignored']],
  ['a field of a price', { ...sms({ colour: 1 }), type: 'price', send_type: 'sms' }, ['colour: ignored']],
  ['a field of a balance', { type: 'balance', id: 5, currency: 'EUR' }, ['currency: ignored']],
  ['a field of a status', { type: 'status', id: 'unknown', phone: 5 }, ['phone: ignored']],
  ['a field of a list', { type: 'template/list', before: 5 }, ['before: ignored']],
  ['of an operation that fails', rcs({ rcs_message: '', rcs_mesage: 'Hello' }), ['rcs_mesage: ignored']],
  ['nothing: null and the empty string are not sent', rcs({ rcs_colour: null, rcs_font: '' }), undefined],
  ['nothing: an operation that is unknown', { type: 'fax', colour: 1 }, undefined],
])('%s', async (_, item, warnings) => {
  expect(await warningsOf(item)).toEqual(warnings)
})

test('ten fields are named, the others counted, and long names cut', async () => {
  const fields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]))
  const warnings = await warningsOf(rcs({ ['x'.repeat(100_000)]: 1, ...fields }))
  expect(warnings).toHaveLength(11)
  expect(warnings[0]).toBe(`${'x'.repeat(64)}: ignored`)
  expect(warnings[10]).toBe('491 more ignored')
})

test('a name is any JSON string, and the answer stays JSON', async () => {
  const name = '"\u0000\ud800\\'
  expect(await warningsOf(rcs({ [name]: 1 }))).toEqual([`${name.toWellFormed()}: ignored`])
})

test('a result with warnings has all else of a result without', async () => {
  const { warnings, ...result } = await bench.ask(rcs({ colour: 1, id: 'w' }))
  expect(warnings).toEqual(['colour: ignored'])
  expect(result).toEqual({ success: true, data: { id: 'w', msg_id: expect.any(Number), data: 1, parts: 1 } })
})

test('every field of the table is used by the operations that list it', () => {
  const names = new ChatappNames(DEFAULT_CHATAPP_NAMES)
  for (const schema of OPERATION_SCHEMAS) {
    const { sendNamedBy } = schema
    for (const { type, fields } of [schema, ...(sendNamedBy === undefined ? [] : SEND_SCHEMAS)]) {
      const item = Object.fromEntries(fields.map(({ name }) => [name, name]))
      const composed = 'chatapp_type' in item ? { chatapp_type: 'text+image+link' } : {}
      const named = sendNamedBy === undefined ? {} : { [sendNamedBy]: type === schema.type ? 'sms' : type }
      const sent = { ...item, ...composed, ...named, type: schema.type }
      expect(ignoredFieldsOf(schema).warningsOf(names.translate(sent))).toEqual([])
    }
  }
})

test('no example has warnings but the one that shows them', () => {
  const folder = new URL('../../examples/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const warned = files.filter((file) => readFileSync(new URL(file, folder), 'utf8').includes('"warnings"'))
  expect(warned).toEqual(['warnings.json'])
})
