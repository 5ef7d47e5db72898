/**
 * Plain requests (plain-connection.ts): what a path answers to them, and their heads. Caches headers: clients send the
 * same again and again.
 */

import { STATUS_CODES } from 'node:http'
import { KeptValues } from '../../domain/structures/kept-values.ts'
import type { BodyHold } from './body.ts'
import type { RequestOrigin } from './client-address.ts'

/** By name in lower case. */
type PlainHeaders = ReadonlyMap<string, string>

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

const MAX_BODY_BYTES = 256 * 1024
/** Of one path. Headers of one request alone are not cached. */
const MAX_CACHED = 500

const LINE_END = '\r\n'
const VERSION = ' HTTP/1.1'
const BARE_LINE_FEED = /(?<!\r)\n/
const TARGET = /^[!-~]+$/
const UNESCAPED = /[\x80-\xff]/
const UNESCAPED_ALL = new RegExp(UNESCAPED, 'g')
/** Values are trimmed separately: two adjacent patterns that match white space would backtrack over a long run. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([ -~\t]*)$/

/** Headers that change how a body is read, which host is addressed, or whether the connection stays open. */
const UNUSUAL_HEADERS = [
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'content-encoding',
  'proxy-connection',
]
const UNIQUE_HEADERS = ['idempotency-key', 'traceparent']

interface ParsedHeaders {
  readonly headers: PlainHeaders
  /** Of the body, bytes. */
  readonly length: number
  /** None of the headers is of one request alone. */
  readonly mayRepeat: boolean
}

export interface PlainHead extends ParsedHeaders {
  readonly path: PlainPath
  readonly target: string
}

interface Route {
  readonly path: PlainPath
  /** An exact path, or a prefix. */
  readonly target: string
  /** Method and path. */
  readonly start: string
  /** By their text; each path has its own, so that clicks do not displace the headers of API clients. */
  readonly cache: KeptValues<string, ParsedHeaders>
}

export class PlainHeads {
  /** By request line. */
  #exact: ReadonlyMap<string, Route> = new Map()
  #prefixes: readonly Route[] = []
  /** Method and path of requests whose query may have unescaped letters. */
  #lenient: readonly string[] = []

  /**
   * Replaces the paths. A name is an exact path, or a prefix if it ends in a slash. `lenient`: paths, served by Node,
   * whose queries may have unescaped letters.
   */
  serve(paths: ReadonlyMap<string, PlainPath>, lenient: readonly string[] = []): void {
    this.#lenient = lenient.flatMap((path) => [`GET ${path}?`, `POST ${path}?`])
    const routes = [...paths].map(([name, path]): Route => {
      return {
        path,
        target: name,
        start: `${path.body === null ? 'GET' : 'POST'} ${name}`,
        cache: new KeptValues(MAX_CACHED),
      }
    })
    this.#exact = new Map(routes.map((route) => [route.start + VERSION, route]))
    this.#prefixes = routes.filter(({ start }) => start.endsWith('/'))
  }

  /** Whether the start of a head can still become that of a plain request, or its request line has to be whole. */
  mustWait(bytes: Buffer): boolean {
    const text = bytes.toString('latin1')
    if (BARE_LINE_FEED.test(text)) return false
    if ([...this.#exact.values()].some(({ start }) => agree(start, text))) return true
    return !text.includes(LINE_END) && this.#lenient.some((start) => agree(start, text))
  }

  /** Returns what Node can read: letters in the query as some clients send them, and proxies pass them, are escaped. */
  escape(bytes: Buffer): Buffer {
    if (this.#lenient.length === 0) return bytes
    const end = bytes.indexOf(LINE_END, 0, 'latin1')
    const line = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
    if (!this.#lenient.some((start) => line.startsWith(start)) || !UNESCAPED.test(line)) return bytes
    const escaped = line.replace(UNESCAPED_ALL, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    return Buffer.concat([Buffer.from(escaped, 'latin1'), bytes.subarray(line.length)])
  }

  /** `text` is a head without the empty line. Returns null if the request is not plain. */
  read(text: string): PlainHead | null {
    const end = text.indexOf(LINE_END)
    if (end < 0) return null
    const line = text.slice(0, end)
    const exact = this.#exact.get(line)
    const route = exact ?? this.#prefixes.find(({ start }) => isOf(start, line))
    const target = exact?.target ?? line.slice(line.indexOf(' ') + 1, -VERSION.length)
    if (route === undefined || !TARGET.test(target)) return null
    const fields = text.slice(end + LINE_END.length)
    const parsed = route.cache.get(fields) ?? parse(route, fields)
    if (parsed === null) return null
    const { headers, length, mayRepeat } = parsed
    return { path: route.path, target, headers, length, mayRepeat }
  }
}

/** Whether one begins with the other. */
function agree(start: string, text: string): boolean {
  return start.startsWith(text.slice(0, start.length))
}

function isOf(start: string, line: string): boolean {
  return line.startsWith(start) && line.endsWith(VERSION)
}

function parse({ path, cache }: Route, text: string): ParsedHeaders | null {
  const headers = parseHeaders(text)
  if (headers === null || !isPlain(headers)) return null
  const length = path.body === null ? lengthWithoutBody(headers) : lengthOfJson(headers, path.body.maxBytes)
  if (length === null) return null
  const mayRepeat = UNIQUE_HEADERS.every((name) => !headers.has(name))
  const parsed = { headers, length, mayRepeat }
  if (mayRepeat) cache.set(text, parsed)
  return parsed
}

/** Returns null if a line is malformed or a header is repeated. */
function parseHeaders(text: string): PlainHeaders | null {
  const headers = new Map<string, string>()
  for (const line of text.split(LINE_END)) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '' || headers.has(key)) return null
    headers.set(key, value.trim())
  }
  return headers
}

function isPlain(headers: PlainHeaders): boolean {
  return (
    headers.has('host') &&
    (headers.get('connection') ?? 'keep-alive').toLowerCase() === 'keep-alive' &&
    UNUSUAL_HEADERS.every((name) => !headers.has(name))
  )
}

function lengthWithoutBody(headers: PlainHeaders): number | null {
  return headers.has('content-length') ? null : 0
}

/** Returns null without a plain length, or for a body that is too long or no JSON. */
function lengthOfJson(headers: PlainHeaders, maxBytes: number): number | null {
  const length = headers.get('content-length') ?? ''
  const isPlainJson =
    headers.get('content-type')?.toLowerCase() === 'application/json' &&
    /^[1-9]\d{0,8}$/.test(length) &&
    Number(length) <= Math.min(maxBytes, MAX_BODY_BYTES)
  return isPlainJson ? Number(length) : null
}
