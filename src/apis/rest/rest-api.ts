/**
 * The REST API under `/v1/`. Each request becomes one operation of the JSON API, which decides everything; its result
 * is the body of the answer, and its error a problem (RFC 9457) whose status follows from the code.
 */
import type { IncomingMessage } from 'node:http'
import { isObject } from '../../contract/request/envelope.ts'
import { codeOf } from '../../contract/request/error-codes.ts'
import { bodyTooLarge, notASendType, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { readJson, readText } from '../../contract/request/read-json.ts'
import { Refused } from '../../contract/request/refused.ts'
import { REQUEST_ID, REST_BODY_BYTES, REST_MESSAGE_PATH, REST_PREFIX } from '../../contract/rest/rest-endpoints.ts'
import {
  NOT_FOUND,
  PROBLEM_STATUSES,
  PROBLEM_TYPE,
  type ProblemCode,
  writeProblem,
} from '../../contract/rest/rest-problems.ts'
import { isEncoded } from '../../http/server/body.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import { operationGroup } from '../../operations/run/plan-item.ts'
import { type ApiAnswer, ApiPath, type ApiTools, type Arrived, headersOf, isJson } from '../shared/api-path.ts'
import { ApiRequest } from '../shared/api-request.ts'
import { type FoundEndpoint, findEndpoint, isMethodOf } from './find-endpoint.ts'
import { type RestResult, readResult } from './read-result.ts'

export function createRestApi(tools: ApiTools): readonly HttpRoute[] {
  const api = new RestApi(tools)
  const form = {
    path: REST_PREFIX,
    maxBytes: REST_BODY_BYTES,
    copiesBody: true,
    refuse: api.refuse,
    fail: api.fail,
    answer: api.answer,
  }
  return [new ApiPath(form, tools)]
}

/** What is wrong with a request before it is run. */
interface Fault {
  readonly code: ProblemCode
  readonly detail: string
  readonly field?: string
  readonly headers?: readonly string[]
}

const NO_SUCH_PATH: Fault = { code: NOT_FOUND, detail: 'There is nothing at this path' }
const DENIED: Fault = { code: 'access_denied', detail: REQUEST_ERRORS.accessDenied }

class RestApi {
  readonly #tools: ApiTools

  constructor(tools: ApiTools) {
    this.#tools = tools
  }

  /** Checks the head of a request, and finds its endpoint. */
  readonly refuse = (request: IncomingMessage, target: string): ApiAnswer | FoundEndpoint => {
    const found = findEndpoint(request.method ?? '', target)
    const fault = found === null ? wrongPlace(target) : faultIn(request)
    return found === null || fault !== null ? this.#problem(request, fault ?? NO_SUCH_PATH) : found
  }

  readonly fail = (why: 'too large' | 'busy', request: IncomingMessage): ApiAnswer =>
    this.#problem(request, faultOf(why === 'busy' ? REQUEST_ERRORS.unavailable : bodyTooLarge(REST_BODY_BYTES)))

  readonly answer = async (arrived: Arrived<FoundEndpoint>): Promise<ApiAnswer> => {
    const { request, head } = arrived
    const operation = this.#operationOf(arrived)
    if (typeof operation !== 'string') return this.#problem(request, operation)
    const result = readResult(await this.#run(arrived, operation))
    if (result.kind === 'error') return this.#problem(request, result)
    return this.#success(request, head, result)
  }

  #run({ request, origin, hold }: Arrived<FoundEndpoint>, operation: string): Promise<string> {
    const { run, bodies, addresses } = this.#tools
    const headers = headersOf(request)
    const parts = {
      ...headers,
      // Reading stores no answer.
      idempotencyKey: request.method === 'GET' ? null : headers.idempotencyKey,
      mode: 'sync' as const,
      body: Buffer.from(`{"data":[${operation}]}`),
      origin,
      hold,
    }
    return run(new ApiRequest(parts, bodies, addresses))
  }

  /** Returns the operation as JSON, or why there is none. */
  #operationOf({ request, body, head: { endpoint, members } }: Arrived<FoundEndpoint>): string | Fault {
    if (endpoint.method === 'GET' || body.length === 0) return JSON.stringify(members)
    if (!isJson(request)) return faultOf(REQUEST_ERRORS.contentType)
    try {
      const text = readText(body).trim()
      const sent = readJson(text)
      if (!isObject(sent)) return faultOf(NOT_AN_OBJECT)
      if ('auth' in sent) return KEY_IN_BODY
      if (endpoint.type === null && !this.#mayBeSend(sent)) return { ...faultOf(notASendType('type')), field: 'type' }
      return withMembers(text, members)
    } catch (error) {
      if (error instanceof Refused) return faultOf(error.message)
      throw error
    }
  }

  /** A type that does not exist has an error text of its own. */
  #mayBeSend(sent: object): boolean {
    return ['send', 'unknown'].includes(operationGroup(sent, this.#tools.chatappNames))
  }

  #success(request: IncomingMessage, { endpoint }: FoundEndpoint, { text, members }: RestResult): ApiAnswer {
    const { creates } = endpoint
    const location = creates === undefined ? [] : ['Location', `${REST_MESSAGE_PATH}${String(members[creates])}`]
    const headers = ['Content-Type', 'application/json', ...this.#everyHeader(request), ...location]
    return { status: creates === undefined ? 200 : 201, headers, text }
  }

  #problem(request: IncomingMessage, { code, detail, field, headers = [] }: Fault): ApiAnswer {
    const { status, retryAfter } = PROBLEM_STATUSES[code]
    return {
      status,
      headers: [
        ...['Content-Type', PROBLEM_TYPE],
        ...this.#everyHeader(request),
        ...(status === 401 ? ['WWW-Authenticate', 'Bearer'] : []),
        ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
        ...headers,
      ],
      text: writeProblem(code, detail, field),
    }
  }

  /** Answers are of one account, and hold texts and numbers. */
  #everyHeader({ headers }: IncomingMessage): readonly string[] {
    const sent = headers['x-request-id']
    const id =
      typeof sent === 'string' && REQUEST_ID.test(sent)
        ? sent
        : Buffer.from(this.#tools.random.bytes(16)).toString('hex')
    return ['X-Request-Id', id, 'Cache-Control', 'no-store']
  }
}

/** It would be a second key, that nothing checks. */
const KEY_IN_BODY: Fault = {
  code: 'invalid_field',
  detail: 'auth: the key is sent in the header Authorization: Bearer',
  field: 'auth',
}
const NOT_AN_OBJECT = 'The body must be a JSON object'

/** Of a request without an endpoint. */
function wrongPlace(target: string): Fault {
  const allowed = ['GET', 'POST'].filter((each) => isMethodOf(each, target))
  if (allowed.length === 0) return NO_SUCH_PATH
  return {
    code: 'method_not_allowed',
    detail: `Only ${allowed.join(', ')} is answered here`,
    headers: ['Allow', allowed.join(', ')],
  }
}

/** In the order in which they are checked. */
function faultIn(request: IncomingMessage): Fault | null {
  if (!/^Bearer +\S/i.test(request.headers.authorization ?? '')) return DENIED
  return isEncoded(request) ? faultOf(REQUEST_ERRORS.compressed) : null
}

function faultOf(text: string): Fault {
  return { code: codeOf(text), detail: text }
}

/** Appends members to the text of an object: of double members the last counts. Ids stay as they were written. */
function withMembers(object: string, members: Readonly<Record<string, unknown>>): string {
  const added = JSON.stringify(members).slice(1)
  const start = object.slice(0, -1).trimEnd()
  return start === '{' || added === '}' ? `${start}${added}` : `${start},${added}`
}
