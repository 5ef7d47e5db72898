/** Kannel's HTTP interface: `/cgi-bin/sendsms` and `/cgi-bin/status`, with the name and password of a login. */
import { isEncoded } from '../../http/server/body.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import type { LoginAccess, LoginRefusal } from '../../operations/request/logins.ts'
import { type ApiAnswer, ApiPath, type ApiTools, type Arrived, splitTarget } from '../shared/api-path.ts'
import { readAnswer } from '../translate/ask.ts'
import { type Parameters, parameterText, readParameters } from './parameters.ts'
import { MISFORMED_BODY, misformed, readKannelSend } from './read-send.ts'
import { DENIED, type KannelAnswer, sendSms, TRY_LATER } from './send-sms.ts'
import { type StatusFacts, writeStatusText, writeStatusXml } from './status.ts'

/** Also of some thousand receivers; the head of a GET has at most 16 KiB. */
const BODY_BYTES = 64 * 1024
const SEND_PATH = '/cgi-bin/sendsms'
const STATUS_PATH = '/cgi-bin/status'
const CONTENT_TYPE = misformed('Invalid content-type')

const STATUS_FORMS = {
  '': { type: 'text/plain', write: writeStatusText },
  '.txt': { type: 'text/plain', write: writeStatusText },
  '.html': { type: 'text/html', write: (facts: StatusFacts) => `<pre>\n${writeStatusText(facts)}</pre>\n` },
  '.xml': { type: 'text/xml', write: writeStatusXml },
} as const

export function createKannelApi(tools: ApiTools): readonly HttpRoute[] {
  const api = new KannelApi(tools)
  const forms = Object.entries(STATUS_FORMS).map(([ending, { type, write }]) => {
    return { path: `${STATUS_PATH}${ending}`, answer: (arrived: Arrived) => api.status(arrived, type, write) }
  })
  return [{ path: SEND_PATH, answer: api.send }, ...forms].map(({ path, answer }) => {
    const form = {
      path,
      methods: ['GET', 'POST'],
      maxBytes: BODY_BYTES,
      copiesBody: true,
      refuse: (request: Arrived['request']) => (isEncoded(request) ? write(CONTENT_TYPE) : null),
      fail: (why: 'too large' | 'busy') => write(why === 'busy' ? TRY_LATER : MISFORMED_BODY),
      answer,
    }
    return new ApiPath(form, tools)
  })
}

class KannelApi {
  readonly #tools: ApiTools
  /** Monotonic. */
  readonly #startedAt: number

  constructor(tools: ApiTools) {
    this.#tools = tools
    this.#startedAt = tools.clock.monotonic()
  }

  readonly send = async (arrived: Arrived): Promise<ApiAnswer> => {
    const parameters = parametersOf(arrived)
    if (parameters === null) return write(CONTENT_TYPE)
    const who = this.#open(parameters, arrived)
    if (typeof who === 'string') return write(who === 'wait' ? TRY_LATER : DENIED)
    const { clock, hookGuard, runFor } = this.#tools
    const now = clock.now()
    const isPost = arrived.request.method === 'POST'
    const facts = { login: who.login, now, hookGuard, isPost }
    const send = readKannelSend(parameters, facts)
    return write('status' in send ? send : await sendSms(runFor, who, send, now))
  }

  /** Figures of the account alone: the installation is the operator's affair. */
  async status(arrived: Arrived, type: string, writeFacts: (facts: StatusFacts) => string): Promise<ApiAnswer> {
    const parameters = parametersOf(arrived)
    const who = parameters === null ? 'denied' : this.#open(parameters, arrived)
    if (typeof who === 'string') return write({ status: 403, text: 'Denied' })
    const { error, results } = readAnswer(await this.#tools.runFor(who, [{ type: 'statistics' }]))
    if (error !== null) return write(TRY_LATER)
    const facts = factsOf(results[0]?.data, this.#tools.clock.monotonic() - this.#startedAt)
    return { headers: headersOf(type), text: writeFacts(facts) }
  }

  #open(parameters: Parameters, { origin }: Arrived): LoginAccess | LoginRefusal {
    const { logins, addresses } = this.#tools
    const name = parameterText(parameters, 'username', 'user') ?? ''
    const password = parameterText(parameters, 'password', 'pass') ?? ''
    return name === '' ? 'denied' : logins.open(name, password, addresses.of(origin))
  }
}

function parametersOf({ request, target, body }: Arrived): Parameters | null {
  const [, query] = splitTarget(target)
  return readParameters({ request, query, body })
}

function factsOf(data: unknown, upMs: number): StatusFacts {
  const [line = {}] = Array.isArray(data) ? (data as readonly Readonly<Record<string, number>>[]) : []
  const { asked = 0, taken = 0, delivered = 0, failed = 0, reports_sent: reports = 0 } = line
  return { upMs, asked, taken, delivered, failed, reports }
}

function headersOf(type: string): readonly string[] {
  // An address with a password is no document.
  return ['Content-Type', type, 'Cache-Control', 'no-cache, no-store', 'X-Content-Type-Options', 'nosniff']
}

function write({ status, text }: KannelAnswer): ApiAnswer {
  return { status, headers: headersOf('text/html'), text, isRefusal: status >= 400 }
}
