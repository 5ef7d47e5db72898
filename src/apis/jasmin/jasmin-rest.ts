/** Jasmin's REST API: its HTTP API with Basic authentication and JSON, and batches. */
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { isEncoded } from '../../http/server/body.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import { type ApiAnswer, ApiPath, type ApiTools, type Arrived, splitTarget } from '../shared/api-path.ts'
import { readJsonObject } from '../shared/raw-params.ts'
import { type Arguments, dashed, dashedArguments, type JasminEndpoint, readForm } from './arguments.ts'
import { type BatchFault, runBatch } from './batch.ts'
import { BatchCallbacks } from './batch-callbacks.ts'
import { execute, isError, type JasminOutcome } from './execute.ts'
import { writeBalance, writeRate, writeSend } from './write-outcome.ts'

const BODY_BYTES = 64 * 1024
const BATCH_BYTES = 1024 * 1024

export function createJasminRest(tools: ApiTools): readonly HttpRoute[] {
  const callbacks = new BatchCallbacks(tools.hookPost, tools.clock)
  return [
    path(tools, { path: '/secure/send', method: 'POST', maxBytes: BODY_BYTES }, (login, arrived) => {
      const sent = readJsonObject(arrived.body)
      return sent === null ? refuse(UNREADABLE) : one(tools, 'send', { ...sent, ...login }, arrived)
    }),
    path(tools, { path: '/secure/rate', method: 'GET', maxBytes: BODY_BYTES }, (login, { target, origin }) => {
      const args = readForm(splitTarget(target)[1])
      if (args === null) return refuse(UNREADABLE)
      const named = [...args].map(([name, value]) => [dashed(name), value] as const)
      return answerOne(tools, 'rate', new Map([...named, ...dashedArguments(login)]), tools.addresses.of(origin))
    }),
    path(tools, { path: '/secure/balance', method: 'GET', maxBytes: BODY_BYTES }, (login, arrived) =>
      one(tools, 'balance', login, arrived),
    ),
    path(tools, { path: '/secure/sendbatch', method: 'POST', maxBytes: BATCH_BYTES }, async (login, arrived) => {
      const sent = readJsonObject(arrived.body)
      if (sent === null) return refuse(UNREADABLE)
      const result = await runBatch(tools, callbacks, sent, { ...login, address: tools.addresses.of(arrived.origin) })
      return 'title' in result ? refuse(result) : json(200, { data: result })
    }),
  ]
}

const UNREADABLE: BatchFault = { title: 'Cannot parse JSON data', description: 'Got unparseable json data' }

function refuse(fault: BatchFault): ApiAnswer {
  return json(412, fault)
}

/** The name and password of a Basic header. */
interface BasicLogin {
  readonly username: string
  readonly password: string
}

interface Place {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly maxBytes: number
}

function path(
  tools: ApiTools,
  { path: where, method, maxBytes }: Place,
  answer: (login: BasicLogin, arrived: Arrived) => ApiAnswer | Promise<ApiAnswer>,
): HttpRoute {
  const form = {
    path: where,
    methods: [method],
    maxBytes,
    copiesBody: true,
    refuse: (request: Arrived['request']) => {
      if (basicOf(request) === null) return UNAUTHORIZED
      return isEncoded(request) ? json(400, { message: REQUEST_ERRORS.compressed }) : null
    },
    fail: (why: 'busy' | 'too large') =>
      why === 'busy' ? json(503, { message: REQUEST_ERRORS.unavailable }) : json(413, { message: TOO_LARGE }),
    answer: async (arrived: Arrived) => {
      const login = basicOf(arrived.request)
      return login === null ? UNAUTHORIZED : answer(login, arrived)
    },
  }
  return new ApiPath(form, tools)
}

const TOO_LARGE = 'The body is too large'

const UNAUTHORIZED: ApiAnswer = {
  ...json(401, { title: 'Authentication required', description: 'Please provide a valid Basic auth token' }),
  headers: ['Content-Type', 'application/json', 'Cache-Control', 'private, no-store', 'WWW-Authenticate', 'Basic'],
}

function basicOf({ headers }: Arrived['request']): BasicLogin | null {
  const [, encoded = ''] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return username === undefined || password === undefined ? null : { username, password }
}

function one(tools: ApiTools, endpoint: JasminEndpoint, members: object, { origin }: Arrived): Promise<ApiAnswer> {
  return answerOne(tools, endpoint, dashedArguments(members), tools.addresses.of(origin))
}

async function answerOne(
  tools: ApiTools,
  endpoint: JasminEndpoint,
  args: Arguments,
  address: string | null,
): Promise<ApiAnswer> {
  return write(endpoint, await execute(tools, endpoint, args, address))
}

const WRITERS = { send: writeSend, rate: writeRate, balance: writeBalance } as const

/** Jasmin takes the answer of its HTTP API and cuts the quotes at its ends, also the one that closes the message id. */
function write(endpoint: JasminEndpoint, outcome: JasminOutcome): ApiAnswer {
  const text = WRITERS[endpoint](outcome).replace(/^"+|"+$/g, '')
  if (isError(outcome)) return json(outcome.status, { message: text })
  return json(200, { data: text.startsWith('{') ? JSON.parse(text) : text })
}

function json(status: number, value: object): ApiAnswer {
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'private, no-store']
  return { status, headers, text: JSON.stringify(value) }
}
