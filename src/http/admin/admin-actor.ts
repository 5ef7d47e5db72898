/** Authenticates requests to the admin API: by a token, or by the cookie of a browser's session. */
import type { IncomingMessage } from 'node:http'
import { PROOF_MS } from '../../domain/accounts/admin-user.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import { AdminProblem } from '../../operations/admin/endpoint/admin-problem.ts'
import type { Actor } from '../../operations/admin/endpoint/endpoint.ts'
import { hashKey } from '../../operations/request/api-key.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { type ClientAddresses, requestOriginOf } from '../server/client-address.ts'
import { type BrowserSessions, isFromBrowser } from './browser-session.ts'

export interface ActorTools {
  readonly directory: () => Directory
  readonly clock: Clock
  readonly addresses: ClientAddresses
  readonly browsers: BrowserSessions
}

/** Challenge for requests without valid credentials. */
export const CHALLENGE = 'Bearer'
/** Step-up authentication challenge (RFC 9470). */
export const PROOF_CHALLENGE = `Bearer error="insufficient_user_authentication", max_age="${PROOF_MS / 1_000}"`

/** The caller of an endpoint that needs no token. Throws AdminProblem for a page of another origin. */
export function anonymousActor({ addresses, browsers }: ActorTools, request: IncomingMessage): Actor {
  // Otherwise any page could use up the attempts of the browser's address.
  if (isFromBrowser(request)) browsers.check(request)
  const nothing = { account: null, token: null, session: null, expiresAt: null }
  return {
    name: 'anonymous',
    role: 'support',
    ...nothing,
    via: 'admin API',
    address: addresses.of(requestOriginOf(request)),
    site: browsers.siteOf(request),
  }
}

/** Throws AdminProblem. */
export function authenticate(tools: ActorTools, request: IncomingMessage): Actor {
  const { directory, clock, addresses, browsers } = tools
  const cookie = browsers.tokenOf(request)
  if (cookie !== null) browsers.check(request)
  const token = cookie ?? /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const found = token === undefined ? null : directory().userOfToken(hashKey(token), clock.now())
  if (found === null) throw new AdminProblem(401, cookie === null ? NO_TOKEN : NO_SESSION)
  const { user, token: sent } = found
  return {
    name: user.name,
    role: user.role,
    account: user.accountId,
    token: sent.label,
    expiresAt: sent.expiresAt,
    session: sent.provedAt === null ? null : { provedAt: sent.provedAt },
    via: 'admin API',
    address: addresses.of(requestOriginOf(request)),
    site: browsers.siteOf(request),
  }
}

/**
 * As `authenticate`, for programs with a token: a cookie is not enough. Throws AdminProblem, also for a page of another
 * origin that a browser has opened.
 */
export function authenticateProgram(tools: ActorTools, request: IncomingMessage): Actor {
  if (isFromBrowser(request)) tools.browsers.check(request)
  if (request.headers.authorization === undefined) throw new AdminProblem(401, NO_TOKEN)
  return authenticate(tools, request)
}

/** Whether the request has the cookie of a session that does not exist any more. */
export function hasEndedSession({ browsers, directory, clock }: ActorTools, request: IncomingMessage): boolean {
  const cookie = browsers.tokenOf(request)
  return cookie !== null && directory().userOfToken(hashKey(cookie), clock.now()) === null
}

const NO_TOKEN = 'send a valid token: Authorization: Bearer ph_admin_…'
const NO_SESSION = 'the session has ended: log in again'
