/** Secrets by which clients verify reports: Standard Webhooks 1.0, symmetric. */
import type { Random } from '../../../ports/random.ts'

const SECRET_BYTES = 24

/** `whsec_` and the base64 of 24 random bytes. */
export function makeHookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`
}
