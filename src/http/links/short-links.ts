/**
 * Redirects short links. Counts clicks of humans, and separately those of robots, link previews and prefetching
 * browsers. Answers are not cacheable, so that every click is counted.
 */
import type { ServerResponse } from 'node:http'
import { isbot } from 'isbot'
import type { ClickCounter, Visitor } from '../../delivery/links/clicks.ts'
import { KeptValues } from '../../domain/structures/kept-values.ts'
import { SHORT_LINK_PATH } from '../../operations/links/shorten-links.ts'
import type { ShortLink } from '../../ports/records/short-link.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { type PlainAnswer, writePlainHead } from '../server/plain-head.ts'
import { isRefusedStatus } from '../server/refusals.ts'
import type { HttpRoute } from '../server/server.ts'
import { readLinkCode } from './link-code.ts'

export interface ShortLinkTools {
  readonly clicks: Pick<ClickCounter, 'known' | 'find' | 'count'>
  readonly clock: Clock
}

/** Headers cannot contain all letters or line ends; a normalized URL has none of them. */
const LOCATION = /^https?:[!-~]+$/
/** Headers of browsers and mail programs for prefetching without a click. */
const AHEAD_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz']
const AHEAD = /prefetch|prerender|preview/i
/** User agents in memory, and their length: to match one takes microseconds, and clicks share a few. */
const MAX_AGENTS = 1_000
const MAX_AGENT_LENGTH = 256

/** For Node's server and for the fast path. */
interface LinkAnswer extends PlainAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

const NOT_FOUND = buildAnswer(404, 'There is no such link.\n')
const EXPIRED = buildAnswer(410, 'This link has expired.\n')
const BUSY = buildAnswer(503, 'Please try again in a moment.\n', ['Retry-After', '5'])

/** Returns a header by its name in lower case. */
type HeaderOf = (name: string) => string | readonly string[] | undefined

export function createShortLinkHandler(tools: ShortLinkTools): HttpRoute {
  const answerTo = createAnswerTo(tools)
  const isRobot = createRobotCheck()
  const visitorOf = (headerOf: HeaderOf): Visitor => {
    if (isRobot(String(headerOf('user-agent') ?? ''))) return 'robot'
    return AHEAD_HEADERS.some((name) => AHEAD.test(String(headerOf(name) ?? ''))) ? 'robot' : 'human'
  }
  return {
    path: SHORT_LINK_PATH,
    methods: ['GET', 'HEAD'],
    plain: {
      body: null,
      answer: ({ target, headers }) => answerTo(target, () => visitorOf((name) => headers.get(name))),
    },
    handle: async ({ method, headers }, response, target) => {
      const visitor = () => (method === 'HEAD' ? 'robot' : visitorOf((name) => headers[name]))
      write(response, await answerTo(target, visitor))
    },
  }
}

type AnswerTo = (target: string, visitor: () => Visitor) => LinkAnswer | Promise<LinkAnswer>

/** Counts the click if it returns a redirect. */
function createAnswerTo({ clicks, clock }: ShortLinkTools): AnswerTo {
  /** Of the links in the cache of `clicks`: parsing a long international host takes milliseconds. */
  const redirects = new WeakMap<ShortLink, LinkAnswer>()
  const redirectOf = (link: ShortLink): LinkAnswer => {
    const known = redirects.get(link)
    if (known !== undefined) return known
    const redirect = buildRedirect(link.url)
    redirects.set(link, redirect)
    return redirect
  }
  const follow = (link: ShortLink | null, visitor: () => Visitor): LinkAnswer => {
    if (link === null) return NOT_FOUND
    if (link.expiresAt <= clock.now()) return EXPIRED
    const redirect = redirectOf(link)
    if (redirect !== NOT_FOUND) clicks.count(link, visitor())
    return redirect
  }
  return (target, visitor) => {
    const code = readLinkCode(target, SHORT_LINK_PATH)
    if (code === null) return NOT_FOUND
    const known = clicks.known(code)
    if (known !== null) return follow(known, visitor)
    // The store logs its failure.
    return clicks.find(code).then(
      (link) => follow(link, visitor),
      () => BUSY,
    )
  }
}

function createRobotCheck(): (agent: string) => boolean {
  const known = new KeptValues<string, boolean>(MAX_AGENTS)
  return (agent) => {
    const isKnownRobot = known.get(agent)
    if (isKnownRobot !== undefined) return isKnownRobot
    const isRobot = agent === '' || isbot(agent)
    if (agent.length <= MAX_AGENT_LENGTH) known.set(agent, isRobot)
    return isRobot
  }
}

function buildRedirect(url: string): LinkAnswer {
  const location = URL.parse(url)?.href ?? ''
  return LOCATION.test(location) ? buildAnswer(302, '', ['Location', location]) : NOT_FOUND
}

function buildAnswer(status: number, text: string, more: readonly string[] = []): LinkAnswer {
  const headers = ['Cache-Control', 'private, no-store', 'Content-Type', 'text/plain', ...more]
  return {
    status,
    headers,
    text,
    head: writePlainHead(status, headers),
    release: null,
    isRefusal: isRefusedStatus(status),
  }
}

function write(response: ServerResponse, { status, headers, text }: LinkAnswer): void {
  response.writeHead(status, [...headers, 'Content-Length', String(text.length)])
  response.end(text)
}
