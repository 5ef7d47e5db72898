/** API keys: what clients authenticate with. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/account.ts'
import { accountRow } from '../account-row.ts'
import { endpoint } from '../endpoint.ts'
import { issueKey } from '../issue-key.ts'
import { ACCOUNT, listOf, NAME, OPERATORS, READERS } from './shapes.ts'

const Key = Type.Object({ account: ACCOUNT, name: NAME })

export const KEY_ENDPOINTS = [
  endpoint({
    name: 'listKeys',
    method: 'GET',
    path: '/accounts/{account}/keys',
    command: 'key list',
    summary: 'list the API keys of an account; the keys themselves are kept nowhere',
    may: READERS,
    params: { account: ACCOUNT },
    result: listOf(Key),
    run: async ({ store }, { account }) => {
      const rows = await store.loadDirectory()
      const { id } = accountRow(rows, toAccountId(account))
      return { data: rows.keys.filter((key) => key.accountId === id).map(({ name }) => ({ account: id, name })) }
    },
  }),
  endpoint({
    name: 'issueKey',
    method: 'POST',
    path: '/accounts/{account}/keys',
    summary: 'make an API key for an account; it is shown once and kept nowhere',
    may: OPERATORS,
    params: { account: ACCOUNT },
    body: { name: NAME },
    result: Type.Object({ ...Key.properties, key: Type.String() }),
    run: async ({ store, clock, random }, { account, name }) => {
      const { id } = accountRow(await store.loadDirectory(), toAccountId(account))
      return { account: id, name, key: await issueKey(store, clock, random, { accountId: id, name, mode: 'live' }) }
    },
  }),
  endpoint({
    name: 'revokeKey',
    method: 'DELETE',
    path: '/accounts/{account}/keys/{name}',
    summary: 'revoke the API key of that name at once',
    may: OPERATORS,
    params: { account: ACCOUNT, name: NAME },
    run: async ({ store }, { account, name }) => {
      const { id } = accountRow(await store.loadDirectory(), toAccountId(account))
      await store.change({ kind: 'remove key', accountId: id, name })
      return undefined
    },
  }),
]
