/** Secrets with which reports are signed. */
import type { Random } from '../../ports/system/random.ts'

const SECRET_BYTES = 24

/** Returns `whsec_` and 24 random bytes in base64. */
export function makeHookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`
}
