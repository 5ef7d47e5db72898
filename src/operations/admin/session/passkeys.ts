/** Registers passkeys, and logs in or proves an identity with them. */
import Type, { type Static } from 'typebox'
import type { CountedAttempt } from '../../../domain/accounts/login-limits.ts'
import type { Passkey } from '../../../domain/accounts/passkey.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { entry, noEntry } from '../endpoint/audit-entry.ts'
import { type ChangeRule, type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type Actor, type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { userRow } from '../fields/account-row.ts'
import { checkName } from '../fields/label.ts'
import { listOf, nullable, OWNERS, READERS, SECRET_INPUT, TIME, USER, writeTime } from '../fields/shapes.ts'
import { accountOfUser, OF_USER, OWN_USER, requireOwnSecrets, USERS, userWithSecrets } from '../users/users.ts'
import { COOKIE, keepProof, LoggedIn, openBrowserSession, Proved, requireProvable } from './log-in.ts'
import { countLoginAttempt, failLogin, LoginFailed, settleAttempt, unnamedAttempt } from './login-attempt.ts'
import { isOwn, requireProof } from './require-proof.ts'
import {
  authentication,
  authenticationOptions,
  checkPasskeySignature,
  readRegistration,
  registrationOptions,
  siteOf,
  takeChallenge,
} from './webauthn.ts'

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
      id: ID,
      rawId: ID,
      type: Type.Enum(['public-key']),
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
const OWN_PASSKEYS: ChangeRule = { ...OWN_ACCESS, what: 'passkeys', proof: true }

export const PASSKEY_CHANGES = {
  'add passkey': {
    ...OWN_PASSKEYS,
    accounts: ({ passkey }, rows) => [accountOfUser(rows, passkey.user)],
    loginUser: ({ passkey }) => passkey.user,
    audit: ({ passkey: { user, name } }) => entry(`passkey ${name} of user ${user}`, null, { name }),
  },
  'rename passkey': {
    ...OWN_PASSKEYS,
    ...OF_USER,
    audit: ({ user, name, newName }) => entry(`passkey ${name} of user ${user}`, { name }, { name: newName }),
  },
  'remove passkeys': {
    ...USERS,
    ownRule: ({ user }, { name }) => (user === name ? OWN_PASSKEYS : undefined),
    ...OF_USER,
    audit: (change, { passkeys }) =>
      passkeys
        .filter(({ user, name }) => user === change.user && (change.name === null || name === change.name))
        .map(({ user, name }) => entry(`passkey ${name} of user ${user}`, { name }, null)),
  },
  'use passkey': { ...OWN_ACCESS, audit: noEntry },
} satisfies Changes

export const PASSKEY_ENDPOINTS = [
  endpoint({
    name: 'challengePasskey',
    method: 'POST',
    path: '/session/passkey/challenge',
    summary: 'begin a login with a passkey: returns what the browser asks the authenticator',
    may: 'public',
    result: OPTIONS('navigator.credentials.get'),
    run: async (tools, _input, actor) => ({ options: await challenge(tools, actor) }),
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
      requireProvable(actor)
      return { options: await challenge(tools, actor) }
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
      return openBrowserSession(tools, await provePasskey(tools, actor, credential))
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
    result: Proved,
    run: async (tools, { credential }, actor) => {
      requireProvable(actor)
      await provePasskey(tools, actor, credential)
      return keepProof(tools, actor)
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
    run: async (tools, _input, actor) => {
      const own = await ownPasskeys(tools, actor)
      return { options: await registrationOptions(tools, actor, own) }
    },
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
    run: async (tools, { name, credential }, actor) => {
      checkName('name', 'the name of a passkey', name)
      await ownPasskeys(tools, actor)
      const registered = await readRegistration(tools, actor, credential)
      if (registered === null) throw new ChangeRefused('the answer of the authenticator is not valid: try again')
      const createdAt = tools.clock.now()
      const passkey: Passkey = { ...registered, user: actor.name, name, createdAt, lastUsedAt: null }
      await tools.store.change({ kind: 'add passkey', passkey })
      return viewPasskey(passkey)
    },
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
    run: async (tools, { passkey, name: newName }, actor) => {
      checkName('name', 'the name of a passkey', newName)
      await ownPasskeys(tools, actor)
      await tools.store.change({ kind: 'rename passkey', user: actor.name, name: passkey, newName })
    },
  }),
  endpoint({
    name: 'removePasskey',
    method: 'DELETE',
    path: '/me/passkeys/{passkey}',
    summary: 'remove one of your passkeys; your other sessions end',
    may: READERS,
    clients,
    params: { passkey: PASSKEY },
    run: async (tools, { passkey: name }, actor) => {
      await ownPasskeys(tools, actor)
      await tools.store.change({ kind: 'remove passkeys', user: actor.name, name, keepToken: actor.token })
    },
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
    run: async ({ store, clock }, { user: name }, actor) => {
      const rows = await store.loadDirectory('anew')
      const { name: user } = userRow(rows, name)
      if (isOwn(actor, user)) requireProof(actor, rows, 'passkeys', clock.now())
      const keepToken = user === actor.name ? actor.token : null
      await store.change({ kind: 'remove passkeys', user, name: null, keepToken })
    },
  }),
]

const WRONG = 'this passkey is not known here, or its answer is not valid: try again'

/** Of a user who has something to prove with, only a proven session changes passkeys. */
async function ownPasskeys({ store, clock }: AdminTools, actor: Actor): Promise<readonly Passkey[]> {
  const rows = await store.loadDirectory('anew')
  requireOwnSecrets(userRow(rows, actor.name))
  requireProof(actor, rows, 'passkeys', clock.now())
  return rows.passkeys.filter(({ user }) => user === actor.name)
}

/**
 * For a login, or for a proof if the actor has a session. Counts as an attempt of the address, or of the session, until
 * the challenge has been answered. Throws AdminProblem or ChangeRefused.
 */
async function challenge(tools: AdminTools, actor: Actor): Promise<object> {
  siteOf(actor)
  await countLoginAttempt(tools, countedOf(actor))
  return authenticationOptions(tools, actor)
}

/** Returns the name of the user. Throws AdminProblem. */
async function provePasskey(tools: AdminTools, actor: Actor, credential: object): Promise<string> {
  const { store, clock } = tools
  const counted = countedOf(actor)
  const attempt = { counted, address: actor.address, reason: WRONG }
  // Each challenge was counted, so this limits the attempts.
  if (!(await takeChallenge(tools, authentication(actor), credential))) throw new LoginFailed(attempt)
  const rows = await store.loadDirectory('anew')
  const passkey = rows.passkeys.find(({ id }) => 'id' in credential && id === credential.id)
  const user = passkey === undefined ? undefined : userWithSecrets(rows, passkey.user)
  const isOther = actor.token !== null && user?.name !== actor.name
  const counter = passkey === undefined || isOther ? null : await checkPasskeySignature(actor, credential, passkey)
  const at = clock.now()
  if (passkey !== undefined && user !== undefined && counter !== null) {
    const used = await store.change({ kind: 'use passkey', id: passkey.id, counter, at })
    if (used === 1 && (await settleAttempt(tools, counted, { user, step: null }))) return user.name
  }
  return failLogin(tools, { ...attempt, counted: { ...counted, user: user?.name ?? null } })
}

function countedOf(actor: Actor): CountedAttempt {
  const attempt = unnamedAttempt(actor)
  return actor.token === null ? attempt : { ...attempt, user: actor.name }
}

function viewPasskey({ name, createdAt, lastUsedAt }: Passkey): Static<typeof PasskeyView> {
  return { name, created_at: writeTime(createdAt), last_used_at: writeTime(lastUsedAt) }
}
