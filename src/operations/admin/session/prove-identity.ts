/**
 * Proves a user's identity by password and one-time code: to log in, to confirm a session, to set a new password. A
 * code is accepted once.
 */
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import type { AdminTools } from '../endpoint/endpoint.ts'
import { userWithSecrets } from '../users/users.ts'
import { isPassword } from './hash-password.ts'
import { attemptLogin, networkOf } from './login-attempt.ts'
import { timeStepOf } from './one-time-codes.ts'

export interface IdentityClaim {
  /** As typed. */
  readonly user: string
  readonly password: string
  /** Empty if absent. */
  readonly code: string
  /** Client address; null if unknown. */
  readonly address: string | null
  /** Label of the token whose holder proves who they are; null to log in. */
  readonly token: string | null
}

const LOGIN_FAILED = 'user, password or code is wrong, or the user has not set up both'
const PROOF_FAILED =
  'password or code is wrong. A code is valid once and for a short time: wait until the app shows the next one'

/**
 * `wanted`: `both` refuses users without a password or codes; `what is set` checks what the user has. Throws
 * AdminProblem without saying which part was wrong, or saying how long to wait.
 */
export async function proveIdentity(
  tools: AdminTools,
  claim: IdentityClaim,
  wanted: 'both' | 'what is set',
): Promise<AdminUser> {
  const user = userWithSecrets(await tools.store.loadDirectory(), claim.user)
  const { address, token } = claim
  const counted = { user: user?.name ?? null, typed: claim.user, network: networkOf(address), token }
  const reason = token === null ? LOGIN_FAILED : PROOF_FAILED
  return attemptLogin(tools, { counted, address, reason }, async (at) => {
    const proof = await check({ user, passwordLogN: tools.passwordLogN }, claim, wanted, at)
    return user === undefined || proof === null ? null : { user, step: proof.step }
  })
}

/** Returns the time step of the code, null without codes; null instead of the object if anything is wrong. */
async function check(
  { user, passwordLogN }: { readonly user: AdminUser | undefined } & Pick<AdminTools, 'passwordLogN'>,
  { password, code }: IdentityClaim,
  wanted: 'both' | 'what is set',
  at: number,
) {
  const { passwordHash = null, totpSecret = null } = user ?? {}
  const step = totpSecret === null ? null : timeStepOf(totpSecret, code, at)
  const needsPassword = wanted === 'both' || passwordHash !== null
  // Always does the same work, against timing attacks.
  const isRight = await isPassword(password, passwordHash, passwordLogN)
  const hasCode = step !== null || (wanted === 'what is set' && totpSecret === null)
  return (isRight || !needsPassword) && hasCode ? { step } : null
}
