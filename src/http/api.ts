/**
 * The two API paths. Whatever comes, the answer is HTTP 200 with a response envelope; a body is read only when its
 * content type and its length allow it, and no more is kept of all bodies than memory is meant for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeRefusal } from '../contract/envelope.ts'
import { bodyTooLarge, REQUEST_ERRORS } from '../contract/error-texts.ts'
import type { OperationTools } from '../operations/operation-tools.ts'
import { type ClientRequest, createRun, type Run } from '../operations/run.ts'
import { BodyBudget, discardBody, readBodyWhile } from './body.ts'
import { ClientAddresses, type RequestOrigin } from './client-address.ts'
import type { PlainPostPath } from './plain-post.ts'
import type { HttpRoute } from './server.ts'

export const SYNC_PATH = '/api/json.php'
export const ASYNC_PATH = '/v1/json'

/** What a request that runs takes beside its body; it bounds how many run at one time. */
const REQUEST_BYTES = 16 * 1024

/** `trustedProxies` are networks in CIDR form. */
export function createApiRoutes(tools: OperationTools, trustedProxies: readonly string[]): readonly HttpRoute[] {
  const shared: ApiTools = {
    run: createRun(tools),
    budget: new BodyBudget(tools.limits.allBodiesBytes),
    addresses: new ClientAddresses(trustedProxies),
    mostBytes: tools.limits.bodyBytes,
  }
  return [new ApiPath(SYNC_PATH, 'sync', shared), new ApiPath(ASYNC_PATH, 'async', shared)]
}

/** What the paths share. */
interface ApiTools {
  readonly run: Run
  readonly budget: BodyBudget
  readonly addresses: ClientAddresses
  readonly mostBytes: number
}

class ApiPath implements HttpRoute {
  readonly path: string
  readonly #mode: ClientRequest['mode']
  readonly #run: Run
  readonly #budget: BodyBudget
  readonly #addresses: ClientAddresses
  readonly #mostBytes: number

  constructor(path: string, mode: ClientRequest['mode'], { run, budget, addresses, mostBytes }: ApiTools) {
    this.path = path
    this.#mode = mode
    this.#run = run
    this.#budget = budget
    this.#addresses = addresses
    this.#mostBytes = mostBytes
  }

  /** For requests of which all that stands before the envelope was found to be right. */
  get plainPost(): PlainPostPath {
    return {
      mostBodyBytes: this.#mostBytes,
      answer: (body, idempotencyKey, origin) => this.#answerPlain(body, idempotencyKey, origin),
    }
  }

  #answerPlain(body: Buffer, idempotencyKey: string | null, origin: RequestOrigin): Promise<string> {
    const bytes = body.length + REQUEST_BYTES
    if (!this.#budget.take(bytes)) return Promise.resolve(writeRefusal(REQUEST_ERRORS.unavailable))
    return this.#run(this.#requestOf(body, idempotencyKey, origin)).then((text) => {
      this.#budget.giveBack(bytes)
      return text
    })
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const error = this.#errorOf(request) ?? (this.#budget.take(REQUEST_BYTES) ? null : REQUEST_ERRORS.unavailable)
    if (error === null) {
      this.#read(request, response)
    } else {
      discardBody(request)
      answer(response, writeRefusal(error))
    }
  }

  /** What can be said before the body is read, in the order of the contract. */
  #errorOf({ method, headers }: IncomingMessage): string | null {
    if (method !== 'POST') return REQUEST_ERRORS.method
    if (!isJson(headers['content-type'])) return REQUEST_ERRORS.contentType
    if (Number(headers['content-length'] ?? 0) > this.#mostBytes) return bodyTooLarge(this.#mostBytes)
    return null
  }

  #read(request: IncomingMessage, response: ServerResponse): void {
    const budget = this.#budget
    let size = 0
    let refusal: string = REQUEST_ERRORS.unavailable
    const room = (bytes: number): boolean => {
      if (size + bytes > this.#mostBytes) refusal = bodyTooLarge(this.#mostBytes)
      else if (budget.take(bytes)) {
        size += bytes
        return true
      }
      return false
    }
    response.on('close', () => budget.giveBack(size + REQUEST_BYTES))
    readBodyWhile(request, room, (body) => {
      if (body !== null) this.#answer(request, response, body)
      else answer(response, writeRefusal(refusal))
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { headers, socket } = request
    const origin = { socket, forwardedFor: textOf(headers['x-forwarded-for']), forwarded: textOf(headers.forwarded) }
    const asked = this.#requestOf(body, textOf(headers['idempotency-key']), origin)
    void this.#run(asked).then((text) => answer(response, text))
  }

  #requestOf(body: Buffer, idempotencyKey: string | null, origin: RequestOrigin): ClientRequest {
    return { mode: this.#mode, body, idempotencyKey, address: () => this.#addresses.of(origin) }
  }
}

/** Null without the header, or with an empty one. */
function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && (contentType === 'application/json' || JSON_TYPE.test(contentType))
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i

function answer(response: ServerResponse, text: string): void {
  response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))])
  response.end(text)
}
