/**
 * Sign-in with the firm's account: the page of the console sends the browser to the identity provider, which sends it
 * back with a code. Users and their roles come from there; only operators sign in so.
 */
import Type from 'typebox'
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import {
  type Identity,
  type IdentityProvider,
  IdentityRefused,
  type SignInAttempt,
} from '../../../ports/hooks/identity-provider.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import { type Actor, type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { userRow } from '../fields/account-row.ts'
import { isName, NAME_RULE } from '../fields/label.ts'
import { nullable, READERS, SECRET_INPUT } from '../fields/shapes.ts'
import { auditUser, userToLogIn } from '../users/users.ts'
import { COOKIE, keepProof, LoggedIn, openBrowserSession, Proved, requireProvable } from './log-in.ts'
import { countLoginAttempt, failLogin, LoginFailed, networkOf, unnamedAttempt } from './login-attempt.ts'
import { newChallenge, useChallenge } from './webauthn.ts'

export const SSO_CHANGES = {
  'admit user': { ...OWN_ACCESS, loginUser: ({ user }) => user.name, audit: auditUser },
} satisfies Changes

/** Characters of the address to which the browser comes back: some providers send codes of 2,000. */
const MAX_QUERY = 8_000
const SECRET = { minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$', rule: 'must be 43 characters of base64url' }
const STATE = Type.String({ ...SECRET, description: 'of the attempt; the provider repeats it' })

const BEGUN = Type.Object({
  address: Type.String({ description: 'where the browser signs in' }),
  state: STATE,
  verifier: Type.String({ shownOnce: true, description: 'secret of the attempt: keep it in the browser' }),
})

const FINISHED = {
  state: STATE,
  verifier: Type.String({ ...SECRET, ...SECRET_INPUT }),
  query: Type.String({
    maxLength: MAX_QUERY,
    description: 'query of the address to which the provider sent the browser back',
    ...SECRET_INPUT,
  }),
}

export const SSO_ENDPOINTS = [
  endpoint({
    name: 'showSso',
    method: 'GET',
    path: '/session/sso',
    summary: "show whether users sign in with the firm's account",
    may: 'public',
    result: Type.Object({
      name: nullable(Type.String(), { description: 'what users call it; null if it is not set up' }),
    }),
    run: async ({ live }) => ({ name: live?.sso?.name ?? null }),
  }),
  endpoint({
    name: 'beginSso',
    method: 'POST',
    path: '/session/sso',
    summary: "begin a sign-in with the firm's account, within five minutes: returns where the browser goes",
    may: 'public',
    result: BEGUN,
    run: (tools, _input, actor) => begin(tools, actor),
  }),
  endpoint({
    name: 'logInBySso',
    method: 'POST',
    path: '/session/sso/answer',
    summary: "log in with the provider's answer; returns a token for twelve hours",
    may: 'public',
    maxBytes: MAX_QUERY * 2,
    body: { ...FINISHED, cookie: COOKIE },
    result: LoggedIn,
    run: async (tools, answer, actor) => {
      return openBrowserSession(tools, await finish(tools, actor, answer))
    },
  }),
  endpoint({
    name: 'beginSsoProof',
    method: 'POST',
    path: '/session/proof/sso',
    summary: "begin a proof by signing in anew with the firm's account: returns where the browser goes",
    may: READERS,
    result: BEGUN,
    run: (tools, _input, actor) => {
      requireProvable(actor)
      return begin(tools, actor)
    },
  }),
  endpoint({
    name: 'proveBySso',
    method: 'POST',
    path: '/session/proof/sso/answer',
    summary: "prove who you are with the provider's answer, for changes of money, secrets and roles in ten minutes",
    may: READERS,
    maxBytes: MAX_QUERY * 2,
    body: FINISHED,
    result: Proved,
    run: async (tools, answer, actor) => {
      requireProvable(actor)
      await finish(tools, actor, answer)
      return keepProof(tools, actor)
    },
  }),
  endpoint({
    name: 'endSso',
    method: 'POST',
    path: '/session/sso/end',
    summary: "show where the browser signs out of the firm's account, too; null if there is no such page",
    may: READERS,
    result: Type.Object({ address: nullable(Type.String()) }),
    run: async (tools, _input, actor) => {
      const { sso, page } = ssoOf(tools, actor)
      return { address: await refusing(sso.signOut(`${page}/login`)) }
    },
  }),
]

/** Throws ChangeRefused without a provider, or if no page of the console asks. */
function ssoOf({ live }: AdminTools, { site }: Actor) {
  if (live === null || live.sso === null) throw new ChangeRefused('POSTHORN_SSO_ISSUER is not set')
  if (site === null) throw new ChangeRefused("the firm's account is used by pages of this gateway in a browser")
  const { sso, ssoRates: rates } = live
  return { sso, page: `${site.origin}/console`, rates }
}

/** The provider did not answer, or refused the user; logged with the reason. */
export class ProviderFailed extends AdminProblem {}

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof IdentityRefused) throw new ProviderFailed(422, error.message)
    throw error
  }
}

const VERIFIER_BYTES = 32

/** Of one address. No password is tried, so a beginning is no failed login, also if the provider refuses it. */
const BEGINNINGS_PER_SECOND = 10

async function begin(tools: AdminTools, actor: Actor) {
  const { sso, page, rates } = ssoOf(tools, actor)
  if (!rates.take(networkOf(actor.address), BEGINNINGS_PER_SECOND, 1, tools.clock.monotonic())) {
    throw new AdminProblem(429, 'too many sign-ins from this address: try again in a second')
  }
  const [state = '', verifier = ''] = [
    await newChallenge(tools, purposeOf(actor)),
    tools.random.bytes(VERIFIER_BYTES),
  ].map((bytes) => Buffer.from(bytes).toString('base64url'))
  const address = await refusing(sso.begin({ returnTo: returnTo(page), state, verifier }, actor.token !== null))
  return { address, state, verifier }
}

function returnTo(page: string): string {
  return `${page}/login/sso`
}

/** A challenge of a login is of no use for a proof, nor that of another user. */
function purposeOf({ name, token }: Actor): string {
  return token === null ? 'sso' : `sso proof of ${name}`
}

interface Answer extends Pick<SignInAttempt, 'state' | 'verifier'> {
  readonly query: string
}

/** Returns the name of the user. Throws AdminProblem. */
async function finish(tools: AdminTools, actor: Actor, { state, verifier, query }: Answer): Promise<string> {
  const { sso, page } = ssoOf(tools, actor)
  const { address } = actor
  const counted = { ...unnamedAttempt(actor), user: actor.token === null ? null : actor.name }
  if (!(await useChallenge(tools, purposeOf(actor), state))) {
    await countLoginAttempt(tools, counted)
    throw new LoginFailed({ counted, address, reason: 'this sign-in has expired, or was used: begin again' })
  }
  const attempt = { returnTo: returnTo(page), state, verifier }
  const identity = await refusing(sso.finish(attempt, query, actor.token !== null))
  const user = actor.token === null ? await admit(tools, sso, identity) : await ownUser(tools, actor, identity)
  if (typeof user === 'string') return failLogin(tools, { counted, address, reason: user })
  return user.name
}

async function ownUser({ store }: AdminTools, { name }: Actor, { subject }: Identity): Promise<AdminUser | string> {
  const user = userRow(await store.loadDirectory('anew'), name)
  return user.subject === subject ? user : 'this is the account of another user'
}

/** Adds the user, or gives the role that the groups have now. Returns why there is none. */
async function admit(tools: AdminTools, sso: IdentityProvider, identity: Identity): Promise<AdminUser | string> {
  const { store } = tools
  const rows = await store.loadDirectory('anew')
  const before = rows.adminUsers.find(({ subject }) => subject === identity.subject)
  if (before !== undefined && userToLogIn(rows, before.name) === undefined) return `user ${before.name} is disabled`
  const role = sso.roleOf(identity.groups)
  if (role === null) return 'none of your groups has a role here: ask an owner about POSTHORN_SSO_ROLES'
  if (before?.role === role) return before
  const user = before ?? newUser(rows, identity)
  if (typeof user === 'string') return user
  try {
    await store.change({ kind: 'admit user', user: { ...user, role } })
  } catch (error) {
    // Another sign-in, or an owner, was faster.
    if (error instanceof ChangeRefused) return error.message
    throw error
  }
  return { ...user, role }
}

function newUser({ adminUsers }: DirectoryRows, { subject, name }: Identity): Omit<AdminUser, 'role'> | string {
  if (name === null) return 'the provider sends neither preferred_username nor email'
  if (!isName(name)) return `your name at the provider ${NAME_RULE}`
  if (!adminUsers.some((each) => each.name === name)) {
    return { name, accountId: null, state: 'active', passwordHash: null, totpSecret: null, subject }
  }
  return `there is a user ${name} already: an owner says that it is you, by posthorn user set --user=${quoted(name)} --subject ${quoted(subject)}`
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
