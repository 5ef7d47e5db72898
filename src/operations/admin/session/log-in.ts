/**
 * Sessions: a login with password and one-time code returns a token for half a day; proving both again allows changes
 * of money, secrets and roles for some minutes.
 */
import { PROOF_MS } from '../../../domain/accounts/admin-user.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { hashKey, makeKey } from '../../request/api-key.ts'
import { entry } from '../endpoint/audit-entry.ts'
import { type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import type { Actor, AdminTools } from '../endpoint/endpoint.ts'
import { writeTime } from '../fields/shapes.ts'
import { type Claim, proveIdentity } from './prove-identity.ts'

export const SESSION_CHANGES = {
  'open session': {
    ...OWN_ACCESS,
    loginUser: ({ token }) => token.user,
    audit: ({ token: { user, label, expiresAt } }) =>
      entry(`token ${label} of user ${user}`, null, { label, expires_at: writeTime(expiresAt) }),
  },
  'prove session': {
    ...OWN_ACCESS,
    loginUser: ({ user }) => user,
    audit: ({ user, label }) => entry(`token ${label} of user ${user}`, null, { proved: true }),
  },
} satisfies Changes

const SESSION_MS = 12 * 3_600_000
const LABEL_BYTES = 6

export interface Login {
  readonly token: string
  readonly expiresAt: number
}

/** Throws AdminProblem without saying which part was wrong. */
export async function logIn(tools: AdminTools, claim: Omit<Claim, 'token'>): Promise<Login> {
  const { name } = await proveIdentity(tools, { ...claim, token: null }, 'both')
  return openSession(tools, name)
}

/** The user has just proved who they are. */
export async function openSession({ store, clock, random }: AdminTools, user: string): Promise<Login> {
  const createdAt = clock.now()
  const expiresAt = createdAt + SESSION_MS
  const label = `session ${Buffer.from(random.bytes(LABEL_BYTES)).toString('hex')}`
  const token = makeKey('admin', random)
  const session = { hash: hashKey(token), user, label, createdAt, expiresAt, provedAt: createdAt }
  await store.change({ kind: 'open session', token: session })
  return { token, expiresAt }
}

/** Returns when the proof expires. Throws AdminProblem or ChangeRefused. */
export async function proveSession(
  tools: AdminTools,
  actor: Actor,
  { password, code }: Pick<Claim, 'password' | 'code'>,
): Promise<number> {
  requireSession(actor)
  const { name: user, address, token } = actor
  await proveIdentity(tools, { user, password, code, address, token }, 'both')
  return keepProof(tools, actor)
}

/** Throws ChangeRefused. */
export function requireSession({ token, session }: Actor): void {
  if (session === null || token === null) throw new ChangeRefused('only a session can be proven, not another token')
}

/** Returns when the proof expires. */
export async function keepProof({ store, clock }: AdminTools, { name, token }: Actor): Promise<number> {
  const at = clock.now()
  await store.change({ kind: 'prove session', user: name, label: token ?? '', at })
  return at + PROOF_MS
}
