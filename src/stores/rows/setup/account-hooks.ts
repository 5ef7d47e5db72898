/** The hooks that the client of an account manages, as one row; their secrets are sealed. */
import type { AccountSettings } from '../../../domain/accounts/account.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { type AccountHooks, type ClientHook, type Listeners, NO_HOOKS } from '../../../domain/reports/client-hook.ts'
import type { LoadedHooks } from '../../../ports/stores/hook-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell, Row } from '../cells/cell.ts'
import { clientSecretsPlace } from '../sealing/seal-place.ts'

type StoredHook = Omit<ClientHook, 'hookSecrets'>
type StoredHooks = Omit<AccountHooks, 'hooks'> & { readonly hooks: readonly StoredHook[] }

export type AccountHooksRow = readonly [accountId: AccountId, revision: number, hooks: string, secrets: string]

/** Rows in one answer. */
export const MAX_LOADED_HOOKS = 1_000
export const ACCOUNT_HOOKS_COLUMNS = 'account_id, revision, hooks, secrets'

export function toHooksRow(
  accountId: AccountId,
  revision: number,
  { hooks, ...rest }: AccountHooks,
  vault: Vault,
): Row {
  const stored: StoredHooks = { ...rest, hooks: hooks.map(({ hookSecrets: _, ...hook }) => hook) }
  const secrets = JSON.stringify(hooks.map(({ hookSecrets }) => hookSecrets))
  return {
    account_id: accountId,
    revision,
    hooks: vault.addresses.sealIn(JSON.stringify(stored)),
    secrets: vault.sealAt(secrets, clientSecretsPlace(accountId)),
  }
}

/** Throws if the secrets were sealed with another key, or for another account. */
export function readHooks(
  accountId: AccountId,
  row: { readonly hooks: Cell; readonly secrets: Cell } | null,
  vault: Vault,
): AccountHooks {
  if (row === null) return NO_HOOKS
  const secrets = vault.openAt(String(row.secrets), clientSecretsPlace(accountId))
  return readOpened(vault.addresses.openIn(String(row.hooks)), secrets)
}

function readOpened(stored: string, opened: string): AccountHooks {
  const { hooks, ...rest }: StoredHooks = JSON.parse(stored)
  const secrets: readonly (readonly string[])[] = JSON.parse(opened)
  return { ...rest, hooks: hooks.map((hook, index) => ({ ...hook, hookSecrets: secrets[index] ?? [] })) }
}

/** `revision` is that of the database, and `rows` are the first ones after the revision asked for, opened. */
export function readLoadedHooks(revision: number, rows: readonly AccountHooksRow[]): LoadedHooks {
  const more = rows.length === MAX_LOADED_HOOKS
  return {
    revision: more ? (rows.at(-1)?.[1] ?? revision) : revision,
    accounts: rows.map(([accountId, , hooks, secrets]) => [accountId, readOpened(hooks, secrets)]),
    more,
  }
}

/** Returns whether a client has hooks, by the cell as it is stored. */
export function hasHooks(hooks: Cell): boolean {
  const stored: StoredHooks = JSON.parse(String(hooks))
  return stored.hooks.length > 0
}

/** Of opened cells; `hooks` is null for an account whose client never had any. */
export function readListeners(settings: Cell, hooks: Cell): Listeners {
  const { defaultHook = null }: Partial<AccountSettings> = JSON.parse(String(settings))
  const stored: StoredHooks = hooks === null ? NO_HOOKS : JSON.parse(String(hooks))
  return { defaultHook, hooks: stored.hooks }
}
