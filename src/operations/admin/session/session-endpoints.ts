/** Login, and what users change themselves: password and one-time codes. */
import Type from 'typebox'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { OWNERS, READERS, SECRET_INPUT, SHOWN_ONCE, TIME, USER, writeTime } from '../fields/shapes.ts'
import { OWN_USER } from '../users/users.ts'
import { logIn, proveSession } from './log-in.ts'
import { makeCodeSecret } from './one-time-codes.ts'
import { COOKIE, LoggedIn } from './session-shapes.ts'
import { keepCodes, removeCodes, setPassword } from './set-secrets.ts'
import { issueSignInLink, logInByLink } from './sign-in-link.ts'

const PASSWORD = Type.String({ minLength: 1, maxLength: 200, ...SECRET_INPUT })
const CODE = Type.String({
  pattern: '^ *[0-9]{3} ?[0-9]{3} *$',
  maxLength: 16,
  rule: 'must be six digits',
  ...SECRET_INPUT,
})

/** Required if set. */
const CURRENT = { current_password: Type.Optional(PASSWORD), current_code: Type.Optional(CODE) }

export const SESSION_ENDPOINTS = [
  endpoint({
    name: 'logIn',
    method: 'POST',
    path: '/session',
    summary: 'log in with a password and a one-time code; returns a token for twelve hours',
    may: 'public',
    body: { user: USER, password: PASSWORD, code: CODE, cookie: COOKIE },
    result: LoggedIn,
    run: async (tools, credentials, { address }) => {
      const { token, expiresAt } = await logIn(tools, { ...credentials, address })
      return { user: credentials.user, token, expires_at: writeTime(expiresAt) }
    },
  }),
  endpoint({
    name: 'logInByLink',
    method: 'POST',
    path: '/session/link',
    summary: 'log in with the token of a sign-in link, which is valid once; returns a token for twelve hours',
    may: 'public',
    body: { token: Type.String({ minLength: 1, maxLength: 600, ...SECRET_INPUT }), cookie: COOKIE },
    result: LoggedIn,
    run: async (tools, { token }, { address }) => {
      const login = await logInByLink(tools, { token, address })
      return { user: login.user, token: login.token, expires_at: writeTime(login.expiresAt) }
    },
  }),
  endpoint({
    name: 'issueSignInLink',
    method: 'POST',
    path: '/users/{user}/sign-in-links',
    ownCommand: 'console',
    summary: 'create a link to the console that logs in a user once, within ten minutes',
    may: OWNERS,
    clients: OWN_USER,
    params: { user: USER },
    result: Type.Object({ user: USER, path: SHOWN_ONCE, expires_at: TIME }),
    run: async (tools, { user }, actor) => {
      const { path, expiresAt } = await issueSignInLink(tools, actor, user)
      return { user, path, expires_at: writeTime(expiresAt) }
    },
  }),
  endpoint({
    name: 'proveSession',
    method: 'POST',
    path: '/session/proof',
    summary: 'prove password and code again, so that the session may change money, secrets and roles for ten minutes',
    may: READERS,
    clients: { may: CLIENTS, scope: 'self' },
    body: { password: PASSWORD, code: CODE },
    result: Type.Object({ proved_until: TIME }),
    run: async (tools, proof, actor) => ({ proved_until: writeTime(await proveSession(tools, actor, proof)) }),
  }),
  endpoint({
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
  }),
  endpoint({
    name: 'setPassword',
    method: 'PUT',
    path: '/me/password',
    summary: 'set your own password, 12 characters at least; your other tokens and sessions end',
    may: READERS,
    clients: { may: CLIENTS, scope: 'self' },
    body: { password: PASSWORD, ...CURRENT },
    run: (tools, input, actor) => setPassword(tools, actor, input),
  }),
  endpoint({
    name: 'proposeCodes',
    method: 'POST',
    path: '/me/codes',
    summary: 'create a secret for one-time codes, for an authenticator app; it is not stored yet',
    may: READERS,
    clients: { may: CLIENTS, scope: 'self' },
    result: Type.Object({ secret: SHOWN_ONCE, uri: Type.String() }),
    run: async ({ random }, _input, { name }) => makeCodeSecret(random, name),
  }),
  endpoint({
    name: 'keepCodes',
    method: 'PUT',
    path: '/me/codes',
    summary: 'store a secret for one-time codes, proven by one of its codes; your other tokens and sessions end',
    may: READERS,
    clients: { may: CLIENTS, scope: 'self' },
    body: { secret: Type.String({ maxLength: 64, ...SECRET_INPUT }), code: CODE, ...CURRENT },
    run: (tools, input, actor) => keepCodes(tools, actor, input),
  }),
  endpoint({
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
    run: (tools, { user }, actor) => removeCodes(tools, actor, user),
  }),
]
