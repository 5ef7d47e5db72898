/**
 * MCP over HTTP at `/mcp` on the admin port, for clients with a token of the admin API: its user's role decides what
 * they may do. Stateless: one request, one answer, no streams and no sessions.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AdminProblem } from '../../operations/admin/endpoint/admin-problem.ts'
import type { Actor, AdminTools } from '../../operations/admin/endpoint/endpoint.ts'
import { StreamedJson } from '../../operations/admin/fields/streamed-json.ts'
import { runEndpoint } from '../../operations/admin/run-endpoint.ts'
import type { McpSending } from '../../operations/mcp/mcp-sending.ts'
import type { Log } from '../../ports/system/log.ts'

export const MCP_PATH = '/mcp'

export interface McpRouteTools extends AdminTools {
  readonly log: Log
  readonly mcpSending: McpSending
  /** Returns the caller. Throws AdminProblem without a valid token, and for pages of other origins. */
  readonly callerOf: (request: FastifyRequest, reply: FastifyReply) => Actor
}

/** As much as a message with rich content needs. */
const MAX_BYTES = 256 * 1024

export function mountMcp(app: FastifyInstance, tools: McpRouteTools): void {
  app.route({
    method: 'POST',
    url: MCP_PATH,
    bodyLimit: MAX_BYTES,
    onRequest: async (request, reply) => void tools.callerOf(request, reply),
    handler: async (request, reply) => {
      // A list would be many calls in one request.
      if (Array.isArray(request.body)) throw new AdminProblem(400, 'send one JSON-RPC message in each request')
      const actor: Actor = { ...tools.callerOf(request, reply), via: 'MCP' }
      const answer = await answerMcp(request, actor, tools)
      const type = answer.headers.get('content-type')
      if (type !== null) reply.type(type)
      return reply
        .code(answer.status)
        .header('Cache-Control', 'no-store')
        .send(await answer.text())
    },
  })
}

/** The library is loaded with the first request: few gateways have MCP clients. */
async function answerMcp(request: FastifyRequest, actor: Actor, tools: McpRouteTools): Promise<Response> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../operations/mcp/mcp-server.ts'),
  ])
  const server = () =>
    createMcpServer({
      role: actor.role,
      sending: tools.mcpSending,
      ask: async (endpoint, call) => {
        const { body } = await runEndpoint(endpoint, tools, { ...call, actor, ifMatch: null })
        return body instanceof StreamedJson ? body.value() : body
      },
      explain: (error) => {
        tools.log.error({ error: error as Error }, 'MCP call failed: internal error')
        return 'internal error; see the log of the gateway'
      },
    })
  // No subscriptions: they are streams that stay open.
  const handler = createMcpHandler(server, { maxSubscriptions: 0, keepAliveMs: 0 })
  const headers = new Headers({ 'content-type': 'application/json', accept: ACCEPTED })
  for (const name of MCP_HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  // Without the body: the library takes the parsed one.
  const asked = new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers })
  return handler.fetch(asked, { parsedBody: request.body })
}

/** The token is not among them: the library needs none. */
const MCP_HEADERS = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name']
const ACCEPTED = 'application/json, text/event-stream'
