/** Opens the store of an installation for one command, beside a gateway that may be running. */
import { openInstallation } from '../../app/installation/installation.ts'
import type { Config } from '../../app/settings/config.ts'
import type { Store } from '../../ports/stores/store.ts'
import { refuseServer } from '../command/only-here.ts'

/** Runs the work with the store and closes it. Rejects with InstallationError if there is no installation. */
export async function withToolStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  refuseServer(config)
  // Uses this thread: a command has nothing else to do while it waits, and starts sooner.
  const store = await openInstallation(config, { role: 'tool', inline: true })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
