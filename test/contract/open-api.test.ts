import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { readReport } from '../../client/src/report.ts'
import { PHONE } from '../../src/contract/fields/kinds.ts'
import { OPERATION_TYPES } from '../../src/contract/operations/operation-schemas.ts'
import { writeOpenApi } from '../../src/contract/reference/open-api.ts'
import { REPORT_SCHEMAS } from '../../src/contract/reference/report-schemas.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { readPhone } from '../../src/domain/numbers/phone.ts'

const file = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))

test('docs/openapi.json is what the table of fields says', () => {
  expect(file).toEqual(writeOpenApi())
})

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

test('the document knows every operation by its type, with the chat app under its default other name as well', () => {
  const { items } = file.paths['/api/json.php'].post.requestBody.content['application/json'].schema.properties.data
  const named = OPERATION_TYPES.filter((type) => type.includes('chatapp')).map((type) =>
    type.replace('chatapp', 'viber'),
  )
  expect(Object.keys(items.discriminator.mapping)).toEqual([...OPERATION_TYPES, ...named])
})

test('the document has a schema of the fields of every operation', () => {
  const { mapping } =
    file.paths['/api/json.php'].post.requestBody.content['application/json'].schema.properties.data.items.discriminator
  for (const [type, reference] of Object.entries<string>(mapping)) {
    const schema = file.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]
    expect(schema.properties.type, type).toMatchObject({ const: type })
  }
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
