/** The doors for carriers that report by HTTP: `/carriers/{id}…`. Who may say what is judged by the carrier's own driver. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Carrier } from '../ports/carrier.ts'
import { BodyBudget, discardBody, readBodyWhile } from './body.ts'
import type { HttpRoute } from './server.ts'

const PATH = '/carriers/'
const BODY_BYTES = 1024 * 1024
/** What all bodies that are read or answered at one time may take together. */
const ALL_BODIES_BYTES = 64 * BODY_BYTES

interface Tools {
  /** Finds a running carrier by its id. */
  readonly carrier: (id: string) => Carrier | undefined
  /** A call was not believed or not understood; `unknown` stands for every carrier that there is not. */
  readonly onRefused: (carrierId: string) => void
}

export function createCarrierWebhooks(tools: Tools): HttpRoute {
  const budget = new BodyBudget(ALL_BODIES_BYTES)
  return {
    path: PATH,
    handle: (request, response, target) => {
      const { id, rest } = split(target)
      const carrier = id === null ? undefined : tools.carrier(id)
      if (carrier?.answerWebhook === undefined) {
        tools.onRefused(carrier?.id ?? 'unknown')
        discardBody(request)
        answer(response, 404, 'Not found\n')
        return
      }
      return new Promise((done, fail) => {
        request.on('close', done)
        readBounded(request, response, budget, (body) => {
          if (typeof body === 'number') {
            if (body === 413) tools.onRefused(carrier.id)
            answer(response, body, body === 413 ? 'Body too large\n' : 'Busy\n')
          } else {
            hand(carrier, request, response, rest, body)
              .then((status) => {
                if (status >= 400 && status < 500) tools.onRefused(carrier.id)
                done()
              })
              .catch(fail)
          }
        })
      })
    },
  }
}

/** Calls `done` once, with the body or with the status of the refusal: 413, or 503 while too many others are read. */
function readBounded(
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
  done: (body: Buffer | 413 | 503) => void,
): void {
  let size = 0
  let refusal: 413 | 503 = 503
  const room = (bytes: number): boolean => {
    if (size + bytes > BODY_BYTES) refusal = 413
    else if (budget.take(bytes)) {
      size += bytes
      return true
    }
    return false
  }
  response.on('close', () => budget.giveBack(size))
  readBodyWhile(request, room, (body) => done(body ?? refusal))
}

/** Answers with the status that the carrier was given. */
async function hand(
  carrier: Carrier,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  body: Buffer,
): Promise<number> {
  const said = await carrier.answerWebhook?.({ method: request.method ?? '', path, headers: headersOf(request), body })
  if (said !== undefined) answer(response, said.status, said.body, said.contentType)
  return said?.status ?? 404
}

/** `/carriers/acme/token?x=1` is the carrier `acme` and the rest `/token?x=1`. */
function split(target: string): { readonly id: string | null; readonly rest: string } {
  const match = /^([^/?]+)(.*)$/.exec(target.slice(PATH.length))
  if (match === null) return { id: null, rest: '' }
  try {
    return { id: decodeURIComponent(match[1] ?? ''), rest: match[2] ?? '' }
  } catch {
    return { id: null, rest: '' }
  }
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

function answer(response: ServerResponse, status: number, body: string, contentType = 'text/plain'): void {
  response.writeHead(status, ['Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(body))])
  response.end(body)
}
