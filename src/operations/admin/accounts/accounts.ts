/** Creates accounts, active and without money, changes them and closes them for good. */
import { type Account, type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../../../domain/accounts/account.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { QueuedStore } from '../../../ports/stores/queued-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Random } from '../../../ports/system/random.ts'
import { openPages } from '../../read/open-pages.ts'
import type { HookGuard } from '../../request/check-hook.ts'
import { makeHookSecret } from '../../request/hook-secret.ts'
import { differenceOf, entry } from '../endpoint/audit-entry.ts'
import type { ChangeOf, ChangeRule, Changes } from '../endpoint/change.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { viewOf } from '../fields/fields.ts'
import { checkName } from '../fields/label.ts'
import { OPERATORS } from '../fields/shapes.ts'
import { ACCOUNT_SETTINGS } from './account-settings.ts'
import { checkReferences } from './check-references.ts'
import { checkSettings } from './check-settings.ts'

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

export interface NewAccount {
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  readonly settings?: AccountSettings
}

/** Returns the account and its secret, which is shown only once. Throws ChangeRefused. */
export async function createAccount(
  store: SetupStore,
  random: Random,
  { name, currency, settings = DEFAULT_ACCOUNT_SETTINGS }: NewAccount,
): Promise<{ readonly accountId: AccountId; readonly hookSecret: string }> {
  checkNewAccount({ name, currency })
  const hookSecret = makeHookSecret(random)
  const account = { name, currency, state: 'active', hookSecrets: [hookSecret], settings } as const
  const accountId = await store.change({ kind: 'create account', account })
  if (accountId === null) throw new TypeError('the store gave no id to a new account')
  return { accountId, hookSecret }
}

/** Checks what needs no store. Throws ChangeRefused. */
function checkNewAccount({ name, currency }: NewAccount): void {
  checkName('the name of an account', name)
  checkCurrency(currency)
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
  if (name !== undefined) checkName('the name of an account', name)
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...(changesSettings ? { settings: checkSettings(before.settings, settings) } : {}),
  }
  checkReferences({ rows, hookGuard }, before, settings)
  await store.change({ kind: 'set account', accountId, ...change })
  return { ...before, ...change }
}

export interface Closing {
  readonly accountId: AccountId
  /** Repeats the account's name, to guard against a mistyped number. */
  readonly name: string
}

export interface ClosedAccount {
  readonly account: Account
  /** Remaining balances: to be paid back, or held until open messages have ended. */
  readonly balances: Balances
  /** Number of revoked keys. */
  readonly keys: number
}

/**
 * Revokes all keys of the account, permanently. Accepted messages are still delivered, charged and reported. Throws
 * ChangeRefused.
 */
export async function closeAccount(
  store: QueryStore & SetupStore & QueuedStore,
  { accountId, name }: Closing,
): Promise<ClosedAccount> {
  const rows = await store.loadDirectory()
  const account = accountRow(rows, accountId)
  if (account.name !== name) throw new ChangeRefused(`account ${accountId} is not named ${JSON.stringify(name)}`)
  if (account.state === 'suspended') await checkNothingWaits(store, accountId)
  await store.change({ kind: 'set account', accountId, state: 'closed' })
  const balances = await store.balancesOf(accountId)
  if (balances === null) throw new TypeError('the store has no balances of an account that it closed')
  const keys = rows.keys.filter((key) => key.accountId === accountId).length
  return { account: { ...account, state: 'closed' }, balances, keys }
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
