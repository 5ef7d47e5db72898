/**
 * What the paths of all APIs have in common: a body is read only if its head allows it, and within a memory budget that
 * all bodies and answers share. Each API says what it refuses, and how it answers, in its own form.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ChatappNames } from '../../contract/operations/chatapp-names.ts'
import type { Limits } from '../../contract/request/limits.ts'
import { type Bodies, type BodyHold, type BodyRefusal, discardBody } from '../../http/server/body.ts'
import { type ClientAddresses, type RequestOrigin, requestOriginOf } from '../../http/server/client-address.ts'
import { markRefused } from '../../http/server/refusals.ts'
import type { HttpRoute } from '../../http/server/server.ts'
import type { HookGuard } from '../../operations/request/check-hook.ts'
import type { Logins } from '../../operations/request/logins.ts'
import type { WorkForKey } from '../../operations/request/work-for-key.ts'
import type { Run, RunFor } from '../../operations/run/run.ts'
import type { HookPost } from '../../ports/hooks/hook-post.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import type { RequestHeaders } from './api-request.ts'

/** Dependencies of all APIs. */
export interface ApiTools {
  readonly run: Run
  readonly runFor: RunFor
  readonly logins: Logins
  readonly workForKey: WorkForKey
  readonly bodies: Bodies
  readonly addresses: ClientAddresses
  readonly clock: Clock
  readonly random: Random
  readonly chatappNames: ChatappNames
  readonly hookGuard: HookGuard
  /** Calls of clients' addresses that are no reports. */
  readonly hookPost: Pick<HookPost, 'post'>
  readonly limits: Limits
  /** Of a request with many operations. */
  readonly maxBytes: number
}

export interface ApiAnswer {
  /** 200 if absent. */
  readonly status?: number
  /** Names and values in turn, without Content-Length. */
  readonly headers: readonly string[]
  readonly text: string
  /** Nothing was done (refusals.ts), although the status does not say so. */
  readonly isRefusal?: boolean
}

/** A request whose body has arrived. `Head` is what its API has read of its head. */
export interface Arrived<Head = null> {
  readonly head: Head
  readonly request: IncomingMessage
  /** The path with its query. */
  readonly target: string
  readonly body: Buffer
  readonly origin: RequestOrigin
  readonly hold: BodyHold
}

/** One path of an API. */
export interface ApiForm<Head extends object | null = null> {
  readonly path: string
  /** The server refuses others; all if absent. */
  readonly methods?: readonly string[]
  readonly maxBytes: number
  readonly lenientQuery?: boolean
  /** Whether the body is copied to become a request of the JSON API. */
  readonly copiesBody: boolean
  /** Returns the answer to a request whose body is not read, otherwise what `answer` needs of its head. */
  readonly refuse: (request: IncomingMessage, target: string) => ApiAnswer | Head
  /** Returns the answer to a request whose body is too large, or for which there is no memory. */
  readonly fail: (why: BodyRefusal, request: IncomingMessage) => ApiAnswer
  readonly answer: (arrived: Arrived<Head>) => Promise<ApiAnswer>
}

/** Memory of a running request beside its body; bounds the number of running requests. */
export const REQUEST_BYTES = 16 * 1024

export class ApiPath<Head extends object | null = null> implements HttpRoute {
  readonly path: string
  readonly methods?: readonly string[]
  readonly lenientQuery: boolean
  readonly #form: ApiForm<Head>
  readonly #bodies: Bodies

  constructor(form: ApiForm<Head>, { bodies }: Pick<ApiTools, 'bodies'>) {
    this.path = form.path
    if (form.methods !== undefined) this.methods = form.methods
    this.lenientQuery = form.lenientQuery === true
    this.#form = form
    this.#bodies = bodies
  }

  async handle(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const { maxBytes, copiesBody, refuse, fail, answer } = this.#form
    // The first request of a connection is the one that may have unescaped letters.
    if (this.lenientQuery) response.shouldKeepAlive = false
    const origin = requestOriginOf(request)
    const hold = this.#bodies.open(origin)
    const head = refuse(request, target)
    if (isAnswer(head) || !hold.grow(REQUEST_BYTES)) {
      discardBody(request)
      write(response, isAnswer(head) ? head : fail('busy', request))
      return
    }
    await this.#bodies.read(request, response, { hold, maxBytes }, async (body) => {
      if (typeof body === 'string') write(response, fail(body, request))
      else if (copiesBody && !hold.grow(body.length)) write(response, fail('busy', request))
      else {
        const written = await answer({ head, request, target, body, origin, hold })
        hold.replace(written.text.length, this.#bodies.addressOf(origin))
        write(response, written)
      }
    })
  }
}

function isAnswer(head: ApiAnswer | object | null): head is ApiAnswer {
  return head !== null && 'headers' in head && 'text' in head
}

function write(response: ServerResponse, { status = 200, headers, text, isRefusal }: ApiAnswer): void {
  if (isRefusal === true) markRefused(response)
  response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(text))])
  response.end(text)
}

export function headersOf({ headers }: IncomingMessage): RequestHeaders {
  return {
    idempotencyKey: headers['idempotency-key']?.toString() ?? null,
    traceparent: typeof headers['traceparent'] === 'string' ? headers['traceparent'] || null : null,
    authorization: headers.authorization ?? null,
  }
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i

export function isJson({ headers }: IncomingMessage): boolean {
  return JSON_TYPE.test(headers['content-type'] ?? '')
}

export function splitTarget(target: string): readonly [path: string, query: string] {
  const start = target.indexOf('?')
  return start < 0 ? [target, ''] : [target.slice(0, start), target.slice(start + 1)]
}
