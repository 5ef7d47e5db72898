/** Webhooks of carriers: `/carriers/{id}…`. The carrier's driver authenticates them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Carrier } from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { Bodies, discardBody } from '../server/body.ts'
import { type ClientAddresses, requestOriginOf } from '../server/client-address.ts'
import { isRefusedStatus } from '../server/refusals.ts'
import type { HttpRoute } from '../server/server.ts'
import { RefusedBytes, SMALL_BODY_BYTES } from './refused-bytes.ts'

const PATH = '/carriers/'
const MIB = 1024 * 1024
/** Maximum bytes of all bodies read or answered at one time. */
const ALL_BODIES_BYTES = 64 * MIB

interface Tools {
  /** Finds a running carrier by its id. */
  readonly carrier: (id: string) => Carrier | undefined
  /** A webhook was rejected or not understood; `unknown` stands for all carriers that do not exist. */
  readonly onRefused: (carrierId: string) => void
  readonly clock: Clock
  readonly addresses: ClientAddresses
}

export function createCarrierWebhooks(tools: Tools): HttpRoute {
  const bodies = new Bodies({ maxBytes: ALL_BODIES_BYTES, clock: tools.clock, addresses: tools.addresses })
  const refusedBytes = new RefusedBytes(tools.clock)
  return {
    path: PATH,
    handle: async (request, response, target) => {
      const { id, rest } = split(target)
      const carrier = id === null ? undefined : tools.carrier(id)
      const answerWebhook = carrier?.answerWebhook?.bind(carrier)
      if (carrier === undefined || answerWebhook === undefined) {
        tools.onRefused(carrier?.id ?? 'unknown')
        discardBody(request)
        answer(response, 404, 'Not found\n')
        return
      }
      const head = { method: request.method ?? '', path: rest, headers: headersOf(request) }
      // Discards the body if address and headers already fail authentication.
      const refusal = carrier.refuseWebhook?.(head) ?? null
      if (refusal !== null) {
        tools.onRefused(carrier.id)
        discardBody(request)
        answer(response, refusal.status, refusal.body, refusal.contentType)
        return
      }
      const origin = requestOriginOf(request)
      const address = bodies.addressOf(origin)
      const isOver = refusedBytes.isOver(address)
      const maxBytes = isOver ? SMALL_BODY_BYTES : (carrier.maxWebhookBytes ?? MIB)
      const limits = { hold: bodies.open(origin), maxBytes }
      await bodies.read(request, response, limits, async (body) => {
        if (body === 'too large') {
          tools.onRefused(carrier.id)
          if (isOver) answer(response, 429, 'Too many large bodies were refused: try again in a minute\n')
          else answer(response, 413, 'Body too large\n')
        } else if (body === 'busy') {
          answer(response, 503, 'Busy\n')
        } else {
          const given = await answerWebhook({ ...head, body })
          answer(response, given.status, given.body, given.contentType)
          if (!isRefusedStatus(given.status)) return
          tools.onRefused(carrier.id)
          refusedBytes.add(address, body.length)
        }
      })
    },
  }
}

/** Splits `/carriers/acme/token?x=1` into carrier `acme` and rest `/token?x=1`. */
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
