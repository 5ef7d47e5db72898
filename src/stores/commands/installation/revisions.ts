/** Reads whether the directory has changed, and the hooks that clients manage as far as they have. */
import type { LoadedHooks } from '../../../ports/stores/hook-store.ts'
import {
  ACCOUNT_HOOKS_COLUMNS,
  type AccountHooksRow,
  MAX_LOADED_HOOKS,
  readLoadedHooks,
} from '../../rows/setup/account-hooks.ts'
import { type Command, first, rows } from '../statement/command.ts'
import { select, sql } from '../statement/sql.ts'

const REVISION = sql<[revision: number]>('SELECT revision FROM meta')
const HOOK_REVISION = sql<[revision: number]>('SELECT hook_revision FROM meta')
const CHANGED = select<AccountHooksRow>(
  'account_hooks',
  ACCOUNT_HOOKS_COLUMNS,
  `WHERE revision > ? ORDER BY revision LIMIT ${MAX_LOADED_HOOKS}`,
)

/** Shows when to reload the directory. */
export function* directoryRevision(): Command<number> {
  return (yield* first(REVISION))?.[0] ?? 0
}

/** Changes are made one after the other: what commits after the revision was read has a larger one. */
export function* loadHooks(after: number): Command<LoadedHooks> {
  const [revision] = (yield* first(HOOK_REVISION)) ?? [0]
  return readLoadedHooks(revision, revision > after ? yield* rows(CHANGED, after) : [])
}
