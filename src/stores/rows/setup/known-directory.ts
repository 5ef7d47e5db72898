/**
 * The directory that was read last. Most endpoints of operators read it, and with 10,000 accounts reading it takes the
 * store a tenth of a second: it is reused while its revision is the present one.
 */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { DirectoryRead } from '../../../ports/stores/setup-store.ts'

export class KnownDirectory {
  #known: DirectoryRows | null = null

  /** `revision` is cheap. */
  async read(
    how: DirectoryRead | undefined,
    revision: () => Promise<number>,
    load: () => Promise<DirectoryRows>,
  ): Promise<DirectoryRows> {
    const known = this.#known
    if (how !== 'anew' && known !== null && (await revision()) === known.revision) return known
    const loaded = await load()
    if (this.#known === known || loaded.revision >= (this.#known?.revision ?? 0)) this.#known = loaded
    return loaded
  }
}
