/** Logging in with a password and a one-time code (TOTP, RFC 6238): what a person gets for them is a token for half a day. */
import { Secret, TOTP } from 'otpauth'
import type { AdminUser } from '../../domain/admin-user.ts'
import type { Random } from '../../ports/random.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'
import { AdminProblem } from './admin-problem.ts'
import type { AdminTools } from './endpoint.ts'
import { hashPassword, isPassword } from './hash-password.ts'
import { issueToken, userRow } from './issue-token.ts'

const SESSION_MS = 12 * 3_600_000
const CODE_SECRET_BYTES = 20
/** A code of the step before or after is taken too: clocks of phones differ. */
const STEPS_AROUND = 1
const STEP_MS = 30_000

export interface Credentials {
  readonly user: string
  readonly password: string
  readonly code: string
}

export interface Login {
  readonly token: string
  readonly expiresAt: number
}

/** Throws an AdminProblem that does not say what of it was wrong. */
export async function logIn(tools: AdminTools, { user: name, password, code }: Credentials): Promise<Login> {
  const { store, clock, random, logins } = tools
  const now = clock.now()
  const waitMs = logins.waitOf(name, now)
  if (waitMs > 0)
    throw new AdminProblem(429, `too many failed logins: try again in ${Math.ceil(waitMs / 1000)} seconds`)
  logins.begin(name, now)
  const { adminUsers } = await store.loadDirectory()
  const user = adminUsers.find((each) => each.name === name && each.state === 'active')
  const isRight = await isPassword(password, user?.passwordHash ?? null)
  const step = user === undefined || user.totpSecret === null ? null : stepOfCode(user.totpSecret, code, now)
  if (!isRight || step === null || !logins.takeCode(name, step)) {
    throw new AdminProblem(401, 'user, password or code is wrong, or the user has not set up both')
  }
  logins.succeeded(name)
  const expiresAt = now + SESSION_MS
  const label = `session ${Buffer.from(random.bytes(6)).toString('hex')}`
  return { token: await issueToken(store, clock, random, { user: name, label, expiresAt }), expiresAt }
}

/** Throws a ChangeRefused. */
export async function setPassword(store: Store, random: Random, name: string, password: string): Promise<void> {
  const user = userRow(await store.loadDirectory(), name)
  await store.change({ kind: 'set admin user', user: { ...user, passwordHash: await hashPassword(password, random) } })
}

/** A new secret for codes, to be put into an authenticator; it is not kept before `keepCodes` is shown a code of it. */
export function proposeCodes(random: Random, name: string): { readonly secret: string; readonly uri: string } {
  const totp = totpOf(new Secret({ buffer: Uint8Array.from(random.bytes(CODE_SECRET_BYTES)).buffer }).base32, name)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Throws a ChangeRefused when the code is none of that secret. */
export async function keepCodes(
  { store, clock }: AdminTools,
  name: string,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<void> {
  if (stepOfCode(secret, code, clock.now()) === null) throw new ChangeRefused('the code is not of this secret and time')
  const user = userRow(await store.loadDirectory(), name)
  await store.change({ kind: 'set admin user', user: { ...user, totpSecret: secret } })
}

/** For who has lost the phone: the password alone opens nothing then. Throws a ChangeRefused. */
export async function removeCodes(store: Store, name: string): Promise<AdminUser> {
  const user = { ...userRow(await store.loadDirectory(), name), totpSecret: null }
  await store.change({ kind: 'set admin user', user })
  return user
}

/** The time step whose code it is; null for a wrong code and for a secret that is none. */
function stepOfCode(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code) || !/^[A-Z2-7]{16,64}$/.test(secret)) return null
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: STEPS_AROUND })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Posthorn', label, secret })
}
