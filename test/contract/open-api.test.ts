import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { readReport } from '../../client/src/report.ts'
import { PHONE } from '../../src/contract/fields/kinds.ts'
import { writeOpenApi } from '../../src/contract/reference/open-api.ts'
import { REPORT_SCHEMAS } from '../../src/contract/reference/report-schemas.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { readPhone } from '../../src/domain/numbers/phone.ts'
import { OPERATION_TYPES } from '../support/all-operations.ts'

const file = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))

test.each([
  '491701234500',
  '+49 (170) 123-45.00',
  '+49/170/1234500',
  '0049 170 1234500',
  '+49\u2011170\u20111234500',
  '\u202a+491701234500\u202c',
  '\u0664\u0669\u0661\u0667\u0660\u0661\u0662\u0663\u0664\u0665\u0660\u0660',
  'tel:+491701234500',
])('a phone that is read, such as %j, fits the schema of phones', (written) => {
  expect(readPhone(written)).toBe('491701234500')
  expect(Compile(PHONE.schema(DEFAULT_LIMITS) as object).Check(written)).toBe(true)
})

test('every reference leads somewhere', () => {
  const references = JSON.stringify(file).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  const names = [...references].map((match) => match[1])
  expect(names.length).toBeGreaterThan(10)
  expect(Object.keys(file.components.schemas)).toEqual(expect.arrayContaining(names))
})

test('the document knows every operation by its type', () => {
  const { mapping } = file.components.schemas.Operation.discriminator
  expect(Object.keys(mapping).toSorted()).toEqual(OPERATION_TYPES.toSorted())
  for (const [type, reference] of Object.entries<string>(mapping)) {
    const { properties } = file.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]
    expect(type.includes('+') ? properties.type.enum : [properties.type.const], type).toContain(type)
  }
})

test('the document can name the chat app otherwise, everywhere', () => {
  const text = JSON.stringify(writeOpenApi('viber'))
  expect(text).not.toMatch(/chatapp/i)
  expect(JSON.parse(text).components.schemas.Viber.properties).toHaveProperty('viber_message')
  expect(JSON.parse(text).components.schemas.Chain.properties.type.enum).toContain('rcs+viber+sms')
})

describe('what the schema of operations says of sends and prices', () => {
  const { schemas } = file.components
  const fits = Compile({ $ref: '#/components/schemas/Operation', components: { schemas } })
  const both = {
    phone: 491701234500,
    rcs_signature: 'Shop',
    rcs_message: 'Hi',
    sms_signature: 'Shop',
    sms_message: 'Hi',
  }

  test.each<[string, object, boolean]>([
    ['an SMS', { type: 'sms', phone: 491701234500, sms_message: 'Hi' }, true],
    ['an SMS without a text', { type: 'sms', phone: 491701234500 }, false],
    ['a misspelled type', { ...both, type: 'smss' }, false],
    ['a chain', { ...both, type: 'rcs+sms' }, true],
    ['a chain without the text of one step', { ...both, type: 'rcs+sms', sms_message: undefined }, false],
    ['a chain with a channel of which it says nothing', { ...both, type: 'rcs+chatapp' }, false],
    ['a chain that names a channel twice', { ...both, type: 'sms+sms' }, false],
    [
      'a chain with a part of the chat app',
      { ...both, type: 'chatapp+sms', chatapp_type: 'text', chatapp_signature: 'Shop', chatapp_message: 'Hi' },
      true,
    ],
    [
      'a chain without that part',
      { ...both, type: 'chatapp+sms', chatapp_type: 'text', chatapp_signature: 'Shop' },
      false,
    ],
    ['the price of an SMS', { ...both, type: 'price', send_type: 'sms' }, true],
    ['the price of an SMS without a text', { type: 'price', send_type: 'sms', phone: 491701234500 }, false],
  ])('%s', (_, operation, right) => {
    expect(fits.Check(JSON.parse(JSON.stringify(operation)))).toBe(right)
  })
})

test('the document has a webhook with the signed headers for every report, and one for several', () => {
  const types = REPORT_SCHEMAS.map(({ type }) => type)
  expect(Object.keys(file.webhooks)).toEqual([...types, 'reports'])
  for (const type of Object.keys(file.webhooks)) {
    const { parameters, responses } = file.webhooks[type].post
    const names = parameters.map(({ name }: { name: string }) => name)
    expect(names.slice(0, 3)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(Object.keys(responses).toSorted()).toEqual(['2XX', '410', 'default'])
  }
})

test('the client library reads every report', () => {
  for (const { type } of REPORT_SCHEMAS) expect(readReport({ type })).toMatchObject({ type })
})

// Generators of types require a field with a default, and make of an object without members one that must be empty.
test('no schema has a default, or an object whose members are left open in silence', () => {
  const wrong: string[] = []
  const look = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { default: standard, type, properties, additionalProperties } = schema as Record<string, unknown>
    if (standard !== undefined && !path.endsWith('/responses')) wrong.push(`${path}: default`)
    const isOpen = properties === undefined && additionalProperties === undefined
    if (isOpen && [type].flat().includes('object')) wrong.push(`${path}: open`)
    for (const [name, member] of Object.entries(schema)) look(member, `${path}/${name}`)
  }
  look(file, '')
  expect(wrong).toEqual([])
})

test('a default is in the words of its field', () => {
  const { Sms, VerifyStart, Lookup, BulkCreate } = file.components.schemas
  expect(Sms.properties.sms_lifetime.description).toMatch(/ By default `172800`\.$/)
  expect(VerifyStart.properties.length.description).toMatch(/ By default `\d`\.$/)
  expect(Lookup.properties.max_age.description).toMatch(/ By default `\d+`\.$/)
  expect(BulkCreate.properties.pace.description).toMatch(/ By default `20`\.$/)
})
