/**
 * Follows short links. Everybody is redirected, and who it was is told apart: people count as clicks; robots, link
 * previews and browsers that only fetch ahead are counted for themselves. No answer may be kept by a cache, so that
 * every click comes by here.
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
/** Headers by which browsers and mail programs say that nobody has clicked yet. */
const AHEAD_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz']
const AHEAD = /prefetch|prerender|preview/i

export function createShortLinkHandler({ clicks, clock }: ShortLinkTools): HttpRoute {
  return {
    path: SHORT_LINK_PATH,
    methods: ['GET', 'HEAD'],
    handle: async (request, response, target) => {
      const [code = ''] = target.slice(SHORT_LINK_PATH.length).split('?', 1)
      let link: ShortLink | null
      try {
        link = CODE.test(code) ? await clicks.find(code) : null
      } catch {
        // The store has said in the log what it could not do.
        answer(response, 503, { 'retry-after': '5' })
        return
      }
      const location = link === null ? null : toLocation(link.url)
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

/** A header may hold neither the letters of all languages nor line ends; an address written as a URL has none of them. */
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
