/** Rules of the hooks that clients manage. They are not part of the directory: no client makes every node reload it. */
import { hideInAddresses } from '../../domain/accounts/audit.ts'
import { type AccountHooks, type ClientHook, changeHooks } from '../../domain/reports/client-hook.ts'
import { hookOf } from '../../domain/reports/report-schedule.ts'
import type { ClientHookChange } from '../../ports/stores/hook-store.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { readHooks, toHooksRow } from '../rows/setup/account-hooks.ts'
import { watchLowBalance } from './accounts.ts'
import { findOne, put, type Rule, refuse, updateRow } from './row-step.ts'

/** Returns the id of the hook. */
export function* changeClientHook(order: ClientHookChange, vault: Vault): Rule<number> {
  const { accountId, change, at, key } = order
  const where = { account_id: accountId }
  const account = yield* findOne('account', where, ['settings'])
  if (account === null) return refuse(`there is no account ${accountId}`)
  const row = yield* findOne('account_hooks', where, ['hooks', 'secrets'])
  const before = readHooks(accountId, row, vault)
  const after = changeHooks(before, { change, at, isLimited: key !== null })
  if (typeof after === 'string') return refuse(after)
  const meta = yield* findOne('meta', { one: 1 }, ['hook_revision'])
  const revision = Number(meta?.hook_revision) + 1
  yield* updateRow('meta', { hook_revision: revision }, { one: 1 })
  yield* put('account_hooks', toHooksRow(accountId, revision, after, vault))
  const id = change.kind === 'create' ? after.lastId : change.id
  if (change.kind === 'create' || change.kind === 'update') yield* resume(order, hookIn(after, id))
  if (before.hooks.length !== after.hooks.length) {
    yield* watchLowBalance(accountId, JSON.parse(String(account.settings)), after.hooks.length > 0)
  }
  if (key !== null && change.kind !== 'test') yield* writeRecord(order, id, { before, after })
  return id
}

/** Lets a hook that was stopped get reports again. */
function* resume({ accountId, at }: ClientHookChange, hook: ClientHook | null): Rule<null> {
  if (hook === null) return null
  const where = { account_id: accountId, address: hookOf(hook.address), stopped: 1 }
  yield* updateRow('stopped_hook', { stopped: 0, changed_at: at }, where)
  return null
}

/** Writes into the audit log who made the change. */
function* writeRecord(
  { accountId, change, at, key }: ClientHookChange,
  id: number,
  { before, after }: { readonly before: AccountHooks; readonly after: AccountHooks },
): Rule<null> {
  return yield* put('audit', {
    at,
    actor: `key ${key}`,
    via: 'client API',
    action: `hook/${change.kind}`,
    subject: `hook ${id} of account ${accountId}`,
    before: JSON.stringify(describe(hookIn(before, id))),
    after: JSON.stringify(describe(hookIn(after, id), change.kind === 'rotate')),
  })
}

function describe(hook: ClientHook | null, isRotated = false): unknown {
  if (hook === null) return null
  const { address, description, events } = hook
  return hideInAddresses({ address, description, events, ...(isRotated ? { secret_changed: true } : {}) })
}

function hookIn({ hooks }: AccountHooks, wanted: number): ClientHook | null {
  return hooks.find(({ id }) => id === wanted) ?? null
}
