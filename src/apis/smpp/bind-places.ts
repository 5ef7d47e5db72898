/** The places for connections of each login: as many as the login allows, over all nodes of the installation. */
import type { Cluster, NotedPlace, PlaceOrder } from '../../ports/records/cluster.ts'
import type { Log } from '../../ports/system/log.ts'

interface PlaceTools {
  /** Null if one gateway has the store for itself. */
  readonly cluster: Pick<Cluster, 'takePlace' | 'leavePlace' | 'notePlaces'> | null
  readonly log: Log
}

export class BindPlaces {
  readonly #tools: PlaceTools
  /** Without a cluster. */
  readonly #taken = new Map<string, Set<number>>()
  /** What was written of each, by its name. */
  #noted: ReadonlyMap<string, string> = new Map()

  constructor(tools: PlaceTools) {
    this.#tools = tools
  }

  /** Returns the number of a free place, from 0; null if there is none. Rejects if the store is unavailable. */
  async take(order: PlaceOrder): Promise<number | null> {
    const { cluster } = this.#tools
    if (cluster !== null) return cluster.takePlace(order)
    const { login, max } = order
    const taken = this.#taken.get(login) ?? new Set()
    // Those that were taken under a higher limit count too.
    if (taken.size >= max) return null
    let place = 0
    while (taken.has(place)) place += 1
    this.#taken.set(login, taken.add(place))
    return place
  }

  /** Writes how connections are, if other nodes can show them and they have changed. */
  async note(places: readonly NotedPlace[]): Promise<void> {
    const { cluster } = this.#tools
    if (cluster === null) return
    const known = this.#noted
    this.#noted = new Map(places.map((place) => [nameOf(place), JSON.stringify(place.facts)]))
    const changed = places.filter((place) => known.get(nameOf(place)) !== this.#noted.get(nameOf(place)))
    if (changed.length > 0) await cluster.notePlaces(changed)
  }

  leave(login: string, place: number): void {
    const { cluster, log } = this.#tools
    if (cluster !== null) {
      // The place stays taken until this node ends.
      cluster
        .leavePlace(login, place)
        .catch((error: Error) => log.error({ error, login }, 'a place was not given back'))
      return
    }
    const taken = this.#taken.get(login)
    taken?.delete(place)
    if (taken?.size === 0) this.#taken.delete(login)
  }
}

function nameOf({ login, place }: NotedPlace): string {
  return `${place} ${login}`
}
