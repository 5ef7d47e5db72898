/** Registers passkeys, and logs in or proves an identity with them. */
import type { CountedAttempt } from '../../../domain/accounts/login-limits.ts'
import type { Passkey } from '../../../domain/accounts/passkey.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { entry, noEntry } from '../endpoint/audit-entry.ts'
import { type ChangeRule, type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import type { Actor, AdminTools } from '../endpoint/endpoint.ts'
import { checkName } from '../fields/label.ts'
import { accountOfUser, USERS, userRow, userToLogIn } from '../users/users.ts'
import { type Login, openSession } from './log-in.ts'
import { countAttempt, failLogin, LoginFailed, settleAttempt, unnamedAttempt } from './login-attempt.ts'
import { isOwn, requireProof } from './require-proof.ts'
import {
  authentication,
  authenticationOptions,
  checkSignature,
  readRegistration,
  registrationOptions,
  siteOf,
  takeChallenge,
} from './webauthn.ts'

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
    accounts: ({ user }, rows) => [accountOfUser(rows, user)],
    loginUser: ({ user }) => user,
    audit: ({ user, name, newName }) => entry(`passkey ${name} of user ${user}`, { name }, { name: newName }),
  },
  'remove passkeys': {
    ...USERS,
    ownRule: ({ user }, { name }) => (user === name ? OWN_PASSKEYS : undefined),
    accounts: ({ user }, rows) => [accountOfUser(rows, user)],
    loginUser: ({ user }) => user,
    audit: (change, { passkeys }) =>
      passkeys
        .filter(({ user, name }) => user === change.user && (change.name === null || name === change.name))
        .map(({ user, name }) => entry(`passkey ${name} of user ${user}`, { name }, null)),
  },
  'use passkey': { ...OWN_ACCESS, audit: noEntry },
} satisfies Changes

const WRONG = 'this passkey is not known here, or its answer is not valid: try again'

/** Throws AdminProblem, or ChangeRefused. */
export async function proposePasskey(tools: AdminTools, actor: Actor): Promise<object> {
  const own = await ownPasskeys(tools, actor)
  return registrationOptions(tools, actor, own)
}

/** Throws AdminProblem, or ChangeRefused. */
export async function addPasskey(
  tools: AdminTools,
  actor: Actor,
  { name, credential }: { readonly name: string; readonly credential: object },
): Promise<Passkey> {
  checkName('the name of a passkey', name)
  await ownPasskeys(tools, actor)
  const registered = await readRegistration(tools, actor, credential)
  if (registered === null) throw new ChangeRefused('the answer of the authenticator is not valid: try again')
  const createdAt = tools.clock.now()
  const passkey: Passkey = { ...registered, user: actor.name, name, createdAt, lastUsedAt: null }
  await tools.store.change({ kind: 'add passkey', passkey })
  return passkey
}

/** Of a user who has something to prove with, only a proven session changes passkeys. */
async function ownPasskeys({ store, clock }: AdminTools, actor: Actor): Promise<readonly Passkey[]> {
  const rows = await store.loadDirectory('anew')
  requireProof(actor, rows, 'passkeys', clock.now())
  return rows.passkeys.filter(({ user }) => user === actor.name)
}

/** Throws AdminProblem, or ChangeRefused. */
export async function renamePasskey(
  tools: AdminTools,
  actor: Actor,
  { name, newName }: { readonly name: string; readonly newName: string },
): Promise<void> {
  checkName('the name of a passkey', newName)
  await ownPasskeys(tools, actor)
  await tools.store.change({ kind: 'rename passkey', user: actor.name, name, newName })
}

/** Ends the other sessions of the user. Throws AdminProblem, or ChangeRefused. */
export async function removePasskey(tools: AdminTools, actor: Actor, name: string): Promise<void> {
  await ownPasskeys(tools, actor)
  await tools.store.change({ kind: 'remove passkeys', user: actor.name, name, keepToken: actor.token })
}

/** For users who lost a device. One's own need a proof. Throws AdminProblem or ChangeRefused. */
export async function removeAllPasskeys({ store, clock }: AdminTools, actor: Actor, name: string): Promise<void> {
  const rows = await store.loadDirectory('anew')
  const { name: user } = userRow(rows, name)
  if (isOwn(actor, user)) requireProof(actor, rows, 'passkeys', clock.now())
  const keepToken = user === actor.name ? actor.token : null
  await store.change({ kind: 'remove passkeys', user, name: null, keepToken })
}

/**
 * For a login, or for a proof if the actor has a session. Counts as an attempt of the address, or of the session, until
 * the challenge has been answered. Throws AdminProblem or ChangeRefused.
 */
export async function challengePasskey(tools: AdminTools, actor: Actor): Promise<object> {
  siteOf(actor)
  await countAttempt(tools, countedOf(actor))
  return authenticationOptions(tools, actor)
}

/** Throws AdminProblem. */
export async function logInByPasskey(
  tools: AdminTools,
  actor: Actor,
  credential: object,
): Promise<Login & { readonly user: string }> {
  const user = await provePasskey(tools, actor, credential)
  return { ...(await openSession(tools, user)), user }
}

/** Returns the name of the user. Throws AdminProblem. */
export async function provePasskey(tools: AdminTools, actor: Actor, credential: object): Promise<string> {
  const { store, clock } = tools
  const counted = countedOf(actor)
  const attempt = { counted, address: actor.address, reason: WRONG }
  // Each challenge was counted, so this limits the attempts.
  if (!(await takeChallenge(tools, authentication(actor), credential))) throw new LoginFailed(attempt)
  const rows = await store.loadDirectory('anew')
  const passkey = rows.passkeys.find(({ id }) => 'id' in credential && id === credential.id)
  const user = passkey === undefined ? undefined : userToLogIn(rows, passkey.user)
  const isOther = actor.token !== null && user?.name !== actor.name
  const counter = passkey === undefined || isOther ? null : await checkSignature(actor, credential, passkey)
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
