/**
 * An attempt to log in, or to prove who uses a session: failures are counted, logged and audited. After some of them,
 * the next attempt has to wait.
 */
import ipaddr from 'ipaddr.js'
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import type { CountedAttempt } from '../../../domain/accounts/login-limits.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { entry, noEntry } from '../endpoint/audit-entry.ts'
import { type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import type { Actor, AdminTools } from '../endpoint/endpoint.ts'

export const ATTEMPT_CHANGES = {
  'count login': { ...OWN_ACCESS, audit: noEntry },
  'settle login': { ...OWN_ACCESS, audit: noEntry },
  'note failed login': {
    ...OWN_ACCESS,
    loginUser: ({ user }) => user,
    audit: ({ user }) =>
      entry(user === null ? 'login of an unknown user' : `login of user ${user}`, null, { failed: true }),
  },
} satisfies Changes

/**
 * The login or the proof failed. A proof is refused with 422: its session is valid, which 401 would deny. `user` is
 * null for unknown names, so that typed text is never logged.
 */
export class LoginFailed extends AdminProblem {
  readonly user: string | null
  readonly address: string | null
  /** For the log. */
  readonly line: string

  constructor({ counted, address, reason }: LoginAttempt) {
    super(counted.token === null ? 401 : 422, reason)
    this.user = counted.user
    this.address = address
    this.line = counted.token === null ? 'login failed' : 'proof of identity failed'
  }
}

export interface LoginAttempt {
  readonly counted: CountedAttempt
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
  const at = tools.clock.now()
  await countLoginAttempt(tools, attempt.counted)
  const proof = await prove(at)
  return proof !== null && (await settleAttempt(tools, attempt.counted, proof)) ? proof.user : failLogin(tools, attempt)
}

/** Throws AdminProblem saying how long to wait. */
export async function countLoginAttempt({ store, clock }: Tools, attempt: CountedAttempt): Promise<void> {
  const waitMs = await store.change({ kind: 'count login', attempt, at: clock.now() })
  if (waitMs > 0) {
    throw new AdminProblem(429, `too many failed logins: try again in ${Math.ceil(waitMs / 1000)} seconds`)
  }
}

/** Withdraws the counted attempt. Returns false if the code was used before. */
export async function settleAttempt(
  { store, clock }: Tools,
  attempt: CountedAttempt,
  { user, step }: LoginProof,
): Promise<boolean> {
  return (await store.change({ kind: 'settle login', user: user.name, attempt, step, at: clock.now() })) === 1
}

/** Throws LoginFailed. */
export async function failLogin({ store }: Pick<Tools, 'store'>, attempt: LoginAttempt): Promise<never> {
  await store.change({ kind: 'note failed login', user: attempt.counted.user })
  throw new LoginFailed(attempt)
}

/** Counts IPv6 by networks of this size, because one customer controls all addresses below. */
const IPV6_NETWORK_BYTES = 7

/** An attempt that names no user before it is right: with a link or a passkey. */
export function unnamedAttempt({ address, token }: Pick<Actor, 'address' | 'token'>): CountedAttempt {
  return { user: null, typed: null, network: networkOf(address), token }
}

export function networkOf(address: string | null): string {
  const plain = (address ?? '').replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return plain
  const ip = ipaddr.process(plain)
  return ip.kind() === 'ipv4' ? ip.toString() : ip.toByteArray().slice(0, IPV6_NETWORK_BYTES).join('.')
}
