/** What a path answers to plain requests (plain-connections.ts). */
import { STATUS_CODES } from 'node:http'
import type { BodyHold } from './body.ts'
import type { RequestOrigin } from './client-address.ts'

/** By name in lower case. */
export type PlainHeaders = ReadonlyMap<string, string>

/** A request whose head has arrived. */
export interface PlainOpening {
  readonly socket: RequestOrigin['socket']
  /** Requests with the same headers may share this map. */
  readonly headers: PlainHeaders
}

export interface PlainRequest extends PlainOpening {
  /** The path with its query. */
  readonly target: string
  /** Empty without a body. */
  readonly body: Buffer
  /** Reservation of a body that came in pieces; the path releases it. Null for one that came complete. */
  readonly hold: BodyHold | null
}

export interface PlainAnswer {
  /** From `writePlainHead`. */
  readonly head: string
  readonly text: string
  /** Called when it is sent. */
  readonly release: (() => void) | null
  /** Nothing was done (refusals.ts); false if absent. */
  readonly isRefusal?: boolean
}

interface PlainBody {
  /** Longer bodies are not plain. */
  readonly maxBytes: number
  /** Reserves memory for a body that comes in pieces. */
  open(request: PlainOpening): BodyHold
}

export interface PlainPath {
  /** Plain requests are POSTs of JSON; null for GETs without a body. */
  readonly body: PlainBody | null
  /** Never throws or rejects. */
  answer(request: PlainRequest): PlainAnswer | Promise<PlainAnswer>
}

export function plainOriginOf(request: PlainOpening): RequestOrigin {
  return new PlainOrigin(request)
}

/** Reads the headers only if the address is asked for, which few requests need. */
class PlainOrigin implements RequestOrigin {
  readonly socket: RequestOrigin['socket']
  readonly #headers: PlainHeaders

  constructor({ socket, headers }: PlainOpening) {
    this.socket = socket
    this.#headers = headers
  }

  get forwardedFor(): string | null {
    return this.#headers.get('x-forwarded-for') ?? null
  }

  get forwarded(): string | null {
    return this.#headers.get('forwarded') ?? null
  }
}

/**
 * Returns the status line and headers of an answer, to which each connection adds Date, Connection and Content-Length.
 * `headers` are names and values in turn, in ASCII without line ends.
 */
export function writePlainHead(status: number, headers: readonly string[]): string {
  const fields = headers.map((each, index) => (index % 2 === 0 ? `${each}: ` : `${each}\r\n`))
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}`
}
