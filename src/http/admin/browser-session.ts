/**
 * Sessions of browsers: the token is in a cookie that no script can read. A browser adds cookies to requests of any
 * page, so a request with this cookie must come from a page of this gateway, called by a name that is its own.
 */
import type { IncomingMessage } from 'node:http'
import { AdminProblem } from '../../operations/admin/endpoint/admin-problem.ts'
import type { Site } from '../../operations/admin/endpoint/endpoint.ts'
import type { ClientAddresses } from '../server/client-address.ts'
import { isHostOf, isOwnName } from './admin-access.ts'

export interface BrowserSessionTools {
  /** The address under which browsers reach the console, `https://console.example.com`; null without one. */
  readonly origin: string | null
  readonly addresses: ClientAddresses
}

const SAFE_METHODS: readonly unknown[] = ['GET', 'HEAD']

export class BrowserSessions {
  readonly #origin: URL | null
  readonly #addresses: ClientAddresses

  constructor({ origin, addresses }: BrowserSessionTools) {
    this.#origin = origin === null ? null : new URL(origin)
    this.#addresses = addresses
  }

  /** Returns the token of the cookie; null without one, or if the request authenticates itself otherwise. */
  tokenOf({ headers, socket }: IncomingMessage): string | null {
    if (headers.authorization !== undefined) return null
    const start = `${this.#nameOf({ headers, socket })}=`
    const cookie = (headers.cookie ?? '').split('; ').find((each) => each.startsWith(start))
    return cookie?.slice(start.length) ?? null
  }

  /** Throws AdminProblem if the request may come from a page of another origin. */
  check(request: IncomingMessage): void {
    const { headers, method } = request
    if (!this.#isOwnName(headers.host)) throw new AdminProblem(403, FOREIGN_HOST)
    const isSafe = SAFE_METHODS.includes(method)
    if (!this.#isSameOrigin(request, isSafe)) throw new AdminProblem(403, FOREIGN_PAGE)
    // Forms of other pages cannot send JSON.
    if (!isSafe && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new AdminProblem(415, 'send a JSON body with Content-Type: application/json')
    }
  }

  /** Returns the origin that the request comes from; null if it is none of this gateway. */
  siteOf({ headers }: IncomingMessage): Site | null {
    const { origin, host } = headers
    if (origin === undefined || !this.#isOwnOrigin(origin, host)) return null
    return this.#isOwnName(host) ? { origin, host: new URL(origin).hostname } : null
  }

  /** Returns the header Set-Cookie. */
  write(request: IncomingMessage, token: string, seconds: number): string {
    const place = this.#isOverTls(request) ? 'Path=/; Secure' : 'Path=/admin/'
    return `${this.#nameOf(request)}=${token}; ${place}; HttpOnly; SameSite=Strict; Max-Age=${seconds}`
  }

  /** Returns the header Set-Cookie that removes the cookie. */
  clear(request: IncomingMessage): string {
    return this.write(request, '', 0)
  }

  /** Cookies do not distinguish ports, so gateways on one machine need different names. */
  #nameOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string {
    if (this.#isOverTls(request)) return '__Host-posthorn-session'
    const [, port = '80'] = /:(\d+)$/.exec(request.headers.host ?? '') ?? []
    return `posthorn-session-${port}`
  }

  #isOverTls({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    const isPublic = this.#origin?.protocol === 'https:' && isHostOf(headers.host, this.#origin.origin)
    return isPublic || this.#addresses.isOverTls({ headers, socket })
  }

  #isOwnName(host: string | undefined): boolean {
    return isOwnName(host, this.#origin?.origin ?? null)
  }

  #isSameOrigin({ headers }: IncomingMessage, isSafe: boolean): boolean {
    const { origin, host } = headers
    const site = headers['sec-fetch-site']
    // `none`: the user typed the address.
    if (site !== undefined) return site === 'same-origin' || (isSafe && site === 'none')
    // Browsers omit that header on plain HTTP to other machines, and Origin in safe requests to the same origin.
    if (origin === undefined) return isSafe
    return this.#isOwnOrigin(origin, host)
  }

  #isOwnOrigin(origin: string, host: string | undefined): boolean {
    return origin === this.#origin?.origin || (URL.canParse(origin) && new URL(origin).host === host)
  }
}

/** Browsers send one of these headers with every request that is not safe, programs usually neither. */
export function isFromBrowser({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

const FOREIGN_HOST =
  'host name not allowed: open the console by IP address or localhost, or set POSTHORN_CONSOLE_ORIGIN to its address'
const FOREIGN_PAGE = 'refused: requests of a browser must come from a page of this gateway'
