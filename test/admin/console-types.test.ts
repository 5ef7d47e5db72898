/** The types that the console's build makes of the admin API's OpenAPI document. */
import { expect, test } from 'vitest'
import { describeAdminApi, typeOf } from '../../console/tools/describe-admin-api.ts'
import { writeAdminOpenApi } from '../../src/operations/admin/admin-open-api.ts'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'

test('every endpoint has its call and its roles, those of accounts’ users too', () => {
  const text = describeAdminApi(writeAdminOpenApi(ENDPOINTS), ENDPOINTS)
  for (const { name, method, path, may, clients } of ENDPOINTS) {
    expect(text).toContain(`  '${method} ${path}': {`)
    const roles = may === 'public' ? ['public'] : [...may, ...(clients?.may ?? [])]
    expect(text).toContain(`  ${name}: '${roles.join(' ')}',`)
  }
})

test('schemas become types', () => {
  expect(typeOf({ type: 'integer' })).toBe('number')
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string | null')
  expect(typeOf({ enum: ['a', 'b'] })).toBe('"a" | "b"')
  expect(typeOf({ type: 'array', items: { type: 'string' } })).toBe('readonly (string)[]')
  expect(
    typeOf({ type: 'object', properties: { id: { type: 'number' }, note: { type: 'string' } }, required: ['id'] }),
  ).toBe('{ readonly id: number; readonly note?: string | undefined }')
  expect(typeOf({ type: 'object', patternProperties: { '^.*$': { type: 'boolean' } } })).toBe(
    'Readonly<Record<string, boolean>>',
  )
  expect(typeOf({})).toBe('unknown')
})
