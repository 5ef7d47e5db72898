/**
 * The two API paths. Whatever comes, the answer is HTTP 200 with a response envelope; a body is read only when its
 * content type and its length allow it, and no more bodies are kept than memory is meant for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeRefusal } from '../contract/envelope.ts'
import { bodyTooLarge, REQUEST_ERRORS } from '../contract/error-texts.ts'
import type { OperationTools } from '../operations/operation-tools.ts'
import { type ClientRequest, createRun, type Run } from '../operations/run.ts'
import { discardBody, readBody } from './body.ts'
import type { HttpRoute } from './server.ts'

export const SYNC_PATH = '/api/json.php'
export const ASYNC_PATH = '/v1/json'

export function createApiRoutes(tools: OperationTools): readonly HttpRoute[] {
  const run = createRun(tools)
  const bodies = { bytes: 0 }
  const route = (path: string, mode: ClientRequest['mode']): HttpRoute => {
    const api = new ApiPath(tools, run, mode, bodies)
    return { path, handle: (request, response) => api.handle(request, response) }
  }
  return [route(SYNC_PATH, 'sync'), route(ASYNC_PATH, 'async')]
}

class ApiPath {
  readonly #tools: OperationTools
  readonly #run: Run
  readonly #mode: ClientRequest['mode']
  /** Of all requests whose body was read and that are not answered yet, on both paths. */
  readonly #bodies: { bytes: number }

  constructor(tools: OperationTools, run: Run, mode: ClientRequest['mode'], bodies: { bytes: number }) {
    this.#tools = tools
    this.#run = run
    this.#mode = mode
    this.#bodies = bodies
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const error = this.#errorOf(request)
    if (error !== null) {
      discardBody(request)
      answer(response, writeRefusal(error))
      return
    }
    const { bodyBytes } = this.#tools.limits
    readBody(request, bodyBytes, (body) => {
      if (body === null) answer(response, writeRefusal(bodyTooLarge(bodyBytes)))
      else void this.#answer(request, response, body)
    })
  }

  /** What can be said before the body is read, in the order of the contract. */
  #errorOf({ method, headers }: IncomingMessage): string | null {
    const { bodyBytes, allBodiesBytes } = this.#tools.limits
    if (method !== 'POST') return REQUEST_ERRORS.method
    if (!isJson(headers['content-type'])) return REQUEST_ERRORS.contentType
    if (Number(headers['content-length'] ?? 0) > bodyBytes) return bodyTooLarge(bodyBytes)
    if (this.#bodies.bytes > allBodiesBytes) return REQUEST_ERRORS.unavailable
    return null
  }

  async #answer(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const key = request.headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' && key !== '' ? key : null
    this.#bodies.bytes += body.length
    const text = await this.#run({ mode: this.#mode, body, idempotencyKey })
    this.#bodies.bytes -= body.length
    answer(response, text)
  }
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && (contentType === 'application/json' || JSON_TYPE.test(contentType))
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i

function answer(response: ServerResponse, text: string): void {
  response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))])
  response.end(text)
}
