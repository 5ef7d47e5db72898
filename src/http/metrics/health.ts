/** Probes: liveness (public port); readiness, metrics and carriers (admin port). */
import type { ServerResponse } from 'node:http'
import type { CarrierView } from '../../delivery/carriers/view-carriers.ts'
import { AdminProblem, RETRY_SECONDS, writeAdminProblem } from '../../operations/admin/endpoint/admin-problem.ts'
import type { CarrierFault, CarrierLink } from '../../ports/carriers/carrier.ts'
import { type AccessRules, protectRoute } from '../admin/admin-access.ts'
import { discardBody } from '../server/body.ts'
import type { HttpRoute } from '../server/server.ts'
import type { Metrics } from './metrics.ts'

const METHODS = ['GET', 'HEAD']

/** Always answers while the process runs. */
export const healthRoute: HttpRoute = {
  path: '/healthz',
  methods: METHODS,
  handle: (_request, response) => answer(response, 200, 'ok\n'),
}

/** `whyNotReady` returns the reason why the gateway should get no traffic, or rejects; null if it is ready. */
function readyRoute(whyNotReady: () => Promise<string | null>): HttpRoute {
  return {
    path: '/readyz',
    methods: METHODS,
    handle: async (_request, response) => {
      const reason = await whyNotReady().catch(() => 'the database does not answer')
      answer(response, reason === null ? 200 : 503, reason === null ? 'ready\n' : `not ready: ${reason}\n`)
    },
  }
}

/** The admin port until the store is open: not even the absence of an account or a carrier is known yet. */
export function createStartingRoutes(whyNotReady: () => string): readonly HttpRoute[] {
  return [
    healthRoute,
    readyRoute(async () => whyNotReady()),
    {
      path: '/',
      handle: (request, response) => {
        discardBody(request)
        const problem = new AdminProblem(503, `the gateway is not ready: ${whyNotReady()}`)
        response.setHeader('Retry-After', String(RETRY_SECONDS)).setHeader('Cache-Control', 'no-store')
        answer(response, problem.status, JSON.stringify(writeAdminProblem(problem)), 'application/problem+json')
      },
    },
  ]
}

interface AdminRouteTools {
  readonly metrics: Metrics
  readonly whyNotReady: () => Promise<string | null>
  readonly carriers: () => readonly CarrierView[]
  /** Of `/metrics` and `/carriers`. */
  readonly access: AccessRules
}

export function createAdminRoutes(tools: AdminRouteTools): readonly HttpRoute[] {
  const metrics: HttpRoute = {
    path: '/metrics',
    methods: METHODS,
    handle: async (_request, response) => answer(response, 200, await tools.metrics.read(), tools.metrics.contentType),
  }
  const carriers: HttpRoute = {
    path: '/carriers',
    methods: METHODS,
    handle: (_request, response) => {
      const body = JSON.stringify({ carriers: tools.carriers().map(writeCarrier) })
      answer(response, 200, `${body}\n`, 'application/json')
    },
  }
  return [
    healthRoute,
    readyRoute(tools.whyNotReady),
    protectRoute(metrics, tools.access),
    protectRoute(carriers, tools.access),
    {
      path: '/',
      methods: METHODS,
      handle: (request, response) => {
        if (request.url !== '/') return answer(response, 404, 'Not found\n')
        response.setHeader('Location', '/console/')
        answer(response, 302, 'Posthorn: /console/ /admin/v1/reference /healthz /readyz /metrics /carriers\n')
      },
    },
  ]
}

/** Returns the JSON view of a carrier. */
export function writeCarrier({ links, rate, degraded, droppedReceipts, balance, ...carrier }: CarrierView): object {
  const { since, reason } = degraded ?? {}
  return {
    ...writeState(carrier),
    degraded: since === undefined ? null : { since: new Date(since).toISOString(), reason },
    rate: Math.round(rate * 10) / 10,
    balance: balance && { ...balance, at: writeTime(balance.at) },
    links: links.map(writeLink),
    dropped_receipts: droppedReceipts,
  }
}

/** A carrier or one of its connections, with public field names. */
function writeState<T extends CarrierFault & { readonly since: number; readonly inFlight: number }>(state: T): object {
  const { since, inFlight, lastError, lastErrorAt, ...rest } = state
  const fault = { last_error: lastError, last_error_at: writeTime(lastErrorAt) }
  return { ...rest, since: writeTime(since), in_flight: inFlight, ...fault }
}

function writeLink({ nextTryAt, ...link }: CarrierLink): object {
  return { ...writeState(link), next_try_at: writeTime(nextTryAt) }
}

function writeTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function answer(response: ServerResponse, status: number, body: string, contentType = 'text/plain'): void {
  response.writeHead(status, ['Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(body))])
  response.end(body)
}
