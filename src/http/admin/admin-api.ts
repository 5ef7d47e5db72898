/**
 * The admin API: all endpoints below `/admin/v1`, for callers with a token. Errors are problem documents (RFC 9457)
 * that name invalid fields and never contain secrets.
 */
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { writeAdminOpenApi } from '../../operations/admin/admin-open-api.ts'
import {
  AdminProblem,
  ProofNeeded,
  RETRY_SECONDS,
  refuseRole,
  writeAdminProblem,
} from '../../operations/admin/endpoint/admin-problem.ts'
import { checkParams, readTexts } from '../../operations/admin/endpoint/check-input.ts'
import { type Actor, type AdminTools, type Endpoint, isWrite } from '../../operations/admin/endpoint/endpoint.ts'
import { READERS } from '../../operations/admin/fields/shapes.ts'
import { StreamedJson } from '../../operations/admin/fields/streamed-json.ts'
import { type AdminAnswer, runEndpoint } from '../../operations/admin/run-endpoint.ts'
import { LoginFailed } from '../../operations/admin/session/login-attempt.ts'
import { ProviderFailed } from '../../operations/admin/session/sso.ts'
import { RateLimits } from '../../operations/request/rate-limits.ts'
import type { Log } from '../../ports/system/log.ts'
import { CLOSED_HEADERS, NO_PAGE } from '../console/console.ts'
import type { HttpRoute } from '../server/server.ts'
import {
  type ActorTools,
  anonymousActor,
  authenticate,
  authenticateProgram,
  CHALLENGE,
  hasEndedSession,
  PROOF_CHALLENGE,
} from './admin-actor.ts'
import type { LiveEvents } from './live-events.ts'
import { MCP_PATH, type McpRouteTools, mountMcp } from './mcp-route.ts'
import { createReferencePage } from './reference-page.ts'

export interface AdminApiTools extends AdminTools, ActorTools, Pick<McpRouteTools, 'mcpSending'> {
  readonly endpoints: readonly Endpoint[]
  readonly log: Log
  readonly liveEvents: LiveEvents
  /** Applies changes to this gateway before the answer is sent. */
  readonly refresh: () => Promise<void>
}

const BASE = '/admin/v1'

/** Handles all paths below `/admin/`, and `/mcp`. */
export async function createAdminApi(tools: AdminApiTools): Promise<readonly HttpRoute[]> {
  const app = Fastify({ logger: false, routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 } })
  app.removeContentTypeParser('text/plain')
  acceptEmptyBodies(app)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...CLOSED_HEADERS, 'Content-Security-Policy': NO_PAGE })
  })
  app.setErrorHandler((error, _request, reply) => void answerProblem(tools, error, reply))
  app.setNotFoundHandler(({ method, url }, reply) => {
    void answerProblem(tools, whyNotFound(tools.endpoints, method, url), reply)
  })
  const rates = new RateLimits()
  for (const endpoint of tools.endpoints) mount(app, { ...tools, rates }, endpoint)
  mountMcp(app, {
    ...tools,
    callerOf: ({ raw }, reply) => {
      const actor = authenticateProgram(tools, raw)
      checkRate({ ...tools, rates }, actor, reply)
      return actor
    },
  })
  app.get(`${BASE}/live`, { exposeHeadRoute: false }, (request, reply) => {
    tools.liveEvents.open(request.raw, reply.raw, () => readerOf(tools, request))
    reply.hijack()
  })
  const document = writeAdminOpenApi(tools.endpoints)
  app.get(`${BASE}/openapi.json`, () => document)
  const reference = createReferencePage(`${BASE}/reference`, `${BASE}/openapi.json`)
  await app.ready()
  return [
    {
      path: '/admin/',
      handle: (request, response, target) =>
        target.startsWith(`${BASE}/reference`) ? reference(request, response) : app.routing(request, response),
    },
    { path: MCP_PATH, methods: ['POST'], handle: (request, response) => app.routing(request, response) },
  ]
}

/** Many clients send `Content-Type: application/json` with every request, even without a body. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else void parse(request, String(body), done)
  })
}

interface MountTools extends AdminApiTools {
  /** Of users of accounts. */
  readonly rates: RateLimits
}

function mount(app: FastifyInstance, tools: MountTools, endpoint: Endpoint): void {
  app.route({
    method: endpoint.method,
    url: `${BASE}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: endpoint.maxBytes,
    // Refuses requests without permission before reading the body.
    onRequest: async (request, reply) => checkRate(tools, actorOf(tools, endpoint, request), reply),
    handler: async (request, reply) => {
      if (wantsCookie(endpoint, request)) tools.browsers.check(request.raw)
      const answer = await runEndpoint(endpoint, tools, {
        actor: actorOf(tools, endpoint, request),
        params: readTexts(endpoint.params, request.params as Record<string, string>),
        query: readTexts(endpoint.query, request.query as Record<string, string>),
        body: request.body,
        key: request.headers['idempotency-key']?.toString() ?? null,
        ifMatch: headerOf(request, 'if-match'),
      })
      if (isWrite(endpoint)) await tools.refresh()
      if (wantsCookie(endpoint, request)) return answerWithCookie(tools, answer.body as Login, reply)
      if (hasEndedSession(tools, request.raw)) reply.header('Set-Cookie', tools.browsers.clear(request.raw))
      return send(endpoint, answer, reply)
    },
  })
}

/** The router finds no endpoint for a path with an empty part, such as `/carriers/`: names what is missing. */
function whyNotFound(endpoints: readonly Endpoint[], method: string, url: string): unknown {
  const [path = ''] = url.split('?')
  const hasEmptyPart = /\/(?:\/|$)/.test(path)
  for (const endpoint of hasEmptyPart ? endpoints.filter((each) => each.method === method) : []) {
    const pattern = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]*)')
    const found = new RegExp(`^${BASE}${pattern}$`).exec(path)
    if (found === null) continue
    try {
      checkParams(endpoint.params, { ...found.groups })
    } catch (error) {
      return error
    }
  }
  return new AdminProblem(404, 'no endpoint has this path and method')
}

function send(endpoint: Endpoint, { body, etag }: AdminAnswer, reply: FastifyReply) {
  if (etag !== null) reply.header('ETag', etag)
  reply.header('Cache-Control', 'no-store')
  if (!isWrite(endpoint) && etag !== null && headerOf(reply.request, 'if-none-match') === etag)
    return reply.code(304).send()
  if (body instanceof StreamedJson) return reply.type('application/json').send(Readable.from(inTurns(body.pieces)))
  return body === null ? reply.code(204).send() : reply.send(body)
}

/** The result of an endpoint that opens a session. */
interface Login {
  readonly token: string
  readonly expires_at: string
}

function wantsCookie({ may }: Endpoint, { body }: FastifyRequest): boolean {
  return may === 'public' && typeof body === 'object' && body !== null && 'cookie' in body && body.cookie === true
}

/** Puts the token where no script of the page can read it. */
function answerWithCookie({ browsers, clock }: AdminApiTools, { token, ...rest }: Login, reply: FastifyReply) {
  const seconds = Math.floor((Date.parse(rest.expires_at) - clock.now()) / 1_000)
  return reply
    .header('Set-Cookie', browsers.write(reply.request.raw, token, seconds))
    .header('Cache-Control', 'no-store')
    .send(rest)
}

/** Serves other requests between two pieces. */
async function* inTurns(pieces: Iterable<string>): AsyncIterable<string> {
  for (const piece of pieces) {
    yield piece
    await new Promise((resolve) => void setImmediate(resolve))
  }
}

/** Requests per second of all users of an account. A page of the console makes about ten at once. */
const CLIENT_REQUESTS_PER_SECOND = 50

/** One account must not slow down the gateway for others. Throws AdminProblem. */
function checkRate({ rates, clock }: MountTools, { account }: Actor, reply: FastifyReply): void {
  if (account === null || rates.take(account, CLIENT_REQUESTS_PER_SECOND, 1, clock.monotonic())) return
  reply.header('Retry-After', '1')
  throw new AdminProblem(429, `at most ${CLIENT_REQUESTS_PER_SECOND} requests per second for an account`)
}

function actorOf(tools: AdminApiTools, { may }: Endpoint, { raw }: FastifyRequest): Actor {
  return may === 'public' ? anonymousActor(tools, raw) : authenticate(tools, raw)
}

/** Users of an account see nothing of the installation. Throws AdminProblem. */
function readerOf(tools: AdminApiTools, { raw }: FastifyRequest): Actor {
  const actor = authenticate(tools, raw)
  if (READERS.includes(actor.role)) return actor
  throw new AdminProblem(403, refuseRole(actor.role, 'see the live view', READERS))
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function answerProblem({ log }: AdminApiTools, error: unknown, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  const { status } = problem
  if (status === 503) reply.header('Retry-After', String(RETRY_SECONDS))
  if (status === 500) log.error({ error: error as Error }, 'admin API request failed: internal error')
  if (error instanceof LoginFailed) log.warn({ user: error.user, address: error.address }, error.line)
  if (error instanceof ProviderFailed) log.warn({ reason: error.message }, 'sign-in at the identity provider failed')
  if (status === 401) reply.header('WWW-Authenticate', error instanceof ProofNeeded ? PROOF_CHALLENGE : CHALLENGE)
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/problem+json')
    .send(writeAdminProblem(problem))
}

function problemOf(error: unknown): Omit<AdminProblem, 'name'> {
  if (error instanceof AdminProblem) return error
  // Errors of Fastify itself: a body that is not JSON, is too large or has another type.
  const { statusCode: status = 500, message = '' } = error as {
    readonly statusCode?: number
    readonly message?: string
  }
  if (status === 415) return new AdminProblem(415, 'send a JSON body with Content-Type: application/json')
  if (status < 500) return { status, title: 'The request is malformed', message, errors: [] }
  return { status: 500, title: 'Internal error', message: 'internal error; see the log', errors: [] }
}
