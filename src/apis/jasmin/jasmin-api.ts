/** Jasmin's HTTP API: `/send`, `/rate`, `/balance` and `/ping`; and its REST API under `/secure/`. */
import type { IncomingMessage } from 'node:http'
import { bodyTooLarge, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { isEncoded } from '../../http/server/body.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import { type ApiAnswer, ApiPath, type ApiTools, type Arrived, isJson, splitTarget } from '../shared/api-path.ts'
import { type Arguments, type JasminEndpoint, readForm, readJsonArguments } from './arguments.ts'
import { execute, isError, type JasminOutcome } from './execute.ts'
import type { JasminError } from './jasmin-errors.ts'
import { createJasminRest } from './jasmin-rest.ts'
import { type WriteOutcome, writeBalance, writeRate, writeSend } from './write-outcome.ts'

const BODY_BYTES = 64 * 1024

export function createJasminApi(tools: ApiTools): readonly HttpRoute[] {
  return [
    endpoint(tools, 'send', ['GET', 'POST'], writeSend),
    endpoint(tools, 'rate', ['GET'], writeRate),
    endpoint(tools, 'balance', ['GET'], writeBalance),
    ping(tools),
    ...createJasminRest(tools),
  ]
}

function endpoint(tools: ApiTools, name: JasminEndpoint, methods: readonly string[], write: WriteOutcome): HttpRoute {
  const contentType = name === 'send' ? 'text/plain' : 'application/json'
  const answer = (outcome: JasminOutcome): ApiAnswer => ({
    status: isError(outcome) ? outcome.status : 200,
    // An address with a password is no document.
    headers: ['Content-Type', contentType, 'Cache-Control', 'private, no-store'],
    text: write(outcome),
  })
  return new ApiPath(
    {
      path: `/${name}`,
      methods,
      maxBytes: BODY_BYTES,
      copiesBody: true,
      refuse: (request) => (isEncoded(request) ? answer({ status: 400, text: REQUEST_ERRORS.compressed }) : null),
      fail: (why) => answer(why === 'busy' ? BUSY : { status: 413, text: bodyTooLarge(BODY_BYTES) }),
      answer: async (arrived) => {
        const args = argumentsIn(arrived)
        if (args === null) return answer(UNREADABLE)
        const found = name === 'balance' ? args : withDefaults(args)
        return answer(await execute(tools, name, found, tools.addresses.of(arrived.origin)))
      },
    },
    tools,
  )
}

const BUSY: JasminError = { status: 503, text: REQUEST_ERRORS.unavailable }
const UNREADABLE: JasminError = { status: 400, text: 'Arguments cannot be read' }

/** A query, a form or a JSON object; of several values with one name the first counts. */
function argumentsIn({ request, target, body }: Arrived): Arguments | null {
  const [, query] = splitTarget(target)
  if (request.method !== 'POST') return readForm(query)
  if (!isJson(request)) return readForm(`${query}&${body.toString('latin1')}`)
  const sent = readJsonArguments(body)
  const inQuery = readForm(query)
  return sent === null || inQuery === null ? null : new Map([...inQuery, ...sent])
}

/** Jasmin adds them before it looks for faults, so that no request is empty. */
function withDefaults(args: Arguments): Arguments {
  return args.size === 0 ? new Map([['coding', Buffer.from('0')]]) : args
}

/** Programs of the REST API ask for JSON alone. */
function ping(tools: ApiTools): HttpRoute {
  const pong = 'Jasmin/PONG'
  const answer = ({ headers }: IncomingMessage): ApiAnswer =>
    headers.accept === 'application/json'
      ? { headers: ['Content-Type', 'application/json'], text: JSON.stringify({ data: pong }) }
      : { headers: ['Content-Type', 'text/html'], text: pong }
  return new ApiPath(
    {
      path: '/ping',
      methods: ['GET'],
      maxBytes: 0,
      copiesBody: false,
      refuse: answer,
      fail: (_, request) => answer(request),
      answer: async ({ request }) => answer(request),
    },
    tools,
  )
}
