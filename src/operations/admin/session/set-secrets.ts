/**
 * Sets a user's password and one-time codes. Requires the present ones with any token, so that a stolen token cannot
 * take over the user. Ends all other tokens and sessions of the user.
 */
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { AdminProblem, type FieldError } from '../endpoint/admin-problem.ts'
import { entry } from '../endpoint/audit-entry.ts'
import { type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import type { Actor, AdminTools } from '../endpoint/endpoint.ts'
import { accountOfUser, auditedUser, USERS, userRow } from '../users/users.ts'
import { hashPassword } from './hash-password.ts'
import { stepOfCode } from './one-time-codes.ts'
import { proveIdentity } from './prove-identity.ts'
import { isOwn, requireProof } from './require-proof.ts'

export const SECRET_CHANGES = {
  'set admin secrets': {
    ...USERS,
    // Proven in the same request.
    ownRule: ({ user }, { name }) => (user === name ? OWN_ACCESS : undefined),
    accounts: ({ user }, rows) => [accountOfUser(rows, user)],
    loginUser: ({ user }) => user,
    audit: ({ user, passwordHash, totpSecret, keepToken }, rows) => {
      const before = rows.adminUsers.find(({ name }) => name === user)
      if (before === undefined) return []
      const ended = rows.adminTokens.filter((token) => token.user === user && token.label !== keepToken)
      const after = { ...auditedUser({ ...before, passwordHash, totpSecret }), secrets_changed: true }
      return entry(`user ${user}`, auditedUser(before), { ...after, tokens_ended: ended.map(({ label }) => label) })
    },
  },
} satisfies Changes

/** The present secrets; undefined if not sent. */
export interface CurrentSecrets {
  readonly current_password?: string | undefined
  readonly current_code?: string | undefined
}

/** Throws ChangeRefused, or AdminProblem if the present secrets are missing or wrong. */
export async function setPassword(
  tools: AdminTools,
  actor: Actor,
  { password, ...current }: CurrentSecrets & { readonly password: string },
): Promise<void> {
  const passwordHash = await hashPassword(password, tools.random, tools.passwordLogN)
  const { name: user, totpSecret } = await proveOwn(tools, actor, current)
  await tools.store.change({ kind: 'set admin secrets', user, passwordHash, totpSecret, keepToken: actor.token })
}

/** Throws ChangeRefused if the code does not match the secret, or AdminProblem as above. */
export async function keepCodes(
  tools: AdminTools,
  actor: Actor,
  { secret, code, ...current }: CurrentSecrets & { readonly secret: string; readonly code: string },
): Promise<void> {
  const step = stepOfCode(secret, code, tools.clock.now())
  if (step === null) {
    throw new ChangeRefused('the code does not match this secret and time')
  }
  const { name: user, passwordHash } = await proveOwn(tools, actor, current)
  const change = { user, passwordHash, totpSecret: secret, keepToken: actor.token, usedCode: step }
  await tools.store.change({ kind: 'set admin secrets', ...change })
}

/**
 * For users who lost their phone: they cannot log in with the password alone. One's own codes need a proof, as without
 * them nothing asks for one. Throws AdminProblem or ChangeRefused.
 */
export async function removeCodes({ store, clock }: AdminTools, actor: Actor, name: string): Promise<void> {
  const rows = await store.loadDirectory()
  const { passwordHash, totpSecret } = userRow(rows, name)
  if (isOwn(actor, name)) {
    // They protect the password that is not set yet.
    if (passwordHash === null && totpSecret !== null) throw new ChangeRefused('set a password before you remove codes')
    requireProof(actor, rows, 'your own codes', clock.now())
  }
  const keepToken = name === actor.name ? actor.token : null
  await store.change({ kind: 'set admin secrets', user: name, passwordHash, totpSecret: null, keepToken })
}

async function proveOwn(tools: AdminTools, actor: Actor, current: CurrentSecrets): Promise<AdminUser> {
  const { name, address, token } = actor
  const rows = await tools.store.loadDirectory()
  const user = userRow(rows, name)
  const { current_password: password, current_code: code } = current
  const missing: readonly FieldError[] = [
    ...(user.passwordHash !== null && password === undefined
      ? [{ field: 'current_password', detail: 'required' }]
      : []),
    ...(user.totpSecret !== null && code === undefined ? [{ field: 'current_code', detail: 'required' }] : []),
  ]
  if (missing.length > 0) throw new AdminProblem(400, 'current_password and current_code are required, if set', missing)
  if (user.passwordHash === null && user.totpSecret === null) {
    requireProof(actor, rows, 'password and codes', tools.clock.now())
    return user
  }
  const claim = { user: name, password: password ?? '', code: code ?? '', address, token }
  return proveIdentity(tools, claim, 'what is set')
}
