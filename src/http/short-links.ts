/**
 * Redirects short links. Counts clicks of humans, and separately those of robots, link previews and prefetching
 * browsers. Answers are not cacheable, so that every click is counted.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isbot } from 'isbot'
import type { ClickCounter, Visitor } from '../delivery/clicks.ts'
import { SHORT_LINK_PATH } from '../operations/shorten-links.ts'
import type { Clock } from '../ports/clock.ts'
import type { ShortLink } from '../ports/short-link.ts'
import type { HttpRoute } from './server.ts'

export interface ShortLinkTools {
  readonly clicks: Pick<ClickCounter, 'find' | 'count'>
  readonly clock: Clock
}

const CODE = /^[A-Za-z0-9_-]{1,64}$/
/** Headers of browsers and mail programs for prefetching without a click. */
const AHEAD_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz']
const AHEAD = /prefetch|prerender|preview/i

export function createShortLinkHandler({ clicks, clock }: ShortLinkTools): HttpRoute {
  /** Of the links in the cache of `clicks`: parsing a long international host takes milliseconds. */
  const locations = new WeakMap<ShortLink, string | null>()
  const locationOf = (link: ShortLink): string | null => {
    const known = locations.get(link)
    if (known !== undefined) return known
    const location = toLocation(link.url)
    locations.set(link, location)
    return location
  }
  return {
    path: SHORT_LINK_PATH,
    methods: ['GET', 'HEAD'],
    handle: async (request, response, target) => {
      const [code = ''] = target.slice(SHORT_LINK_PATH.length).split('?', 1)
      let link: ShortLink | null
      try {
        link = CODE.test(code) ? await clicks.find(code) : null
      } catch {
        // The store has logged its failure.
        answer(response, 503, { 'retry-after': '5' })
        return
      }
      const location = link === null ? null : locationOf(link)
      if (link !== null && link.expiresAt <= clock.now()) {
        answer(response, 410)
      } else if (link === null || location === null) {
        answer(response, 404)
      } else {
        clicks.count(link, visitorOf(request))
        answer(response, 302, { location })
      }
    },
  }
}

/** Headers cannot contain all letters or line ends; a normalized URL has none of them. */
function toLocation(url: string): string | null {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed.href : null
}

function visitorOf({ method, headers }: IncomingMessage): Visitor {
  const agent = headers['user-agent'] ?? ''
  if (method === 'HEAD' || agent === '' || isbot(agent)) return 'robot'
  return AHEAD_HEADERS.some((name) => AHEAD.test(String(headers[name] ?? ''))) ? 'robot' : 'human'
}

const TEXTS: Readonly<Record<number, string>> = {
  302: '',
  404: 'There is no such link.\n',
  410: 'This link has expired.\n',
  503: 'Please try again in a moment.\n',
}

function answer(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const text = TEXTS[status] ?? ''
  response.writeHead(status, {
    'cache-control': 'private, no-store',
    'content-type': 'text/plain',
    'content-length': text.length,
    ...headers,
  })
  response.end(text)
}
