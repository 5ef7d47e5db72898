/**
 * The directory that was read last. Most endpoints of operators read it, and with 10,000 accounts reading it takes the
 * store a tenth of a second: it is reused while its revision is the present one, and each of its long lists while none
 * of its items changed.
 */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { DirectoryRead } from '../../../ports/stores/setup-store.ts'
import { runInSlices } from '../../../ports/system/slices.ts'
import { type Pieces, readPieces } from '../cells/pieces.ts'
import type { LongList } from '../sealing/seal-secrets.ts'
import { LONG_LISTS } from './directory-tables.ts'

export type ListRevisions = Readonly<Record<LongList, number>>

/** A directory whose long lists have rows only if their revision differs from the known one. */
export interface LoadedDirectory extends Omit<DirectoryRows, LongList> {
  readonly lists: Readonly<Record<LongList, { readonly revision: number; readonly rows: Pieces | null }>>
}

interface DirectoryReader {
  /** Cheap. */
  revision(): Promise<number>
  load(known: ListRevisions): Promise<LoadedDirectory>
}

interface KnownList {
  readonly revision: number
  readonly items: readonly unknown[]
}

const NOTHING: KnownList = { revision: 0, items: [] }

export class KnownDirectory {
  readonly #reader: DirectoryReader
  #known: DirectoryRows | null = null
  readonly #lists: Record<LongList, KnownList> = { prices: NOTHING, costs: NOTHING }

  constructor(reader: DirectoryReader) {
    this.#reader = reader
  }

  async read(how: DirectoryRead | undefined): Promise<DirectoryRows> {
    const known = this.#known
    if (how !== 'anew' && known !== null && (await this.#reader.revision()) === known.revision) return known
    const loaded = await this.#load()
    if (this.#known === known || loaded.revision >= (this.#known?.revision ?? 0)) this.#known = loaded
    return loaded
  }

  async #load(): Promise<DirectoryRows> {
    const known = { ...this.#lists }
    const { prices, costs } = known
    const { lists, ...rest } = await this.#reader.load({ prices: prices.revision, costs: costs.revision })
    const list = async (name: LongList) => {
      const { revision, rows } = lists[name]
      if (rows === null) return known[name].items
      const items = await runInSlices(readPieces<unknown>(rows, LONG_LISTS[name].table.read))
      if (this.#lists[name] === known[name] || revision > this.#lists[name].revision) {
        this.#lists[name] = { revision, items }
      }
      return items
    }
    return { ...rest, prices: await list('prices'), costs: await list('costs') } as DirectoryRows
  }
}
