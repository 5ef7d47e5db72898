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
import type { PlainPostPath } from './plain-post.ts'
import type { HttpRoute } from './server.ts'

export const SYNC_PATH = '/api/json.php'
export const ASYNC_PATH = '/v1/json'

/** What a request that runs takes beside its body; it bounds how many run at one time. */
const REQUEST_BYTES = 16 * 1024

export function createApiRoutes(tools: OperationTools): readonly HttpRoute[] {
  const run = createRun(tools)
  const budget = new BodyBudget(tools.limits.allBodiesBytes)
  return [
    new ApiPath(SYNC_PATH, 'sync', run, budget, tools.limits.bodyBytes),
    new ApiPath(ASYNC_PATH, 'async', run, budget, tools.limits.bodyBytes),
  ]
}

class ApiPath implements HttpRoute {
  readonly path: string
  readonly #mode: ClientRequest['mode']
  readonly #run: Run
  readonly #budget: BodyBudget
  readonly #mostBytes: number

  constructor(path: string, mode: ClientRequest['mode'], run: Run, budget: BodyBudget, mostBytes: number) {
    this.path = path
    this.#mode = mode
    this.#run = run
    this.#budget = budget
    this.#mostBytes = mostBytes
  }

  /** For requests of which all that stands before the envelope was found to be right. */
  get plainPost(): PlainPostPath {
    return { mostBodyBytes: this.#mostBytes, answer: (body, idempotencyKey) => this.#answerPlain(body, idempotencyKey) }
  }

  #answerPlain(body: Buffer, idempotencyKey: string | null): Promise<string> {
    const bytes = body.length + REQUEST_BYTES
    if (!this.#budget.take(bytes)) return Promise.resolve(writeRefusal(REQUEST_ERRORS.unavailable))
    return this.#run({ mode: this.#mode, body, idempotencyKey }).then((text) => {
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
    const key = request.headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' && key !== '' ? key : null
    void this.#run({ mode: this.#mode, body, idempotencyKey }).then((text) => answer(response, text))
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
