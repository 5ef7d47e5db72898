/** The directory of this gateway, refreshed when another process has changed it. */
import { Directory } from '../../domain/directory/directory.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import { runInSlices } from '../../ports/system/slices.ts'

export class LiveDirectory {
  readonly #store: SetupStore
  #current: Directory
  #last: Promise<void> = Promise.resolve()
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

  /** Refreshes run one after the other, so that an older directory never replaces a newer one. */
  readonly refresh = (): Promise<void> => {
    const refreshed = this.#last.then(() => this.#refresh())
    this.#last = refreshed.catch(() => {})
    return refreshed
  }

  async #refresh(): Promise<void> {
    if ((await this.#store.directoryRevision()) === this.#current.revision) return
    const rows = await this.#store.loadDirectory()
    this.#current = await runInSlices(Directory.build(rows, this.#current))
    this.onChange()
  }
}
