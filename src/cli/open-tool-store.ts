/** Opens the store of an installation for one command, next to a gateway that may be running. */
import type { Config } from '../config.ts'
import { hasInstallation, openInstallation, placeOfData } from '../installation.ts'
import type { Store } from '../ports/store.ts'
import { CannotDo } from './failure.ts'

/** Does the work with the store and closes it. Throws a CannotDo when there is no installation. */
export async function withToolStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  if (!(await hasInstallation(config))) {
    const named = config.database === null ? 'its folder with --data-dir' : 'its database with --database'
    throw new CannotDo(
      `there is no installation in ${placeOfData(config)}: name ${named}, or begin one with 'posthorn account create'`,
    )
  }
  return withNewToolStore(config, work)
}

/** The same, and begins an installation when there is none. */
export async function withNewToolStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  // In this thread: a command has nothing else to do while it waits, and starts sooner.
  const store = await openInstallation(config, { role: 'tool', inline: true })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
