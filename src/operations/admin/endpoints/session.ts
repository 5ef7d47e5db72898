/** Logging in, and what everybody does for themselves: password and one-time codes. */
import Type from 'typebox'
import { ChangeRefused } from '../../../ports/store.ts'
import { endpoint } from '../endpoint.ts'
import { keepCodes, logIn, proposeCodes, removeCodes, setPassword } from '../log-in.ts'
import { NAME, OWNERS, READERS, SHOWN_ONCE, TIME, writeTime } from './shapes.ts'

const PASSWORD = Type.String({ minLength: 1, maxLength: 200 })
const CODE = Type.String({ pattern: '^[0-9]{6}$', rule: 'must be six digits' })

export const SESSION_ENDPOINTS = [
  endpoint({
    name: 'logIn',
    method: 'POST',
    path: '/session',
    summary: 'log in with a password and a one-time code; answers a token for twelve hours',
    may: 'anybody',
    body: { user: NAME, password: PASSWORD, code: CODE },
    result: Type.Object({ user: NAME, token: SHOWN_ONCE, expires_at: TIME }),
    run: async (tools, credentials) => {
      const { token, expiresAt } = await logIn(tools, credentials)
      return { user: credentials.user, token, expires_at: writeTime(expiresAt) }
    },
  }),
  endpoint({
    name: 'logOut',
    method: 'DELETE',
    path: '/session',
    summary: 'revoke the token that asks',
    may: READERS,
    run: async ({ store }, _input, { name, token }) => {
      if (token === null) throw new ChangeRefused('who asks has no token')
      await store.change({ kind: 'remove admin token', user: name, label: token })
      return undefined
    },
  }),
  endpoint({
    name: 'setPassword',
    method: 'PUT',
    path: '/me/password',
    summary: 'set your own password, 12 characters at least',
    may: READERS,
    body: { password: PASSWORD },
    run: async ({ store, random }, { password }, { name }) => {
      await setPassword(store, random, name, password)
      return undefined
    },
  }),
  endpoint({
    name: 'proposeCodes',
    method: 'POST',
    path: '/me/codes',
    summary: 'make a secret for one-time codes, to be put into an authenticator; nothing is kept yet',
    may: READERS,
    result: Type.Object({ secret: SHOWN_ONCE, uri: Type.String() }),
    run: async ({ random }, _input, { name }) => proposeCodes(random, name),
  }),
  endpoint({
    name: 'keepCodes',
    method: 'PUT',
    path: '/me/codes',
    summary: 'keep a secret for one-time codes, proven by a code of it',
    may: READERS,
    body: { secret: Type.String({ maxLength: 64 }), code: CODE },
    run: async (tools, proof, { name }) => {
      await keepCodes(tools, name, proof)
      return undefined
    },
  }),
  endpoint({
    name: 'removeCodes',
    method: 'DELETE',
    path: '/users/{user}/codes',
    command: 'user remove-codes',
    summary: 'take the one-time codes from a user who has lost the phone; the password alone opens nothing then',
    may: OWNERS,
    params: { user: NAME },
    run: async ({ store }, { user }) => {
      await removeCodes(store, user)
      return undefined
    },
  }),
]
