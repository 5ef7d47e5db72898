/**
 * The directory that was read last. Most endpoints of operators read it, and with 10,000 accounts reading it takes the
 * store a tenth of a second: it is reused while its revision is the present one, and the list of prices while no price
 * changed.
 */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { Price } from '../../../domain/money/price.ts'
import type { DirectoryRead } from '../../../ports/stores/setup-store.ts'

/** A directory without prices, if their revision is the known one: there may be very many. */
interface LoadedDirectory extends Omit<DirectoryRows, 'prices'> {
  readonly priceRevision: number
  readonly prices: readonly Price[] | null
}

interface DirectoryReader {
  /** Cheap. */
  revision(): Promise<number>
  load(knownPrices: number): Promise<LoadedDirectory>
}

export class KnownDirectory {
  readonly #reader: DirectoryReader
  #known: DirectoryRows | null = null
  #prices: { readonly revision: number; readonly list: readonly Price[] } = { revision: 0, list: [] }

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
    const known = this.#prices
    const { priceRevision, prices, ...rest } = await this.#reader.load(known.revision)
    if (prices === null) return { ...rest, prices: known.list }
    if (this.#prices === known || priceRevision > this.#prices.revision) {
      this.#prices = { revision: priceRevision, list: prices }
    }
    return { ...rest, prices }
  }
}
