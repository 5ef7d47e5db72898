/**
 * Access to `/metrics` and `/carriers`: with a metrics token, requests that carry it; without one, requests to a host
 * name that cannot be registered publicly, so that a page in an operator's browser cannot read them by DNS rebinding.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { HttpRoute } from './server.ts'

interface Refusal {
  readonly status: 401 | 403
  readonly body: string
}

const NO_TOKEN: Refusal = { status: 401, body: 'send the metrics token: Authorization: Bearer …\n' }
const FOREIGN_HOST: Refusal = {
  status: 403,
  body: 'host name not allowed: use an IP address or localhost, or set POSTHORN_METRICS_TOKEN\n',
}

/**
 * Names that only this machine or the operator's own DNS resolves. Any machine of a network can answer for `.local`,
 * and for a name without a dot, which is completed by the domain that the network names.
 */
const PRIVATE_NAME = /^localhost$|\.(localhost|internal|svc)$/

/** Wraps the route so that it refuses requests without access. */
export function protectRoute(route: HttpRoute, token: string | null): HttpRoute {
  return {
    ...route,
    handle: (request, response, target) => {
      const refusal = refusalOf(request, token)
      return refusal === null ? route.handle(request, response, target) : refuse(response, refusal)
    },
  }
}

function refusalOf({ headers }: IncomingMessage, token: string | null): Refusal | null {
  if (token === null) return isPrivateName(headers.host) ? null : FOREIGN_HOST
  const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token)) ? null : NO_TOKEN
}

/**
 * Returns whether a Host header, with or without a port, is a name that no attacker can register. Browsers always send
 * the header.
 */
export function isPrivateName(host: string | undefined): boolean {
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
