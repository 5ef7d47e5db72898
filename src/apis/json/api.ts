/**
 * The two API paths, and that of uploads. The answer is always HTTP 200 with a response envelope. A body is read only
 * if its content type and length are allowed, and all bodies together stay within a memory budget.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OlderProtocol } from '../../contract/operations/older-protocols.ts'
import { isRefusal, writeRefusal } from '../../contract/request/envelope.ts'
import { bodyTooLarge, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { readTraceparent } from '../../domain/network/traceparent.ts'
import { Bodies, type BodyHold, discardBody, isEncoded } from '../../http/server/body.ts'
import { ClientAddresses, originOf, type RequestOrigin } from '../../http/server/client-address.ts'
import {
  type PlainAnswer,
  type PlainPath,
  type PlainRequest,
  plainOriginOf,
  writePlainHead,
} from '../../http/server/plain-head.ts'
import { markRefused } from '../../http/server/refusals.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import type { ClientRequest } from '../../operations/request/client-request.ts'
import type { OperationTools } from '../../operations/request/operation-tools.ts'
import { createWorkForKey } from '../../operations/request/work-for-key.ts'
import { WorkQueue } from '../../operations/request/work-queue.ts'
import { createRun, type Run } from '../../operations/run/run.ts'
import { createOlderPaths } from '../older-paths.ts'
import { createBulkUpload } from './bulk-upload.ts'

export const SYNC_PATH = '/api/json.php'
export const ASYNC_PATH = '/v1/json'

/** Memory of a running request beside its body; bounds the number of running requests. */
const REQUEST_BYTES = 16 * 1024

export interface ApiOptions {
  readonly older?: readonly OlderProtocol[]
  /** The work of requests; shared with that of bulks. */
  readonly queue?: WorkQueue
}

/** `trustedProxies` are networks in CIDR form. */
export function createApiRoutes(
  tools: OperationTools,
  trustedProxies: readonly string[],
  { older = [], queue: work = new WorkQueue(tools.clock) }: ApiOptions = {},
): readonly HttpRoute[] {
  const addresses = new ClientAddresses(trustedProxies)
  const shared: ApiTools = {
    run: createRun(tools, work),
    bodies: new Bodies({ maxBytes: tools.limits.allBodiesBytes, clock: tools.clock, addresses }),
    addresses,
    maxBytes: tools.limits.bodyBytes,
  }
  return [
    new ApiPath(SYNC_PATH, 'sync', shared),
    new ApiPath(ASYNC_PATH, 'async', shared),
    ...createOlderPaths({ ...shared, workForKey: createWorkForKey(tools, work), clock: tools.clock }, older),
    createBulkUpload(tools, work, addresses),
  ]
}

interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly hold: BodyHold
}

/** Dependencies of both paths. */
interface ApiTools {
  readonly run: Run
  readonly bodies: Bodies
  readonly addresses: ClientAddresses
  readonly maxBytes: number
}

interface RequestParts {
  readonly body: Buffer
  /** Headers that are part of the request; null if missing or empty. */
  readonly idempotencyKey: string | null
  readonly traceparent: string | null
  readonly origin: RequestOrigin
  readonly hold: BodyHold
}

const JSON_HEADERS = ['Content-Type', 'application/json']
const PLAIN_HEAD = writePlainHead(200, JSON_HEADERS)

class ApiPath implements HttpRoute {
  readonly path: string
  readonly #mode: ClientRequest['mode']
  readonly #run: Run
  readonly #bodies: Bodies
  readonly #addresses: ClientAddresses
  readonly #maxBytes: number

  constructor(path: string, mode: ClientRequest['mode'], { run, bodies, addresses, maxBytes }: ApiTools) {
    this.path = path
    this.#mode = mode
    this.#run = run
    this.#bodies = bodies
    this.#addresses = addresses
    this.#maxBytes = maxBytes
  }

  /** For requests whose method, path and headers are already validated. */
  get plain(): PlainPath {
    return {
      body: { maxBytes: this.#maxBytes, open: (request) => this.#bodies.open(plainOriginOf(request)) },
      answer: (request) => this.#answerPlain(request),
    }
  }

  #answerPlain(request: PlainRequest): PlainAnswer | Promise<PlainAnswer> {
    const { body, headers } = request
    const origin = plainOriginOf(request)
    const hold = request.hold ?? this.#bodies.open(null)
    if (this.#bodies.isFull(origin) || !hold.grow(REQUEST_BYTES + body.length - hold.size)) {
      hold.release()
      return { head: PLAIN_HEAD, text: writeRefusal(REQUEST_ERRORS.unavailable), release: null, isRefusal: true }
    }
    const asked = this.#requestOf({
      body,
      idempotencyKey: headers.get('idempotency-key') ?? null,
      traceparent: headers.get('traceparent') || null,
      origin,
      hold,
    })
    return this.#run(asked).then((text) => {
      return { head: PLAIN_HEAD, text, release: this.#retain(text, origin, hold), isRefusal: isRefusal(text) }
    })
  }

  /** Reserves memory for an answer until it is sent; a short one needs none. Returns what releases it. */
  #retain(text: string, origin: RequestOrigin, hold: BodyHold): PlainAnswer['release'] {
    if (text.length <= REQUEST_BYTES) {
      hold.release()
      return null
    }
    hold.replace(text.length, this.#bodies.addressOf(origin))
    return () => hold.release()
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hold = this.#bodies.open(originOf(request))
    const error = this.#errorOf(request) ?? (hold.grow(REQUEST_BYTES) ? null : REQUEST_ERRORS.unavailable)
    if (error === null) {
      await this.#read(request, response, hold)
    } else {
      discardBody(request)
      answer(response, writeRefusal(error))
    }
  }

  /** Checks that need no body, in the order of the contract. */
  #errorOf(request: IncomingMessage): string | null {
    const { method, headers } = request
    if (method !== 'POST') return REQUEST_ERRORS.method
    if (!isJson(headers['content-type'])) return REQUEST_ERRORS.contentType
    if (isEncoded(request)) return REQUEST_ERRORS.compressed
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) return bodyTooLarge(this.#maxBytes)
    return null
  }

  #read(request: IncomingMessage, response: ServerResponse, hold: BodyHold): Promise<void> {
    const maxBytes = this.#maxBytes
    return this.#bodies.read(request, response, { hold, maxBytes }, async (body) => {
      if (body === 'too large') answer(response, writeRefusal(bodyTooLarge(maxBytes)))
      else if (body === 'busy') answer(response, writeRefusal(REQUEST_ERRORS.unavailable))
      else await this.#answer({ request, response, hold }, body)
    })
  }

  async #answer({ request, response, hold }: Arrived, body: Buffer): Promise<void> {
    const { headers } = request
    const origin = originOf(request)
    const asked = this.#requestOf({
      body,
      idempotencyKey: headers['idempotency-key']?.toString() ?? null,
      traceparent: textOf(headers['traceparent']),
      origin,
      hold,
    })
    const text = await this.#run(asked)
    hold.replace(text.length, this.#bodies.addressOf(origin))
    answer(response, text)
  }

  #requestOf(parts: RequestParts): ClientRequest {
    return new ApiRequest(this.#mode, parts, this.#bodies, this.#addresses)
  }
}

class ApiRequest implements ClientRequest {
  readonly mode: ClientRequest['mode']
  readonly body: Buffer
  readonly idempotencyKey: string | null
  readonly traceparent: string | null
  readonly #origin: RequestOrigin
  readonly #hold: BodyHold
  readonly #bodies: Bodies
  readonly #addresses: ClientAddresses

  constructor(mode: ClientRequest['mode'], parts: RequestParts, bodies: Bodies, addresses: ClientAddresses) {
    this.mode = mode
    this.body = parts.body
    this.idempotencyKey = parts.idempotencyKey
    this.traceparent = readTraceparent(parts.traceparent)
    this.#origin = parts.origin
    this.#hold = parts.hold
    this.#bodies = bodies
    this.#addresses = addresses
  }

  address(): string | null {
    return this.#addresses.of(this.#origin)
  }

  reserve(bytes: number): boolean {
    this.#hold.replace(this.#hold.size, this.#bodies.addressOf(this.#origin))
    return this.#hold.grow(bytes)
  }
}

/** Null if the header is missing or empty. */
function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && (contentType === 'application/json' || JSON_TYPE.test(contentType))
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i

function answer(response: ServerResponse, text: string): void {
  if (isRefusal(text)) markRefused(response)
  response.writeHead(200, [...JSON_HEADERS, 'Content-Length', String(Buffer.byteLength(text))])
  response.end(text)
}
