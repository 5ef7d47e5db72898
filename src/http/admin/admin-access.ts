/**
 * Access to `/metrics` and `/carriers`: with a metrics token, requests that carry it; without one, requests to a host
 * name that cannot be registered publicly or is that of the console, so that a page in an operator's browser cannot
 * read them by DNS rebinding.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { HttpRoute } from '../server/server.ts'

interface Refusal {
  readonly status: 401 | 403
  readonly body: string
}

const NO_TOKEN: Refusal = { status: 401, body: 'send the metrics token: Authorization: Bearer …\n' }
const FOREIGN_HOST: Refusal = {
  status: 403,
  body: 'host name not allowed: use an IP address, localhost or the name in POSTHORN_CONSOLE_ORIGIN, or set POSTHORN_METRICS_TOKEN\n',
}

/**
 * Names that only this machine or the operator's own DNS resolves. Any machine of a network can answer for `.local`,
 * and for a name without a dot, which is completed by the domain that the network names.
 */
const PRIVATE_NAME = /^localhost$|\.(localhost|internal|svc)$/

export interface AccessRules {
  /** Required if there is one. */
  readonly metricsToken: string | null
  /** The address under which browsers reach the console; null without one. */
  readonly consoleOrigin: string | null
}

/** Wraps the route so that it refuses requests without access. */
export function protectRoute(route: HttpRoute, rules: AccessRules): HttpRoute {
  return {
    ...route,
    handle: (request, response, target) => {
      const refusal = refusalOf(request, rules)
      return refusal === null ? route.handle(request, response, target) : refuse(response, refusal)
    },
  }
}

function refusalOf({ headers }: IncomingMessage, { metricsToken: token, consoleOrigin }: AccessRules): Refusal | null {
  if (token === null) return isOwnName(headers.host, consoleOrigin) ? null : FOREIGN_HOST
  const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token)) ? null : NO_TOKEN
}

/** Whether a Host header is a private name, or has the name and port of the console. */
export function isOwnName(host: string | undefined, consoleOrigin: string | null): boolean {
  return isPrivateName(host) || isHostOf(host, consoleOrigin)
}

/** Whether a Host header has the name and port of the origin. */
export function isHostOf(host: string | undefined, origin: string | null): boolean {
  if (origin === null || host === undefined) return false
  const own = new URL(origin)
  return URL.parse(`${own.protocol}//${host}`)?.href === own.href
}

/**
 * Returns whether a Host header, with or without a port, is a name that no attacker can register. Browsers always send
 * the header.
 */
function isPrivateName(host: string | undefined): boolean {
  if (host === undefined) return true
  const [, inBrackets, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host.toLowerCase()) ?? []
  if (inBrackets !== undefined) return isIP(inBrackets) === 6
  return isIP(name) === 4 || PRIVATE_NAME.test(name.replace(/\.$/, ''))
}

function refuse(response: ServerResponse, { status, body }: Refusal): void {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}
  response.writeHead(status, { 'Content-Type': 'text/plain', 'Content-Length': Buffer.byteLength(body), ...challenge })
  response.end(body)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
