/** Chance that is the same in every run of a test. */
import type { Random } from '../../src/ports/system/random.ts'

/** Mulberry32: 32 bits of state, one step a number. */
export class SeededRandom implements Random {
  #state: number

  constructor(seed = 1) {
    this.#state = seed
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256))
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}
