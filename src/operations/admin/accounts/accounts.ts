/** Creates accounts, active and without money, changes them and closes them for good. */
import Type, { type Static } from 'typebox'
import { type Account, type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../../../domain/accounts/account.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { QueuedStore } from '../../../ports/stores/queued-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Random } from '../../../ports/system/random.ts'
import { openPages } from '../../read/open-pages.ts'
import type { HookGuard } from '../../request/check-hook.ts'
import { makeHookSecret } from '../../request/hook-secret.ts'
import { differenceOf, entry } from '../endpoint/audit-entry.ts'
import type { ChangeOf, ChangeRule, Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { listDifferences } from '../fields/differences.ts'
import { partialSchemas, readPublicFields, viewOf, viewSchemas } from '../fields/fields.ts'
import { checkName } from '../fields/label.ts'
import { ACCOUNT, NAME, OPERATORS, SHOWN_ONCE, whole } from '../fields/shapes.ts'
import { Balance, viewBalance } from '../money/balance-view.ts'
import { ACCOUNT_SETTINGS } from './account-settings.ts'
import { checkReferences } from './check-references.ts'
import { checkSettings } from './check-settings.ts'

export const STATE = Type.Enum(['active', 'suspended', 'closed'], { description: 'state of the account' })
const ACCOUNT_NAME = { ...NAME, description: 'unique name of the account', examples: ['Example Shop'] }
export const WHO = { account: ACCOUNT, name: NAME, currency: Type.String(), state: STATE }
const AccountView = Type.Object({ ...WHO, ...viewSchemas(ACCOUNT_SETTINGS) })
const CHANGED = Type.Array(Type.String(), { description: 'the changed fields with their values before and after' })
const ACCOUNTS: ChangeRule = { what: 'accounts', may: OPERATORS }

export const ACCOUNT_CHANGES = {
  'create account': {
    ...ACCOUNTS,
    audit: ({ account: { name, currency, state, settings } }) =>
      entry(`account ${JSON.stringify(name)}`, null, { name, currency, state, ...viewOf(ACCOUNT_SETTINGS, settings) }),
  },
  'set account': {
    ...ACCOUNTS,
    provenPart: provenSetting,
    audit: ({ kind: _, accountId, settings, ...rest }, { accounts }) => {
      const account = accounts.find(({ id }) => id === accountId)
      const shown = (settings: object | undefined) => (settings === undefined ? {} : viewOf(ACCOUNT_SETTINGS, settings))
      const before = { ...shown(account?.settings), name: account?.name, state: account?.state }
      return entry(`account ${accountId}`, ...differenceOf(before, { ...before, ...shown(settings), ...rest }))
    },
  },
} satisfies Changes

export const CREATE_ACCOUNT = endpoint({
  name: 'createAccount',
  method: 'POST',
  path: '/accounts',
  command: 'account create',
  summary: 'create an account; shows the secret that verifies its reports, once',
  may: OPERATORS,
  body: {
    name: ACCOUNT_NAME,
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        default: 'EUR',
        description: 'currency of the account, ISO 4217; EUR by default. It cannot be changed later',
        rule: 'must be an ISO 4217 code of three capital letters, such as EUR',
      }),
    ),
  },
  result: Type.Object({ ...AccountView.properties, hook_secret: SHOWN_ONCE }),
  hint: ({ currency }) =>
    `The currency of an account (${currency}) cannot be changed: for another currency create another account.`,
  run: async ({ store, random }, { name, currency = 'EUR' }) => {
    const { accountId, hookSecret } = await openAccount(store, random, { name, currency })
    const account = accountRow(await store.loadDirectory(), accountId)
    return { ...viewAccount(account), hook_secret: hookSecret }
  },
})

export const CHANGE_ACCOUNT = endpoint({
  name: 'changeAccount',
  method: 'PATCH',
  path: '/accounts/{account}',
  command: 'account set',
  summary: 'change an account: name, state and settings; others stay unchanged',
  may: OPERATORS,
  params: { account: ACCOUNT },
  body: {
    name: Type.Optional(ACCOUNT_NAME),
    state: Type.Optional(
      Type.Enum(['active', 'suspended'], { description: 'requests of suspended accounts are denied' }),
    ),
    ...partialSchemas(ACCOUNT_SETTINGS),
  },
  result: Type.Object({ changed: CHANGED, ...AccountView.properties }),
  entity: accountEntity,
  run: async ({ store, hookGuard }, { account, name, state, ...settings }) => {
    const before = viewAccount(accountRow(await store.loadDirectory(), toAccountId(account)))
    const input = {
      accountId: toAccountId(account),
      name,
      state,
      settings: readPublicFields(ACCOUNT_SETTINGS, settings),
    }
    const after = viewAccount(await changeAccount(store, input, hookGuard))
    return { changed: listDifferences(before, after), ...after }
  },
})

export const CLOSE_ACCOUNT = endpoint({
  name: 'closeAccount',
  method: 'POST',
  path: '/accounts/{account}/closing',
  command: 'account close',
  summary: 'close an account for good and remove its keys; accepted messages are still delivered',
  may: OPERATORS,
  params: { account: ACCOUNT },
  body: { name: Type.String({ description: 'name of the account, which protects against a mistyped number' }) },
  result: Type.Object({ ...Balance.properties, name: NAME, state: STATE, revoked_keys: whole() }),
  run: async ({ store }, { account: id, name }) => {
    const rows = await store.loadDirectory()
    const account = accountRow(rows, toAccountId(id))
    if (account.name !== name) throw new ChangeRefused(`account ${id} is not named ${JSON.stringify(name)}`)
    if (account.state === 'suspended') await checkNothingWaits(store, account.id)
    await store.change({ kind: 'set account', accountId: account.id, state: 'closed' })
    const keys = rows.keys.filter((key) => key.accountId === account.id).length
    return {
      ...viewBalance(account, await store.balancesOf(account.id)),
      name,
      state: 'closed' as const,
      revoked_keys: keys,
    }
  },
})

/** Hook and networks decide where reports go, and from where requests are accepted. */
function provenSetting(change: ChangeOf<'set account'>, { accounts }: DirectoryRows): string | null {
  if ('state' in change && change.state === 'closed') return 'whether an account is closed'
  const before = accounts.find(({ id }) => id === change.accountId)?.settings
  const { settings = before } = change
  return addressesIn(settings) === addressesIn(before) ? null : 'the default hook and the networks of accounts'
}

function addressesIn(settings: AccountSettings | undefined): string {
  return JSON.stringify([settings?.defaultHook, settings?.allowedNetworks])
}

export interface AccountDraft {
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  readonly settings?: AccountSettings
}

/** Returns the account and its secret, which is shown only once. Throws ChangeRefused. */
export async function openAccount(
  store: SetupStore,
  random: Random,
  { name, currency, settings = DEFAULT_ACCOUNT_SETTINGS }: AccountDraft,
): Promise<{ readonly accountId: AccountId; readonly hookSecret: string }> {
  checkName('name', 'the name of an account', name)
  checkCurrency(currency)
  const hookSecret = makeHookSecret(random)
  const account = { name, currency, state: 'active', hookSecrets: [hookSecret], settings } as const
  const accountId = await store.change({ kind: 'create account', account })
  if (accountId === null) throw new TypeError('the store gave no id to a new account')
  return { accountId, hookSecret }
}

export interface AccountInput {
  readonly accountId: AccountId
  readonly name?: string | undefined
  /** Accounts are closed by closeAccount. */
  readonly state?: 'active' | 'suspended' | undefined
  readonly settings?: Partial<AccountSettings> | undefined
}

/** Returns the changed account. Without a guard the default hook may be any address. Throws ChangeRefused. */
export async function changeAccount(store: SetupStore, input: AccountInput, hookGuard?: HookGuard): Promise<Account> {
  const { accountId, name, state, settings = {} } = input
  const changesSettings = Object.keys(settings).length > 0
  if (name === undefined && state === undefined && !changesSettings) {
    throw new ChangeRefused('nothing to change: give a name, a state or a setting')
  }
  const rows = await store.loadDirectory()
  const before = accountRow(rows, accountId)
  if (name !== undefined) checkName('name', 'the name of an account', name)
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...(changesSettings ? { settings: checkSettings(before.settings, settings) } : {}),
  }
  checkReferences({ rows, hookGuard }, before, settings)
  await store.change({ kind: 'set account', accountId, ...change })
  return { ...before, ...change }
}

const MESSAGES_WAIT =
  'the account is suspended and has messages that wait: discard them (posthorn account discard), ' +
  'or set the account active so that they are sent'

/** A closed account's messages are sent. Those of a suspended one wait because they should perhaps not be. */
async function checkNothingWaits(store: QueuedStore, accountId: AccountId): Promise<void> {
  for await (const { messages } of openPages(store, { accountId, which: 'queued' })) {
    if (messages.length > 0) throw new ChangeRefused(MESSAGES_WAIT)
  }
}

export function accountEntity(rows: DirectoryRows, { account }: { readonly account: number }): unknown {
  const found = rows.accounts.find(({ id }) => id === account)
  return found === undefined ? null : viewAccount(found)
}

export function viewAccount(account: Account): Static<typeof AccountView> {
  const { id, name, currency, state, settings } = account
  return { account: id, name, currency, state, ...viewOf(ACCOUNT_SETTINGS, settings) }
}
