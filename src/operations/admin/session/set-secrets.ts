/**
 * Sets a user's password and one-time codes. Requires the present ones with any token, so that a stolen token cannot
 * take over the user. Ends all other tokens and sessions of the user.
 */
import Type from 'typebox'
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { entry } from '../endpoint/audit-entry.ts'
import { type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type Actor, type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { userRow } from '../fields/account-row.ts'
import type { FieldError } from '../fields/field-refused.ts'
import { OWNERS, READERS, SECRET_INPUT, SHOWN_ONCE, USER } from '../fields/shapes.ts'
import { auditedUser, OF_USER, OWN_USER, requireOwnSecrets, USERS } from '../users/users.ts'
import { hashPassword } from './hash-password.ts'
import { ONE_TIME_CODE, PASSWORD } from './log-in.ts'
import { makeCodeSecret, timeStepOf } from './one-time-codes.ts'
import { proveIdentity } from './prove-identity.ts'
import { isOwn, requireProof } from './require-proof.ts'

/** Required if set. */
const CURRENT = { current_password: Type.Optional(PASSWORD), current_code: Type.Optional(ONE_TIME_CODE) }

export const SECRET_CHANGES = {
  'set admin secrets': {
    ...USERS,
    // Proven in the same request.
    ownRule: ({ user }, { name }) => (user === name ? OWN_ACCESS : undefined),
    ...OF_USER,
    audit: ({ user, passwordHash, totpSecret, keepToken }, rows) => {
      const before = rows.adminUsers.find(({ name }) => name === user)
      if (before === undefined) return []
      const ended = rows.adminTokens.filter((token) => token.user === user && token.label !== keepToken)
      const after = { ...auditedUser({ ...before, passwordHash, totpSecret }), secrets_changed: true }
      return entry(`user ${user}`, auditedUser(before), { ...after, tokens_ended: ended.map(({ label }) => label) })
    },
  },
} satisfies Changes

export const SET_PASSWORD = endpoint({
  name: 'setPassword',
  method: 'PUT',
  path: '/me/password',
  summary: 'set your own password, 12 characters at least; your other tokens and sessions end',
  may: READERS,
  clients: { may: CLIENTS, scope: 'self' },
  body: { password: PASSWORD, ...CURRENT },
  run: async (tools, { password, ...current }, actor) => {
    const passwordHash = await hashPassword(password, tools.random, tools.passwordLogN)
    const { name: user, totpSecret } = await proveOwn(tools, actor, current)
    await tools.store.change({ kind: 'set admin secrets', user, passwordHash, totpSecret, keepToken: actor.token })
  },
})

export const PROPOSE_CODES = endpoint({
  name: 'proposeCodes',
  method: 'POST',
  path: '/me/codes',
  summary: 'create a secret for one-time codes, for an authenticator app; it is not stored yet',
  may: READERS,
  clients: { may: CLIENTS, scope: 'self' },
  result: Type.Object({ secret: SHOWN_ONCE, uri: Type.String() }),
  run: async ({ random }, _input, { name }) => makeCodeSecret(random, name),
})

export const KEEP_CODES = endpoint({
  name: 'keepCodes',
  method: 'PUT',
  path: '/me/codes',
  summary: 'store a secret for one-time codes, proven by one of its codes; your other tokens and sessions end',
  may: READERS,
  clients: { may: CLIENTS, scope: 'self' },
  body: { secret: Type.String({ maxLength: 64, ...SECRET_INPUT }), code: ONE_TIME_CODE, ...CURRENT },
  run: async (tools, { secret, code, ...current }, actor) => {
    const step = timeStepOf(secret, code, tools.clock.now())
    if (step === null) throw new ChangeRefused('the code does not match this secret and time')
    const { name: user, passwordHash } = await proveOwn(tools, actor, current)
    const change = { user, passwordHash, totpSecret: secret, keepToken: actor.token, usedCode: step }
    await tools.store.change({ kind: 'set admin secrets', ...change })
  },
})

export const REMOVE_CODES = endpoint({
  name: 'removeCodes',
  method: 'DELETE',
  path: '/users/{user}/codes',
  command: 'user remove-codes',
  summary:
    'remove the one-time codes of a user who has lost the phone; the user cannot log in then, and all tokens and ' +
    'sessions of the user end',
  may: OWNERS,
  clients: OWN_USER,
  params: { user: USER },
  run: async ({ store, clock }, { user }, actor) => {
    const rows = await store.loadDirectory()
    const { passwordHash, totpSecret } = userRow(rows, user)
    // Without one's own codes nothing asks for a proof.
    if (isOwn(actor, user)) {
      // They protect the password that is not set yet.
      if (passwordHash === null && totpSecret !== null) {
        throw new ChangeRefused('set a password before you remove codes')
      }
      requireProof(actor, rows, 'your own codes', clock.now())
    }
    const keepToken = user === actor.name ? actor.token : null
    await store.change({ kind: 'set admin secrets', user, passwordHash, totpSecret: null, keepToken })
  },
})

/** The present secrets; undefined if not sent. */
interface CurrentSecrets {
  readonly current_password?: string | undefined
  readonly current_code?: string | undefined
}

async function proveOwn(tools: AdminTools, actor: Actor, current: CurrentSecrets): Promise<AdminUser> {
  const { name, address, token } = actor
  const rows = await tools.store.loadDirectory()
  const user = userRow(rows, name)
  requireOwnSecrets(user)
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
