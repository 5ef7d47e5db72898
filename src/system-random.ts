/** The machine's secure chance. */
import { randomBytes, randomInt } from 'node:crypto'
import type { Random } from './ports/random.ts'

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  below: (limit) => randomInt(limit),
}
