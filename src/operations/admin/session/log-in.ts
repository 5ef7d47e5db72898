/**
 * Sessions: a login with password and one-time code returns a token for half a day; proving both again allows changes
 * of money, secrets and roles for some minutes.
 */
import Type, { type Static } from 'typebox'
import { PROOF_MS } from '../../../domain/accounts/admin-user.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { hashKey, makeKey } from '../../request/api-key.ts'
import { entry } from '../endpoint/audit-entry.ts'
import { type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type Actor, type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { READERS, SECRET_INPUT, SHOWN_ONCE, TIME, USER, writeTime } from '../fields/shapes.ts'
import { proveIdentity } from './prove-identity.ts'

export const COOKIE = Type.Optional(
  Type.Boolean({
    description: 'put the token into a cookie instead of the answer, for a page of this gateway in a browser',
  }),
)

/** The token is missing if it was put into a cookie. */
export const LoggedIn = Type.Object({ user: USER, token: Type.Optional(SHOWN_ONCE), expires_at: TIME })
export const Proved = Type.Object({ proved_until: TIME })
export const PASSWORD = Type.String({ minLength: 1, maxLength: 200, ...SECRET_INPUT })

export const ONE_TIME_CODE = Type.String({
  pattern: '^ *[0-9]{3} ?[0-9]{3} *$',
  maxLength: 16,
  rule: 'must be six digits',
  ...SECRET_INPUT,
})

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

export const LOG_IN = endpoint({
  name: 'logIn',
  method: 'POST',
  path: '/session',
  summary: 'log in with a password and a one-time code; returns a token for twelve hours',
  may: 'public',
  body: { user: USER, password: PASSWORD, code: ONE_TIME_CODE, cookie: COOKIE },
  result: LoggedIn,
  run: async (tools, credentials, { address }) => {
    const { name } = await proveIdentity(tools, { ...credentials, address, token: null }, 'both')
    return openBrowserSession(tools, name)
  },
})

export const PROVE_SESSION = endpoint({
  name: 'proveSession',
  method: 'POST',
  path: '/session/proof',
  summary: 'prove password and code again, so that the session may change money, secrets and roles for ten minutes',
  may: READERS,
  clients: { may: CLIENTS, scope: 'self' },
  body: { password: PASSWORD, code: ONE_TIME_CODE },
  result: Proved,
  run: async (tools, proof, actor) => {
    requireProvable(actor)
    const { name: user, address, token } = actor
    await proveIdentity(tools, { ...proof, user, address, token }, 'both')
    return keepProof(tools, actor)
  },
})

export const LOG_OUT = endpoint({
  name: 'logOut',
  method: 'DELETE',
  path: '/session',
  summary: 'log out: revoke the token that is sent',
  may: READERS,
  clients: { may: CLIENTS, scope: 'self' },
  run: async ({ store }, _input, { name, token }) => {
    if (token === null) throw new ChangeRefused('authentication with a token is required')
    await store.change({ kind: 'remove admin token', user: name, label: token })
  },
})

const SESSION_MS = 12 * 3_600_000
const LABEL_BYTES = 6

/** The user has just proved who they are. */
export async function openBrowserSession(
  { store, clock, random }: AdminTools,
  user: string,
): Promise<Required<Static<typeof LoggedIn>>> {
  const createdAt = clock.now()
  const expiresAt = createdAt + SESSION_MS
  const label = `session ${Buffer.from(random.bytes(LABEL_BYTES)).toString('hex')}`
  const token = makeKey('admin', random)
  const session = { hash: hashKey(token), user, label, createdAt, expiresAt, provedAt: createdAt }
  await store.change({ kind: 'open session', token: session })
  return { user, token, expires_at: writeTime(expiresAt) }
}

/** Throws ChangeRefused for a token that is no session. */
export function requireProvable({ token, session }: Actor): void {
  if (session === null || token === null) throw new ChangeRefused('only a session can be proven, not another token')
}

/** The user of the session has just proved who they are again. */
export async function keepProof({ store, clock }: AdminTools, { name, token }: Actor): Promise<Static<typeof Proved>> {
  const at = clock.now()
  await store.change({ kind: 'prove session', user: name, label: token ?? '', at })
  return { proved_until: writeTime(at + PROOF_MS) }
}
