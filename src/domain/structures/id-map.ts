/**
 * A map by id, of messages, accounts or tenants, for entries that come and go. A `Map` leaves a table behind whenever
 * it has taken as many new entries as it has room for, however many were removed; under load these tables, and what
 * they refer to, are a large part of what the collector copies to the old objects. This one keeps its table: it grows
 * when half of it is used, and is made new once it is nearly empty.
 */
import { BUCKETS } from '../ids/message-id.ts'

/** So that the usual changes of a busy gateway need no other table. */
const MIN_CAPACITY = 1_024
/** Of 2 to the power of 32, for hashes by multiplication. */
const GOLDEN_RATIO = 0x9e3779b1
/** A table with one used place of so many is too large. */
const SPARSE = 32

export class IdMap<Id extends number, Value extends NonNullable<unknown>> {
  /** The values and their ids: each at the first place of its id, or the next free one after it. */
  #values: (Value | undefined)[] = []
  #ids = new Float64Array(0)
  #last = 0
  #size = 0
  readonly #minCapacity: number

  /** `minCapacity` is a power of two. */
  constructor(minCapacity = MIN_CAPACITY) {
    this.#minCapacity = minCapacity
    this.#clear(minCapacity)
  }

  get size(): number {
    return this.#size
  }

  get(id: Id): Value | undefined {
    return this.#values[this.#placeOf(id)]
  }

  has(id: Id): boolean {
    return this.get(id) !== undefined
  }

  set(id: Id, value: Value): void {
    const place = this.#placeOf(id)
    if (this.#values[place] === undefined) this.#size += 1
    this.#ids[place] = id
    this.#values[place] = value
    if (this.#size * 2 > this.#last) this.#resize(this.#values.length * 2)
  }

  delete(id: Id): boolean {
    const place = this.#placeOf(id)
    if (this.#values[place] === undefined) return false
    this.#size -= 1
    this.#free(place)
    const capacity = this.#values.length
    const isSparse = capacity > this.#minCapacity && this.#size * SPARSE < capacity
    if (isSparse) this.#resize(Math.max(this.#minCapacity, capacity / 8))
    return true
  }

  /** In no order. */
  values(): readonly Value[] {
    return this.#values.filter((value) => value !== undefined)
  }

  /** In no order. */
  entries(): readonly (readonly [id: Id, value: Value])[] {
    return this.#values.flatMap((value, place) => {
      return value === undefined ? [] : [[this.#ids[place] as Id, value] as const]
    })
  }

  /** Returns where the entry is, or the free place where it would be. */
  #placeOf(id: Id): number {
    let place = this.#firstPlaceOf(id)
    while (this.#values[place] !== undefined && this.#ids[place] !== id) place = (place + 1) & this.#last
    return place
  }

  /**
   * Scattered by a hash: ids in a row would make long rows of used places, which a search for another id walks. Ids of
   * messages are multiples of the number of buckets, and what is beside that; others differ by one.
   */
  #firstPlaceOf(id: number): number {
    return (Math.imul(id + id / BUCKETS, GOLDEN_RATIO) >>> 8) & this.#last
  }

  /** Moves values back that are behind their first place because this one was used. */
  #free(place: number): void {
    let free = place
    for (let next = (free + 1) & this.#last; ; next = (next + 1) & this.#last) {
      const value = this.#values[next]
      if (value === undefined) break
      const id = this.#ids[next] ?? 0
      const first = this.#firstPlaceOf(id)
      if (((next - first) & this.#last) < ((next - free) & this.#last)) continue
      this.#values[free] = value
      this.#ids[free] = id
      free = next
    }
    this.#values[free] = undefined
  }

  #resize(capacity: number): void {
    const values = this.#values
    const ids = this.#ids
    this.#clear(capacity)
    values.forEach((value, place) => {
      if (value !== undefined) this.set(ids[place] as Id, value)
    })
  }

  #clear(capacity: number): void {
    this.#values = new Array<Value | undefined>(capacity).fill(undefined)
    this.#ids = new Float64Array(capacity)
    this.#last = capacity - 1
    this.#size = 0
  }
}
