/** Passkeys: login and proof with one, and what users and owners do with them. */
import Type, { type Static } from 'typebox'
import type { Passkey } from '../../../domain/accounts/passkey.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { listOf, nullable, OWNERS, READERS, SECRET_INPUT, TIME, USER, writeTime } from '../fields/shapes.ts'
import { OWN_USER } from '../users/users.ts'
import { keepProof, requireSession } from './log-in.ts'
import {
  addPasskey,
  challengePasskey,
  logInByPasskey,
  proposePasskey,
  provePasskey,
  removeAllPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys.ts'
import { COOKIE, LoggedIn } from './session-shapes.ts'

/** Bytes of a request; certificates of authenticators are not read. */
const MAX_BYTES = 32 * 1024
const MAX_ID = 1_400
const BYTES = Type.String({
  minLength: 1,
  maxLength: MAX_BYTES,
  pattern: '^[A-Za-z0-9_-]+$',
  rule: 'must be base64url',
})
const ID = Type.String({ minLength: 1, maxLength: MAX_ID, pattern: '^[A-Za-z0-9_-]+$', rule: 'must be base64url' })

const credentialOf = <Response extends Parameters<typeof Type.Object>[0]>(response: Response, whence: string) =>
  Type.Object(
    {
      ...{ id: ID, rawId: ID, type: Type.Enum(['public-key']) },
      response: Type.Object({ clientDataJSON: BYTES, ...response }),
      clientExtensionResults: Type.Optional(Type.Object({})),
    },
    { description: `toJSON() of what ${whence} returned in the browser`, ...SECRET_INPUT },
  )
const CREATED = credentialOf({ attestationObject: BYTES }, 'navigator.credentials.create')
const SIGNED = credentialOf({ authenticatorData: BYTES, signature: BYTES }, 'navigator.credentials.get')

const OPTIONS = (whence: string) =>
  Type.Object({ options: Type.Object({}, { description: `publicKey of ${whence}, in JSON; valid for five minutes` }) })

const PASSKEY = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'name of the passkey: which device has it',
  examples: ['laptop'],
})
const PasskeyView = Type.Object({ name: PASSKEY, created_at: TIME, last_used_at: nullable(TIME) })

const clients = { may: CLIENTS, scope: 'self' } as const

export const PASSKEY_ENDPOINTS = [
  endpoint({
    name: 'challengePasskey',
    method: 'POST',
    path: '/session/passkey/challenge',
    summary: 'begin a login with a passkey: returns what the browser asks the authenticator',
    may: 'public',
    result: OPTIONS('navigator.credentials.get'),
    run: async (tools, _input, actor) => ({ options: await challengePasskey(tools, actor) }),
  }),
  endpoint({
    name: 'challengeProof',
    method: 'POST',
    path: '/session/proof/passkey/challenge',
    summary: 'begin a proof with a passkey: returns what the browser asks the authenticator',
    may: READERS,
    clients,
    result: OPTIONS('navigator.credentials.get'),
    run: async (tools, _input, actor) => {
      requireSession(actor)
      return { options: await challengePasskey(tools, actor) }
    },
  }),
  endpoint({
    name: 'logInByPasskey',
    method: 'POST',
    path: '/session/passkey',
    summary: 'log in with a passkey; returns a token for twelve hours',
    may: 'public',
    maxBytes: MAX_BYTES,
    body: { credential: SIGNED, cookie: COOKIE },
    result: LoggedIn,
    run: async (tools, { credential }, actor) => {
      const { user, token, expiresAt } = await logInByPasskey(tools, actor, credential)
      return { user, token, expires_at: writeTime(expiresAt) }
    },
  }),
  endpoint({
    name: 'provePasskey',
    method: 'POST',
    path: '/session/proof/passkey',
    summary:
      'prove with a passkey who you are, so that the session may change money, secrets and roles for ten minutes',
    may: READERS,
    clients,
    maxBytes: MAX_BYTES,
    body: { credential: SIGNED },
    result: Type.Object({ proved_until: TIME }),
    run: async (tools, { credential }, actor) => {
      requireSession(actor)
      await provePasskey(tools, actor, credential)
      return { proved_until: writeTime(await keepProof(tools, actor)) }
    },
  }),
  endpoint({
    name: 'listPasskeys',
    method: 'GET',
    path: '/me/passkeys',
    summary: 'list your own passkeys',
    may: READERS,
    clients,
    result: listOf(PasskeyView),
    run: async ({ store }, _input, { name }) => {
      const { passkeys } = await store.loadDirectory('anew')
      return { data: passkeys.filter(({ user }) => user === name).map(viewPasskey) }
    },
  }),
  endpoint({
    name: 'proposePasskey',
    method: 'POST',
    path: '/me/passkeys/challenge',
    summary: 'begin to register a passkey: returns what the browser asks the authenticator',
    may: READERS,
    clients,
    result: OPTIONS('navigator.credentials.create'),
    run: async (tools, _input, actor) => ({ options: await proposePasskey(tools, actor) }),
  }),
  endpoint({
    name: 'addPasskey',
    method: 'POST',
    path: '/me/passkeys',
    summary: 'register a passkey, with which you then log in instead of password and code',
    may: READERS,
    clients,
    maxBytes: MAX_BYTES,
    body: { name: PASSKEY, credential: CREATED },
    result: PasskeyView,
    run: async (tools, input, actor) => viewPasskey(await addPasskey(tools, actor, input)),
  }),
  endpoint({
    name: 'renamePasskey',
    method: 'PATCH',
    path: '/me/passkeys/{passkey}',
    summary: 'rename one of your passkeys',
    may: READERS,
    clients,
    params: { passkey: PASSKEY },
    body: { name: PASSKEY },
    run: (tools, { passkey, name }, actor) => renamePasskey(tools, actor, { name: passkey, newName: name }),
  }),
  endpoint({
    name: 'removePasskey',
    method: 'DELETE',
    path: '/me/passkeys/{passkey}',
    summary: 'remove one of your passkeys; your other sessions end',
    may: READERS,
    clients,
    params: { passkey: PASSKEY },
    run: (tools, { passkey }, actor) => removePasskey(tools, actor, passkey),
  }),
  endpoint({
    name: 'removePasskeys',
    method: 'DELETE',
    path: '/users/{user}/passkeys',
    command: 'user remove-passkeys',
    summary: 'remove the passkeys of a user who has lost a device; all sessions of the user end',
    may: OWNERS,
    clients: OWN_USER,
    params: { user: USER },
    run: (tools, { user }, actor) => removeAllPasskeys(tools, actor, user),
  }),
]

function viewPasskey({ name, createdAt, lastUsedAt }: Passkey): Static<typeof PasskeyView> {
  return { name, created_at: writeTime(createdAt), last_used_at: writeTime(lastUsedAt) }
}
