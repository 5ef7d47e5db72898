/** One-time codes of authenticator apps (TOTP, RFC 6238). */
import { Secret, TOTP } from 'otpauth'
import type { Random } from '../../../ports/system/random.ts'

const SECRET_BYTES = 20
/** Also accepts the codes of the previous and the next step: phones' clocks differ. */
const STEPS_AROUND = 1
const STEP_MS = 30_000

/** Returns a new secret for an authenticator app; the caller stores it. */
export function makeCodeSecret(random: Random, user: string): { readonly secret: string; readonly uri: string } {
  const totp = totpOf(new Secret({ buffer: Uint8Array.from(random.bytes(SECRET_BYTES)).buffer }).base32, user)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Returns the time step of the code, with or without spaces; null for a wrong code or an invalid secret. */
export function timeStepOf(secret: string, code: string, now: number): number | null {
  const token = code.replace(/ /g, '')
  if (!/^\d{6}$/.test(token) || !/^[A-Z2-7]{16,64}$/.test(secret)) return null
  const delta = totpOf(secret, '').validate({ token, timestamp: now, window: STEPS_AROUND })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Posthorn', label, secret })
}
