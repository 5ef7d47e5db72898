/** Reads the hooks that clients manage, as far as they have changed. */
import type { LoadedHooks } from '../../../ports/stores/hook-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import {
  type AccountHooksRow,
  MAX_LOADED_HOOKS,
  readLoadedHooks,
  SELECT_HOOKS,
} from '../../rows/setup/account-hooks.ts'
import type { Link } from '../connection/link.ts'
import { rare } from '../connection/statement.ts'

const REVISION = rare<[revision: number]>('SELECT hook_revision FROM meta')
const CHANGED = rare<AccountHooksRow>(`${SELECT_HOOKS} $1 ORDER BY revision LIMIT ${MAX_LOADED_HOOKS}`)

/** Changes are made one after the other: what commits after the revision was read has a larger one. */
export async function loadHooks(link: Link, vault: Vault, after: number): Promise<LoadedHooks> {
  const [[revision] = [0]] = await link.query(REVISION)
  return readLoadedHooks(revision, revision > after ? await link.query(CHANGED, after) : [], vault)
}
