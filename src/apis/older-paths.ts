/** The addresses of the older protocols. They are off unless the operator turns them on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OlderProtocol } from '../contract/operations/older-protocols.ts'
import { isRefusal } from '../contract/request/envelope.ts'
import { REQUEST_ERRORS } from '../contract/request/error-texts.ts'
import { type Bodies, type BodyHold, discardBody, isEncoded } from '../http/server/body.ts'
import { type ClientAddresses, originOf } from '../http/server/client-address.ts'
import { markRefused } from '../http/server/refusals.ts'
import type { HttpRoute } from '../http/server/server.ts'
import type { WorkForKey } from '../operations/request/work-for-key.ts'
import type { Run } from '../operations/run/run.ts'
import type { Clock } from '../ports/system/clock.ts'
import { answerHttp } from './query/http-protocol.ts'
import { createAsk, createOpenAccount, type OlderApi } from './translate/ask.ts'
import { answerXml, UNKNOWN_ERROR, WRONG_FORMAT, writeFailure } from './xml/xml-protocol.ts'

export interface OlderTools {
  readonly run: Run
  readonly workForKey: WorkForKey
  readonly bodies: Bodies
  readonly addresses: ClientAddresses
  readonly clock: Clock
}

const HTTP_PATH = '/api/http.php'
const XML_PATH = '/api/xml.php'
const FORM_BYTES = 64 * 1024
/** All commands together have fewer than 30. */
const MAX_PARAMS = 64
/** A thousand messages. */
const XML_BYTES = 128 * 1024

/** Memory of a running request beside its body. */
const REQUEST_BYTES = 16 * 1024

export function createOlderPaths(tools: OlderTools, protocols: readonly OlderProtocol[]): readonly HttpRoute[] {
  return protocols.map((protocol) => new OlderPath(PATHS[protocol], tools))
}

interface Sent {
  readonly body: Buffer
  readonly contentType: string
  /** The path with its query. */
  readonly target: string
}

interface PathSetup {
  readonly path: string
  readonly methods: readonly string[]
  readonly maxBytes: number
  readonly contentType: string
  readonly lenientQuery?: boolean
  /** Answered in place of a body that is too large or compressed, and without memory for one. */
  readonly tooLarge: string
  readonly encoded: string
  readonly busy: string
  readonly answer: (sent: Sent, api: OlderApi, now: number) => Promise<string>
}

const PATHS: Readonly<Record<OlderProtocol, PathSetup>> = {
  http: {
    path: HTTP_PATH,
    methods: ['GET', 'POST'],
    maxBytes: FORM_BYTES,
    lenientQuery: true,
    contentType: 'text/plain; charset=utf-8',
    tooLarge: 'errors:The request is too large\n',
    encoded: `errors:${REQUEST_ERRORS.compressed}\n`,
    busy: 'errors:Service unavailable, try again later\n',
    answer: async (sent, api) => {
      const params = await paramsOf(sent)
      return typeof params === 'string' ? `errors:${params}\n` : answerHttp(params, api)
    },
  },
  xml: {
    path: XML_PATH,
    // A client library sends its document with GET.
    methods: ['GET', 'POST'],
    maxBytes: XML_BYTES,
    contentType: 'text/xml; charset=utf-8',
    tooLarge: writeFailure(WRONG_FORMAT),
    encoded: writeFailure(WRONG_FORMAT),
    busy: writeFailure(UNKNOWN_ERROR),
    answer: ({ body }, api, now) => answerXml(body, api, now),
  },
}

class OlderPath implements HttpRoute {
  readonly path: string
  readonly methods: readonly string[]
  readonly lenientQuery: boolean
  readonly #setup: PathSetup
  readonly #tools: OlderTools

  constructor(setup: PathSetup, tools: OlderTools) {
    this.path = setup.path
    this.methods = setup.methods
    this.lenientQuery = setup.lenientQuery === true
    this.#setup = setup
    this.#tools = tools
  }

  async handle(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const { bodies } = this.#tools
    const { maxBytes, tooLarge, encoded, busy } = this.#setup
    // The first request of a connection is the one that may have unescaped letters.
    if (this.lenientQuery) response.shouldKeepAlive = false
    const hold = bodies.open(originOf(request))
    const isTaken = !isEncoded(request) && hold.grow(REQUEST_BYTES)
    if (!isTaken) {
      discardBody(request)
      this.#write(response, isEncoded(request) ? encoded : busy)
      return
    }
    await bodies.read(request, response, { hold, maxBytes }, async (body) => {
      if (body === 'too large') this.#write(response, tooLarge)
      // The operations are a second copy of the body.
      else if (body === 'busy' || !hold.grow(body.length)) this.#write(response, busy)
      else await this.#answer({ request, response, hold }, body, target)
    })
  }

  async #answer({ request, response, hold }: Arrived, body: Buffer, target: string): Promise<void> {
    const { run, workForKey, addresses, clock } = this.#tools
    const origin = originOf(request)
    const contentType = request.headers['content-type'] ?? ''
    const reserve = (bytes: number): boolean => hold.grow(bytes)
    const from = { address: () => addresses.of(origin), reserve }
    const runAndMark: Run = async (asked) => {
      const text = await run(asked)
      if (isRefusal(text)) markRefused(response)
      return text
    }
    const open = createOpenAccount(workForKey, from)
    const openAndMark: OlderApi['open'] = async (key, read) => {
      const account = await open(key, read)
      if (typeof account === 'string') markRefused(response)
      return account
    }
    const api = { ask: createAsk(runAndMark, from), open: openAndMark }
    this.#write(response, await this.#setup.answer({ body, contentType, target }, api, clock.now()))
  }

  /** Answers must not be cached: an address with a command is no document. */
  #write(response: ServerResponse, text: string): void {
    const headers = { 'content-type': this.#setup.contentType, 'cache-control': 'private, no-store' }
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
}

interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly hold: BodyHold
}

/** Values of the form replace those of the query. Returns why they are not read; the key is one of them. */
async function paramsOf({ target, body, contentType }: Sent): Promise<URLSearchParams | string> {
  const start = target.indexOf('?')
  const query = start < 0 ? '' : target.slice(start + 1)
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    const sent = `${query}&${body.toString()}`
    return countOf(sent, '&') >= MAX_PARAMS ? TOO_MANY : new URLSearchParams(sent)
  }
  if (countOf(query, '&') + countOf(body.toString('latin1').toLowerCase(), 'content-disposition:') >= MAX_PARAMS) {
    return TOO_MANY
  }
  const params = new URLSearchParams(query)
  try {
    const form = await new Response(...withLongBoundary(body, contentType)).formData()
    for (const [name, value] of form) if (typeof value === 'string') params.append(name, value)
    return params
  } catch {
    return 'The form cannot be read'
  }
}

/** Node reads boundaries from this length on, and programs send shorter ones, such as `xYzZY` of Perl. */
const SHORTEST_BOUNDARY = 27

function withLongBoundary(body: Buffer, contentType: string): [body: Buffer, init: ResponseInit] {
  const [parameter = '', quoted, bare] = /\bboundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare ?? ''
  if (boundary === '' || boundary.length >= SHORTEST_BOUNDARY)
    return [body, { headers: { 'content-type': contentType } }]
  const long = boundary.padEnd(SHORTEST_BOUNDARY, 'x')
  const lines = `\r\n${body.toString('latin1')}`.replaceAll(`\r\n--${boundary}`, `\r\n--${long}`).slice(2)
  return [
    Buffer.from(lines, 'latin1'),
    { headers: { 'content-type': contentType.replace(parameter, `boundary="${long}"`) } },
  ]
}

const TOO_MANY = 'Too many parameters'

/** Stops at the maximum. */
function countOf(text: string, mark: string): number {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0 && count < MAX_PARAMS; at = text.indexOf(mark, at + mark.length)) count += 1
  return count
}
