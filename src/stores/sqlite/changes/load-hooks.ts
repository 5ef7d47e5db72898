/** Reads the hooks that clients manage, as far as they have changed. */
import type { LoadedHooks } from '../../../ports/stores/hook-store.ts'
import {
  type AccountHooksRow,
  MAX_LOADED_HOOKS,
  readLoadedHooks,
  SELECT_HOOKS,
} from '../../rows/setup/account-hooks.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function loadHooks({ database, vault }: Session): (after: number) => LoadedHooks {
  const revision = new Statement<[revision: number]>(database, 'SELECT hook_revision FROM meta')
  const changed = new Statement<[...AccountHooksRow]>(
    database,
    `${SELECT_HOOKS} ? ORDER BY revision LIMIT ${MAX_LOADED_HOOKS}`,
  )
  return (after) => {
    const present = revision.first()?.[0] ?? 0
    return readLoadedHooks(present, present > after ? changed.all(after) : [], vault)
  }
}
