/** Secure random bytes of the machine, drawn in blocks, because each draw is a system call. */
import { randomFillSync, randomInt } from 'node:crypto'
import type { Random } from '../../ports/system/random.ts'

const pool = new Uint8Array(4_096)
let used = pool.length

export const systemRandom: Random = {
  bytes: (count) => {
    if (count > pool.length) return randomFillSync(new Uint8Array(count))
    if (used + count > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const drawn = pool.slice(used, used + count)
    // Erases the bytes that were returned.
    pool.fill(0, used, used + count)
    used += count
    return drawn
  },
  below: (limit) => randomInt(limit),
}
