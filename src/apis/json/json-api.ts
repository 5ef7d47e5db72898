/**
 * The JSON API: two paths, and that of uploads. The answer is always HTTP 200 with a response envelope. Plain requests
 * take the fast path of the server.
 */
import type { IncomingMessage } from 'node:http'
import { isRefusal, writeRefusal } from '../../contract/request/envelope.ts'
import { bodyTooLarge, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { type BodyHold, isEncoded } from '../../http/server/body.ts'
import type { RequestOrigin } from '../../http/server/client-address.ts'
import {
  type PlainAnswer,
  type PlainPath,
  type PlainRequest,
  plainOriginOf,
  writePlainHead,
} from '../../http/server/plain-head.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import type { ClientRequest } from '../../operations/request/client-request.ts'
import {
  type ApiAnswer,
  ApiPath,
  type ApiTools,
  type Arrived,
  headersOf,
  isJson,
  REQUEST_BYTES,
} from '../shared/api-path.ts'
import { ApiRequest } from '../shared/api-request.ts'

export const SYNC_PATH = '/api/json.php'
export const ASYNC_PATH = '/v1/json'

export function createJsonApi(tools: ApiTools): readonly HttpRoute[] {
  return [new JsonPath(SYNC_PATH, 'sync', tools), new JsonPath(ASYNC_PATH, 'async', tools)]
}

const JSON_HEADERS = ['Content-Type', 'application/json']
const PLAIN_HEAD = writePlainHead(200, JSON_HEADERS)

class JsonPath extends ApiPath {
  readonly #mode: ClientRequest['mode']
  readonly #tools: ApiTools

  constructor(path: string, mode: ClientRequest['mode'], tools: ApiTools) {
    const { maxBytes } = tools
    super(
      {
        path,
        maxBytes,
        copiesBody: false,
        refuse: (request) => refusalOf(errorOf(request, maxBytes)),
        fail: (why) => envelope(writeRefusal(why === 'busy' ? REQUEST_ERRORS.unavailable : bodyTooLarge(maxBytes))),
        answer: (arrived) => this.#answer(arrived),
      },
      tools,
    )
    this.#mode = mode
    this.#tools = tools
  }

  /** For requests whose method, path and headers are already validated. */
  get plain(): PlainPath {
    const { bodies, maxBytes } = this.#tools
    return {
      body: { maxBytes, open: (request) => bodies.open(plainOriginOf(request)) },
      answer: (request) => this.#answerPlain(request),
    }
  }

  #answerPlain(request: PlainRequest): PlainAnswer | Promise<PlainAnswer> {
    const { run, bodies, addresses } = this.#tools
    const { body, headers } = request
    const origin = plainOriginOf(request)
    const hold = request.hold ?? bodies.open(null)
    if (bodies.isFull(origin) || !hold.grow(REQUEST_BYTES + body.length - hold.size)) {
      hold.release()
      return { head: PLAIN_HEAD, text: writeRefusal(REQUEST_ERRORS.unavailable), release: null, isRefusal: true }
    }
    const parts = {
      mode: this.#mode,
      body,
      idempotencyKey: headers.get('idempotency-key') ?? null,
      traceparent: headers.get('traceparent') || null,
      authorization: headers.get('authorization') ?? null,
      origin,
      hold,
    }
    return run(new ApiRequest(parts, bodies, addresses)).then((text) => {
      return { head: PLAIN_HEAD, text, release: this.#retain(text, origin, hold), isRefusal: isRefusal(text) }
    })
  }

  /** Reserves memory for an answer until it is sent; a short one needs none. Returns what releases it. */
  #retain(text: string, origin: RequestOrigin, hold: BodyHold): PlainAnswer['release'] {
    if (text.length <= REQUEST_BYTES) {
      hold.release()
      return null
    }
    hold.replace(text.length, this.#tools.bodies.addressOf(origin))
    return () => hold.release()
  }

  async #answer({ request, body, origin, hold }: Arrived): Promise<ApiAnswer> {
    const { run, bodies, addresses } = this.#tools
    const parts = { mode: this.#mode, body, ...headersOf(request), origin, hold }
    return envelope(await run(new ApiRequest(parts, bodies, addresses)))
  }
}

function envelope(text: string): ApiAnswer {
  return { headers: JSON_HEADERS, text, isRefusal: isRefusal(text) }
}

function refusalOf(error: string | null): ApiAnswer | null {
  return error === null ? null : envelope(writeRefusal(error))
}

/** Checks that need no body, in the order of the contract. */
function errorOf(request: IncomingMessage, maxBytes: number): string | null {
  const { method, headers } = request
  if (method !== 'POST') return REQUEST_ERRORS.method
  if (!isJson(request)) return REQUEST_ERRORS.contentType
  if (isEncoded(request)) return REQUEST_ERRORS.compressed
  if (Number(headers['content-length'] ?? 0) > maxBytes) return bodyTooLarge(maxBytes)
  return null
}
