/**
 * The admin API reference as a Scalar page, served from local files. Its four megabytes are loaded on first request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createReferencePage(path: `/${string}`, documentPath: string): Handle {
  let opened: Promise<FastifyInstance> | null = null
  return async (request, response) => {
    opened ??= openReference(path, { url: documentPath, pageTitle: 'Posthorn admin API' })
    const app = await opened
    response.setHeader('Content-Security-Policy', POLICY)
    app.routing(request, response)
  }
}

/** Blocks loading anything from elsewhere. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Switches off what leads to other hosts: the client, the assistant, sharing, fonts, telemetry, the maker's link. */
const NO_SERVICES = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss: 'a[href^="https://scalar.com"] { display: none }',
} as const

/** Returns an application that answers requests for the page at a path, without services of others. */
export async function openReference(
  path: `/${string}`,
  configuration: { readonly url: string; readonly pageTitle: string },
): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify({ logger: false })
  await app.register(scalar, { routePrefix: path, configuration: { ...configuration, ...NO_SERVICES } })
  await app.ready()
  return app
}
