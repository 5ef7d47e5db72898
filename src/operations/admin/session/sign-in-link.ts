/**
 * Sign-in links: an owner, or who has access to the data folder, makes one for a user, who is logged in by it once. The
 * token is in the fragment of the address, which browsers send to no server.
 */
import Type from 'typebox'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { requireSession } from '../endpoint/require-session.ts'
import { userRow } from '../fields/account-row.ts'
import { OWNERS, SECRET_INPUT, SHOWN_ONCE, TIME, USER, writeTime } from '../fields/shapes.ts'
import { OF_USER, OWN_USER, USERS, userToLogIn } from '../users/users.ts'
import { COOKIE, LoggedIn, openBrowserSession } from './log-in.ts'
import { attemptLogin, unnamedAttempt } from './login-attempt.ts'
import { isOwn, requireProof } from './require-proof.ts'
import { hashOneTimeToken } from './webauthn.ts'

export const SIGN_IN_LINK_CHANGES = {
  'add sign-in link': {
    ...USERS,
    ...OF_USER,
    audit: ({ user, expiresAt }) => entry(`sign-in link of user ${user}`, null, { expires_at: writeTime(expiresAt) }),
  },
} satisfies Changes

export const LOG_IN_BY_LINK = endpoint({
  name: 'logInByLink',
  method: 'POST',
  path: '/session/link',
  summary: 'log in with the token of a sign-in link, which is valid once; returns a token for twelve hours',
  may: 'public',
  body: { token: Type.String({ minLength: 1, maxLength: 600, ...SECRET_INPUT }), cookie: COOKIE },
  result: LoggedIn,
  run: async (tools, { token }, { address }) => {
    const { store } = tools
    const claimed = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
    const known = userToLogIn(await store.loadDirectory(), claimed)
    // Not counted under the user, whom a false link must not shut out.
    const counted = { ...unnamedAttempt({ address, token: null }), user: known?.name ?? null }
    const { name } = await attemptLogin(tools, { counted, address, reason: REASON }, async (at) => {
      const used = await store.change({ kind: 'use one-time token', hash: hashOf(token), at })
      return used === 1 && known !== undefined ? { user: known, step: null } : null
    })
    return openBrowserSession(tools, name)
  },
})

/**
 * A link opens a proven session, so one's own needs a proof, and no token gets one of another owner. Sessions prove
 * those of other users as every change of users.
 */
export const ISSUE_SIGN_IN_LINK = endpoint({
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
    const rows = await tools.store.loadDirectory()
    if (isOwn(actor, user)) requireProof(actor, rows, 'your own sign-in links', tools.clock.now())
    else if (actor.token !== null && userRow(rows, user).role === 'owner') requireSession(actor, LINKS_OF_OWNERS)
    const { path, expiresAt } = await makeSignInLink(tools, user)
    return { user, path, expires_at: writeTime(expiresAt) }
  },
})

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

/** No other one-time token opens a session. */
function hashOf(token: string): string {
  return hashOneTimeToken('sign-in link', token)
}
