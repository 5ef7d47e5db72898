/**
 * Sign-in links: an owner, or who has access to the data folder, makes one for a user, who is logged in by it once. The
 * token is in the fragment of the address, which browsers send to no server.
 */
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import type { Actor, AdminTools } from '../endpoint/endpoint.ts'
import { writeTime } from '../fields/shapes.ts'
import { accountOfUser, USERS, userRow, userToLogIn } from '../users/users.ts'
import { type Login, openSession } from './log-in.ts'
import { attemptLogin, unnamedAttempt } from './login-attempt.ts'
import { hashOneTimeToken } from './one-time-token.ts'
import { isOwn, requireProof, requireSession } from './require-proof.ts'

export const SIGN_IN_LINK_CHANGES = {
  'add sign-in link': {
    ...USERS,
    accounts: ({ user }, rows) => [accountOfUser(rows, user)],
    loginUser: ({ user }) => user,
    audit: ({ user, expiresAt }) => entry(`sign-in link of user ${user}`, null, { expires_at: writeTime(expiresAt) }),
  },
} satisfies Changes

const SIGN_IN_LINK_MS = 600_000
const SECRET_BYTES = 24
const LINKS_OF_OWNERS = 'sign-in links of other owners'
const REASON = 'this link was used or has expired: get a new one with posthorn console'

export interface SignInLink {
  /** Below the address of the admin port. */
  readonly path: string
  readonly expiresAt: number
}

interface LinkTools {
  readonly store: SetupStore
  readonly clock: Clock
  readonly random: Random
}

/**
 * A link opens a proven session, so one's own needs a proof, and no token gets one of another owner. Sessions prove
 * those of other users as every change of users. Throws AdminProblem, ChangeRefused or UnknownThing.
 */
export async function issueSignInLink(tools: AdminTools, actor: Actor, user: string): Promise<SignInLink> {
  const { store, clock } = tools
  const rows = await store.loadDirectory()
  if (isOwn(actor, user)) requireProof(actor, rows, 'your own sign-in links', clock.now())
  else if (actor.token !== null && userRow(rows, user).role === 'owner') requireSession(actor, LINKS_OF_OWNERS)
  return makeSignInLink(tools, user)
}

/** `validMs` are milliseconds. Throws UnknownThing if the user does not exist. */
export async function makeSignInLink(
  { store, clock, random }: LinkTools,
  name: string,
  validMs = SIGN_IN_LINK_MS,
): Promise<SignInLink> {
  const { name: user } = userRow(await store.loadDirectory(), name)
  const token = [user, random.bytes(SECRET_BYTES)].map((each) => Buffer.from(each).toString('base64url')).join('.')
  const expiresAt = clock.now() + validMs
  await store.change({ kind: 'add sign-in link', user, hash: hashOf(token), expiresAt })
  return { path: `/console/#sign-in=${token}`, expiresAt }
}

/** Throws AdminProblem. */
export async function logInByLink(
  tools: AdminTools,
  { token, address }: { readonly token: string; readonly address: string | null },
): Promise<Login & { readonly user: string }> {
  const { store } = tools
  const claimed = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  const known = userToLogIn(await store.loadDirectory(), claimed)
  // Not counted under the user, whom a false link must not shut out.
  const counted = { ...unnamedAttempt({ address, token: null }), user: known?.name ?? null }
  const user = await attemptLogin(tools, { counted, address, reason: REASON }, async (at) => {
    const used = await store.change({ kind: 'use one-time token', hash: hashOf(token), at })
    return used === 1 && known !== undefined ? { user: known, step: null } : null
  })
  return { ...(await openSession(tools, user.name)), user: user.name }
}

/** No other one-time token opens a session. */
function hashOf(token: string): string {
  return hashOneTimeToken('sign-in link', token)
}
