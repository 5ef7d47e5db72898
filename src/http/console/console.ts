/**
 * Serves the console below `/console/`: the files of the build, and its page for every other address, since the
 * addresses of the console's pages exist only in the browser.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Random } from '../../ports/system/random.ts'
import type { HttpRoute } from '../server/server.ts'
import { type ConsoleFile, type ConsoleFiles, INDEX } from './console-files.ts'

const BASE = '/console/'
const METHODS = ['GET', 'HEAD']
/** Files with a hash of their content in their name. */
const HASHED = 'assets/'
const A_YEAR = 'public, max-age=31536000, immutable'
const NOT_BUILT = 'The console is not built. Run npm run build-console in the checkout, then restart the gateway.\n'
/** The build writes this where the nonce of the page belongs. */
const NONCE = 'CSP_NONCE'
const NONCE_BYTES = 16

/** Refuses to be framed, to be read by other origins, and everything that the console does not need. */
export const CLOSED_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const PAGE_HEADERS = {
  ...CLOSED_HEADERS,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** `files` are null if the console is not built. */
export function createConsoleRoutes(files: ConsoleFiles | null, random: Random): readonly HttpRoute[] {
  const redirect = (path: string): HttpRoute => ({
    path,
    methods: METHODS,
    handle: (_request, response) => answer(response, 302, { Location: BASE }, Buffer.from(`See ${BASE}\n`)),
  })
  return [
    redirect('/console'),
    {
      path: BASE,
      methods: METHODS,
      handle: (request, response, target) => {
        const name = nameOf(target)
        const file = files === null || name === null ? undefined : files.get(name)
        if (files === null) answer(response, 404, {}, Buffer.from(NOT_BUILT))
        else if (file !== undefined && name !== INDEX) answerFile(request, response, file, name?.startsWith(HASHED))
        else if (name === null || name.startsWith(HASHED)) answer(response, 404, {}, Buffer.from('Not found\n'))
        else answerPage(response, files, random)
      },
    },
  ]
}

/** Returns the decoded path below `/console/`; null if it leads out of the folder or is malformed. */
function nameOf(target: string): string | null {
  const [path = ''] = target.split('?', 1)
  try {
    const name = decodeURIComponent(path.slice(BASE.length))
    // Backslashes and control characters too: other programs read them as separators, or cut a name there.
    const isOdd = [...name].some((each) => each === '\\' || each < ' ')
    return isOdd || name.split('/').some((each) => each === '.' || each === '..') ? null : name
  } catch {
    return null
  }
}

function answerFile(request: IncomingMessage, response: ServerResponse, file: ConsoleFile, isHashed = false): void {
  const { type, etag } = file
  const headers = { 'Cache-Control': isHashed ? A_YEAR : 'no-cache', ETag: etag, Vary: 'Accept-Encoding' }
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { ...PAGE_HEADERS, ...headers }).end()
    return
  }
  const [encoding, body] = encode(file, request.headers)
  answer(response, 200, { ...headers, 'Content-Type': type, ...encoding }, body)
}

function encode(file: ConsoleFile, headers: IncomingHttpHeaders): readonly [OutgoingHttpHeaders, Buffer] {
  const accepted = (headers['accept-encoding'] ?? '').split(',').map((each) => each.trim().toLowerCase())
  return file.gzip !== null && accepted.includes('gzip')
    ? [{ 'Content-Encoding': 'gzip' }, file.gzip]
    : [{}, file.plain]
}

/** Each answer has its own nonce, so the page is never answered from a cache. */
function answerPage(response: ServerResponse, files: ConsoleFiles, random: Random): void {
  const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString('base64')
  const page = files.get(INDEX)?.plain.toString().replaceAll(NONCE, nonce) ?? ''
  const headers = { 'Cache-Control': 'no-store', 'Content-Security-Policy': policy(nonce) }
  answer(response, 200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }, Buffer.from(page))
}

/** Styles that a script adds carry the nonce. */
function policy(nonce: string): string {
  const allowed = `script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:`
  return `default-src 'none'; ${allowed}; font-src 'self'; manifest-src 'self'; form-action 'self'; ${NO_FRAMES}`
}

const NO_FRAMES = "base-uri 'none'; frame-ancestors 'none'"
/** For answers that are no pages. */
export const NO_PAGE = `default-src 'none'; ${NO_FRAMES}`

function answer(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, body: Buffer): void {
  const length = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': body.length }
  response.writeHead(status, { ...PAGE_HEADERS, 'Content-Security-Policy': NO_PAGE, ...length, ...headers })
  response.end(body)
}
