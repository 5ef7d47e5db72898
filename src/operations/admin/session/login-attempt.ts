/**
 * An attempt to log in: failures count per user and address, and are logged and audited. After some of them, the next
 * attempt has to wait.
 */
import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { AdminUser } from '../../../domain/admin-user.ts'
import { ADDRESS_LIMIT, type LoginKey, USER_LIMIT } from '../../../domain/login-limits.ts'
import { AdminProblem } from '../admin-problem.ts'
import type { AdminTools } from '../endpoint.ts'

/** The login failed. `user` is null for unknown names, so that typed text is never logged. */
export class LoginFailed extends AdminProblem {
  readonly user: string | null
  readonly address: string | null

  constructor(user: string | null, address: string | null, reason: string) {
    super(401, reason)
    this.user = user
    this.address = address
  }
}

export interface LoginAttempt {
  /** What it counts under, besides the address; null for the address alone. */
  readonly userKey: LoginKey | null
  /** The user if known; null otherwise. */
  readonly user: string | null
  /** Client address; null if unknown. */
  readonly address: string | null
  /** What a failed caller reads. */
  readonly reason: string
}

export interface LoginProof {
  readonly user: AdminUser
  /** Time step of the one-time code; null without one. */
  readonly step: number | null
}

type Tools = Pick<AdminTools, 'store' | 'clock'>

/** `prove` returns null if anything is wrong. Throws LoginFailed, or AdminProblem saying how long to wait. */
export async function attemptLogin(
  tools: Tools,
  attempt: LoginAttempt,
  prove: (at: number) => Promise<LoginProof | null>,
): Promise<AdminUser> {
  const { userKey, address } = attempt
  const at = tools.clock.now()
  await countAttempt(tools, userKey, address)
  const proof = await prove(at)
  return proof !== null && (await settleAttempt(tools, proof, address)) ? proof.user : failLogin(tools, attempt)
}

/** Counts under the address, and under the user's key if given. Throws AdminProblem saying how long to wait. */
export async function countAttempt({ store, clock }: Tools, userKey: LoginKey | null, address: string | null) {
  const keys = [...(userKey === null ? [] : [userKey]), addressKey(address)]
  const waitMs = await store.change({ kind: 'count login', keys, at: clock.now() })
  if (waitMs > 0) {
    throw new AdminProblem(429, `too many failed logins: try again in ${Math.ceil(waitMs / 1000)} seconds`)
  }
}

/** Withdraws the counted attempt. Returns false if the code was used before. */
export async function settleAttempt(
  { store, clock }: Tools,
  { user, step }: LoginProof,
  address: string | null,
): Promise<boolean> {
  const settled = { user: loginKeyOf(user.name), others: [addressKey(address)], step, at: clock.now() }
  return (await store.change({ kind: 'settle login', ...settled })) === 1
}

/** Throws LoginFailed. */
export async function failLogin(
  { store }: Pick<Tools, 'store'>,
  { user, address, reason }: Omit<LoginAttempt, 'userKey'>,
): Promise<never> {
  await store.change({ kind: 'note failed login', user, address })
  throw new LoginFailed(user, address, reason)
}

/** Number of counters that unknown names and addresses share, which bounds their storage. */
const UNKNOWN_NAMES = 1_024
const ADDRESSES = 4_096
/** Counts IPv6 by networks of this size, because one customer controls all addresses below. */
const IPV6_NETWORK_BYTES = 7

/** `typed` is the name that was typed, of an existing user or not. */
export function userKeyOf(user: AdminUser | undefined, typed: string): LoginKey {
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
