/**
 * Proves a user's identity by password and one-time code: to log in, to confirm a session, to set a new password.
 * Failures count per user and address, and are logged and audited; a code is accepted once.
 */
import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { AdminUser } from '../../../domain/admin-user.ts'
import { ADDRESS_LIMIT, type LoginKey, USER_LIMIT } from '../../../domain/login-limits.ts'
import { AdminProblem } from '../admin-problem.ts'
import type { AdminTools } from '../endpoint.ts'
import { isPassword } from './hash-password.ts'
import { stepOfCode } from './one-time-codes.ts'

export interface Claim {
  /** As typed. */
  readonly user: string
  readonly password: string
  /** Empty if absent. */
  readonly code: string
  /** Client address; null if unknown. */
  readonly address: string | null
}

/** A password or code was wrong. `user` is null for unknown names, so that typed text is never logged. */
export class LoginFailed extends AdminProblem {
  readonly user: string | null
  readonly address: string | null

  constructor(user: string | null, address: string | null) {
    super(401, 'user, password or code is wrong, or the user has not set up both')
    this.user = user
    this.address = address
  }
}

/** Number of counters that unknown names and addresses share, which bounds their storage. */
const UNKNOWN_NAMES = 1_024
const ADDRESSES = 4_096
/** Counts IPv6 by networks of this size, because one customer controls all addresses below. */
const IPV6_NETWORK_BYTES = 7

/**
 * `wanted`: `both` refuses users without a password or codes; `what is set` checks what the user has. Throws
 * AdminProblem without saying which part was wrong, or saying how long to wait.
 */
export async function proveIdentity(
  { store, clock }: AdminTools,
  claim: Claim,
  wanted: 'both' | 'what is set',
): Promise<AdminUser> {
  const { address } = claim
  const { adminUsers } = await store.loadDirectory()
  const user = adminUsers.find(({ name, state }) => name === claim.user && state === 'active')
  const at = clock.now()
  const userKey = userKeyOf(user, claim.user)
  const others = [addressKey(address)]
  const waitMs = await store.change({ kind: 'count login', keys: [userKey, ...others], at })
  if (waitMs > 0) {
    throw new AdminProblem(429, `too many failed logins: try again in ${Math.ceil(waitMs / 1000)} seconds`)
  }
  const proof = await check(user, claim, wanted, at)
  if (user !== undefined && proof !== null) {
    const taken = await store.change({ kind: 'settle login', user: userKey, others, step: proof.step, at })
    if (taken === 1) return user
  }
  await store.change({ kind: 'note failed login', user: user?.name ?? null, address })
  throw new LoginFailed(user?.name ?? null, address)
}

/** Returns the time step of the code, null without codes; null instead of the object if anything is wrong. */
async function check(
  user: AdminUser | undefined,
  { password, code }: Claim,
  wanted: 'both' | 'what is set',
  at: number,
) {
  const { passwordHash = null, totpSecret = null } = user ?? {}
  const step = totpSecret === null ? null : stepOfCode(totpSecret, code, at)
  const needsPassword = wanted === 'both' || passwordHash !== null
  // Always does the same work, against timing attacks.
  const isRight = await isPassword(password, passwordHash)
  const hasCode = step !== null || (wanted === 'what is set' && totpSecret === null)
  return (isRight || !needsPassword) && hasCode ? { step } : null
}

function userKeyOf(user: AdminUser | undefined, typed: string): LoginKey {
  if (user !== undefined) return loginKeyOf(user.name)
  return { name: `unknown user ${bucketOf(typed, UNKNOWN_NAMES)}`, limit: USER_LIMIT }
}

/** Returns what the logins and codes of an existing user are counted under. */
export function loginKeyOf(user: string): LoginKey {
  return { name: `user ${user}`, limit: USER_LIMIT }
}

function addressKey(address: string | null): LoginKey {
  const network = address === null ? '' : networkOf(address)
  return { name: `address ${bucketOf(network, ADDRESSES)}`, limit: ADDRESS_LIMIT }
}

function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return plain
  const ip = ipaddr.process(plain)
  return ip.kind() === 'ipv4' ? ip.toString() : ip.toByteArray().slice(0, IPV6_NETWORK_BYTES).join('.')
}

function bucketOf(text: string, buckets: number): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) % buckets
}
