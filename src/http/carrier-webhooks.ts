/** The doors for carriers that report by HTTP: `/carriers/{id}…`. Who may say what is judged by the carrier's own driver. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Carrier } from '../ports/carrier.ts'
import { discardBody, readBody } from './body.ts'
import type { HttpRoute } from './server.ts'

const PATH = '/carriers/'
const BODY_BYTES = 1024 * 1024

/** `carrier` finds a running carrier by its id. */
export function createCarrierWebhooks(tools: { readonly carrier: (id: string) => Carrier | undefined }): HttpRoute {
  return {
    path: PATH,
    handle: (request, response, target) => {
      const { id, rest } = split(target)
      const carrier = id === null ? undefined : tools.carrier(id)
      if (carrier?.answerWebhook === undefined) {
        discardBody(request)
        answer(response, 404, 'Not found\n')
        return
      }
      return new Promise((done, fail) => {
        request.on('close', done)
        readBody(request, BODY_BYTES, (body) => {
          if (body === null) answer(response, 413, 'Body too large\n')
          else hand(carrier, request, response, rest, body).then(done, fail)
        })
      })
    },
  }
}

async function hand(
  carrier: Carrier,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  body: Buffer,
): Promise<void> {
  const said = await carrier.answerWebhook?.({ method: request.method ?? '', path, headers: headersOf(request), body })
  if (said !== undefined) answer(response, said.status, said.body, said.contentType)
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
