/** Accounts: clients of the gateway, with their settings. */
import Type from 'typebox'
import type { Account } from '../../../domain/accounts/account.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { NO_MONEY, toDecimal } from '../../../domain/money/money.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { addressFor, showHooks } from '../endpoint/hook-address.ts'
import { accountRow } from '../fields/account-row.ts'
import { viewSchemas } from '../fields/fields.ts'
import { ACCOUNT, MONEY, PAGING, pageOf, READERS, whole } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { listStoppedHooks } from '../hooks/hooks.ts'
import { Balance, viewBalance } from '../money/balance-view.ts'
import { ACCOUNT_SETTINGS } from './account-settings.ts'
import { accountEntity, CHANGE_ACCOUNT, CLOSE_ACCOUNT, CREATE_ACCOUNT, STATE, viewAccount, WHO } from './accounts.ts'

/** Fields beside its settings. */
const ACCOUNT_FACTS = {
  hook_secrets: whole({ description: 'number of secrets that sign its reports; two during a rotation' }),
  keys: Type.Array(Type.String(), { description: 'their names' }),
  senders: Type.Array(Type.Object({ channel: Type.String(), name: Type.String(), state: Type.String() })),
  stopped_hooks: Type.Array(Type.String()),
}

export const ACCOUNT_ENDPOINTS = [
  endpoint({
    name: 'listAccounts',
    method: 'GET',
    path: '/accounts',
    command: 'account list',
    columns: ['account', 'name', 'state', 'available', 'currency'],
    summary: 'list accounts and their available balances',
    may: READERS,
    query: {
      ...PAGING,
      search: Type.Optional(
        Type.String({ maxLength: 100, description: 'a part of the name in any case, or the number of the account' }),
      ),
      state: Type.Optional(STATE),
    },
    result: pageOf(Type.Object({ ...WHO, available: MONEY, ...viewSchemas(ACCOUNT_SETTINGS) })),
    run: async ({ store }, { search = '', state, ...paging }, { role }) => {
      const { accounts } = await store.loadDirectory()
      const found = accounts.filter((account) => (state ?? account.state) === account.state && matches(account, search))
      const { data, next } = takePage(found, paging, (account) => ({
        id: account.id,
        view: showHooks(role, viewAccount(account)),
      }))
      const balances = await Promise.all(data.map(({ id }) => store.balancesOf(id)))
      return {
        data: data.map(({ view }, index) => {
          return { ...view, available: toDecimal(balances[index]?.available ?? NO_MONEY) }
        }),
        next,
      }
    },
  }),
  endpoint({
    name: 'nameAccounts',
    method: 'GET',
    path: '/account-names',
    command: 'account names',
    summary: 'list the names of up to 100 accounts, for lists that have their numbers; numbers of none are left out',
    may: READERS,
    query: {
      accounts: Type.String({
        pattern: '^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9}){0,99}$',
        rule: 'must be 1 to 100 numbers of accounts, separated by commas',
        description: 'numbers of accounts, separated by commas',
        examples: ['1,2'],
      }),
    },
    result: Type.Object({ data: Type.Array(Type.Object({ account: ACCOUNT, name: Type.String() })) }),
    run: async ({ store }, { accounts: asked }) => {
      const numbers = new Set(asked.split(',').map(Number))
      const { accounts } = await store.loadDirectory()
      return { data: accounts.filter(({ id }) => numbers.has(id)).map(({ id, name }) => ({ account: id, name })) }
    },
  }),
  CREATE_ACCOUNT,
  endpoint({
    name: 'showAccount',
    method: 'GET',
    path: '/accounts/{account}',
    command: 'account show',
    summary: 'show an account: its money, settings, senders, keys and stopped hooks',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    result: Type.Object({ ...WHO, ...Balance.properties, ...viewSchemas(ACCOUNT_SETTINGS), ...ACCOUNT_FACTS }),
    entity: accountEntity,
    run: async ({ store, clock }, { account: id }, { role }) => {
      const rows = await store.loadDirectory()
      const account = accountRow(rows, toAccountId(id))
      const stoppedHooks = await listStoppedHooks(store, account.id, clock.now())
      const stopped = { stopped_hooks: stoppedHooks.map(({ address }) => addressFor(role, address)) }
      const { account: _, name, state, currency: __, ...settings } = showHooks(role, viewAccount(account))
      const { account: number, ...money } = viewBalance(account, await store.balancesOf(account.id))
      return { account: number, name, state, ...money, ...settings, ...factsOf(rows, account), ...stopped }
    },
  }),
  CHANGE_ACCOUNT,
  CLOSE_ACCOUNT,
  endpoint({
    name: 'showBalance',
    method: 'GET',
    path: '/accounts/{account}/balance',
    command: 'account balance',
    summary: 'show the balance of an account: available, held for open messages, spent',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    result: Balance,
    run: async ({ store }, { account }) => {
      const row = accountRow(await store.loadDirectory(), toAccountId(account))
      return viewBalance(row, await store.balancesOf(row.id))
    },
  }),
]

function factsOf(rows: DirectoryRows, { id, hookSecrets }: Account) {
  const isOurs = ({ accountId }: { readonly accountId: AccountId }) => accountId === id
  return {
    hook_secrets: hookSecrets.length,
    keys: rows.keys.filter(isOurs).map(({ name }) => name),
    senders: rows.senders.filter(isOurs).map(({ channel, name, state }) => ({ channel, name, state })),
  }
}

function matches({ id, name }: Account, search: string): boolean {
  return String(id) === search || name.toLowerCase().includes(search.toLowerCase())
}
