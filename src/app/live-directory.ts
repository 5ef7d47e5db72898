/** The directory of this gateway, refreshed when another process has changed it. */
import { Directory } from '../domain/directory.ts'
import type { SetupStore } from '../ports/setup-store.ts'

export class LiveDirectory {
  readonly #store: SetupStore
  #current: Directory
  /** Called after each refresh with changes. */
  onChange: () => void = () => {}

  private constructor(store: SetupStore, current: Directory) {
    this.#store = store
    this.#current = current
  }

  static async load(store: SetupStore): Promise<LiveDirectory> {
    return new LiveDirectory(store, new Directory(await store.loadDirectory()))
  }

  readonly current = (): Directory => this.#current

  readonly refresh = async (): Promise<void> => {
    if ((await this.#store.directoryRevision()) === this.#current.revision) return
    this.#current = new Directory(await this.#store.loadDirectory(), this.#current)
    this.onChange()
  }
}
