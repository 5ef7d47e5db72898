/** Endpoints that users of an account may call are tested with two accounts (test/journey/client-isolation.test.ts). */
import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { CLIENT_CASES } from '../support/client-cases.ts'

const forClients = ENDPOINTS.filter(({ clients }) => clients !== null)

test('each endpoint for users of an account has a case, and no other has one', () => {
  expect(forClients.map(({ name }) => name).sort()).toEqual(Object.keys(CLIENT_CASES).sort())
})

test.each(forClients.filter(({ clients }) => clients?.scope === 'account'))(
  '$name, which is kept to an account, has a field for it',
  ({ params, query, body }) => {
    expect(Object.keys({ ...params.properties, ...query.properties, ...body.properties })).toContain('account')
  },
)

test('no role of users of an account is among the roles of operators', () => {
  const roles = ENDPOINTS.flatMap(({ may }) => (may === 'public' ? [] : may))
  expect(roles.filter((role) => role.startsWith('client'))).toEqual([])
})
