/** The addresses of the older protocols. They are off unless the operator turns them on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRefusal } from '../../contract/envelope.ts'
import type { OlderProtocol } from '../../contract/older-protocols.ts'
import type { Run } from '../../operations/run.ts'
import type { WorkForKey } from '../../operations/work-for-key.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Bodies, type BodyHold, discardBody } from '../body.ts'
import { type ClientAddresses, originOf } from '../client-address.ts'
import { markRefused } from '../refusals.ts'
import type { HttpRoute } from '../server.ts'
import { createAsk, createReadInTurn, type OlderApi } from './ask.ts'
import { answerHttp } from './http-protocol.ts'
import { answerXml, UNKNOWN_ERROR, WRONG_FORMAT, writeFailure } from './xml-protocol.ts'

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

interface PathSetup {
  readonly path: string
  readonly methods: readonly string[]
  readonly maxBytes: number
  readonly contentType: string
  /** Answered in place of a body that is too large, and without memory for one. */
  readonly tooLarge: string
  readonly busy: string
  readonly answer: (body: Buffer, target: string, api: OlderApi, now: number) => Promise<string>
}

const PATHS: Readonly<Record<OlderProtocol, PathSetup>> = {
  http: {
    path: HTTP_PATH,
    methods: ['GET', 'POST'],
    maxBytes: FORM_BYTES,
    contentType: 'text/plain; charset=utf-8',
    tooLarge: 'errors:The request is too large\n',
    busy: 'errors:Service unavailable, try again later\n',
    answer: async (body, target, { ask }) => {
      const params = paramsOf(target, body)
      return params === null ? 'errors:Too many parameters\n' : answerHttp(params, ask)
    },
  },
  xml: {
    path: XML_PATH,
    methods: ['POST'],
    maxBytes: XML_BYTES,
    contentType: 'text/xml; charset=utf-8',
    tooLarge: writeFailure(WRONG_FORMAT),
    busy: writeFailure(UNKNOWN_ERROR),
    answer: (body, _, api, now) => answerXml(body, api, now),
  },
}

class OlderPath implements HttpRoute {
  readonly path: string
  readonly methods: readonly string[]
  readonly #setup: PathSetup
  readonly #tools: OlderTools

  constructor(setup: PathSetup, tools: OlderTools) {
    this.path = setup.path
    this.methods = setup.methods
    this.#setup = setup
    this.#tools = tools
  }

  async handle(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const { bodies } = this.#tools
    const { maxBytes, tooLarge, busy } = this.#setup
    const hold = bodies.open(originOf(request))
    if (!hold.grow(REQUEST_BYTES)) {
      discardBody(request)
      this.#write(response, busy)
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
    const reserve = (bytes: number): boolean => hold.grow(bytes)
    const from = { address: () => addresses.of(origin), reserve }
    const runAndMark: Run = async (asked) => {
      const text = await run(asked)
      if (isRefusal(text)) markRefused(response)
      return text
    }
    const api = { ask: createAsk(runAndMark, from), readInTurn: createReadInTurn(workForKey, from) }
    this.#write(response, await this.#setup.answer(body, target, api, clock.now()))
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

/** Values of the form replace those of the query. Null for too many, which are not parsed: the key is one of them. */
function paramsOf(target: string, body: Buffer): URLSearchParams | null {
  const query = target.indexOf('?')
  const sent = `${query < 0 ? '' : target.slice(query + 1)}&${body.toString()}`
  let count = 1
  for (let at = sent.indexOf('&'); at >= 0; at = sent.indexOf('&', at + 1)) {
    count += 1
    if (count > MAX_PARAMS) return null
  }
  return new URLSearchParams(sent)
}
