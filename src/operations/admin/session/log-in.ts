/**
 * Sessions: a login with password and one-time code returns a token for half a day; proving both again allows changes
 * of money, secrets and roles for some minutes.
 */
import { PROOF_MS } from '../../../domain/admin-user.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { hashKey, makeKey } from '../../api-key.ts'
import type { Actor, AdminTools } from '../endpoint.ts'
import { type Claim, proveIdentity } from './prove-identity.ts'

const SESSION_MS = 12 * 3_600_000
const LABEL_BYTES = 6

export interface Login {
  readonly token: string
  readonly expiresAt: number
}

/** Throws AdminProblem without saying which part was wrong. */
export async function logIn(tools: AdminTools, claim: Claim): Promise<Login> {
  const { name } = await proveIdentity(tools, claim, 'both')
  return openSession(tools, name, tools.clock.now())
}

/** `provedAt`: when the user proved password and code, milliseconds; null for a session that needs no such proof. */
export async function openSession(
  { store, clock, random }: AdminTools,
  user: string,
  provedAt: number | null,
): Promise<Login> {
  const createdAt = clock.now()
  const expiresAt = createdAt + SESSION_MS
  const label = `session ${Buffer.from(random.bytes(LABEL_BYTES)).toString('hex')}`
  const token = makeKey('admin', random)
  const session = { hash: hashKey(token), user, label, createdAt, expiresAt, provedAt }
  await store.change({ kind: 'open session', token: session })
  return { token, expiresAt }
}

/** Returns when the proof expires. Throws AdminProblem or ChangeRefused. */
export async function proveSession(
  tools: AdminTools,
  { name, token, session, address }: Actor,
  { password, code }: Pick<Claim, 'password' | 'code'>,
): Promise<number> {
  if (session === null || token === null) throw new ChangeRefused('only a session can be proven, not another token')
  await proveIdentity(tools, { user: name, password, code, address }, 'both')
  const at = tools.clock.now()
  await tools.store.change({ kind: 'prove session', user: name, label: token, at })
  return at + PROOF_MS
}
