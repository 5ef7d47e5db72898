/**
 * The page behind an unsubscribe link. A GET only asks, so that scanners and previews opt out no recipient; the button
 * posts the token of the page and is answered with a redirect to the page.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConsentPlace, LinkConsent } from '../../delivery/consent/link-consent.ts'
import type { ClickCounter } from '../../delivery/links/clicks.ts'
import { readUnsubscribeTarget } from '../../domain/consent/unsubscribe-link.ts'
import { UNSUBSCRIBE_PATH } from '../../operations/links/shorten-links.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { HttpRoute } from '../server/server.ts'
import { readLinkCode } from './link-code.ts'
import { PAGE_HEADERS, writeConsentPage, writeNoticePage } from './unsubscribe-page.ts'
import { type PageTexts, textsFor } from './unsubscribe-texts.ts'

export interface UnsubscribeTools {
  readonly clicks: Pick<ClickCounter, 'find'>
  readonly consent: Pick<LinkConsent, 'view' | 'change'>
  readonly clock: Clock
  /** The address of the links; null if it is not set. */
  readonly publicUrl: string | null
}

/** A token and an action have less than 100. */
const FORM_BYTES = 1_024
/** Changes under way at a time. Further ones are asked to try again. */
const MAX_CHANGES = 64
const RETRY_SECONDS = '5'

interface FoundLink extends ConsentPlace {
  readonly token: string
}

type Visit = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly texts: PageTexts
}

export function createUnsubscribeHandler(tools: UnsubscribeTools): HttpRoute {
  let changing = 0
  return {
    path: UNSUBSCRIBE_PATH,
    methods: ['GET', 'HEAD', 'POST'],
    handle: async (request, response, target) => {
      const visit = { request, response, texts: textsFor(request.headers['accept-language']) }
      const code = readLinkCode(target, UNSUBSCRIBE_PATH)
      try {
        const form = request.method === 'POST' ? await readForm(request) : null
        const link = await findLink(tools, code)
        if (link === 'expired') answer(visit, 410, writeNoticePage(visit.texts, visit.texts.expired))
        else if (link === null) answer(visit, 404, writeNoticePage(visit.texts, visit.texts.notFound))
        else if (request.method !== 'POST') await show(tools, visit, link)
        else if (form === null || !isOwn(tools, request, form, link)) refuse(visit)
        else if (changing >= MAX_CHANGES) answerBusy(visit)
        else {
          changing += 1
          await tools.consent.change(link, form.get('action') === 'out').finally(() => (changing -= 1))
          answer(visit, 303, '', { location: `${upFrom(target)}${code}` })
        }
      } catch {
        // The store has logged its failure, or the visitor has gone.
        answerBusy(visit)
      }
    },
  }
}

/** Leads from a slash behind the link back to it; a proxy may serve us under another path. */
function upFrom(target: string): string {
  const [path = ''] = target.slice(UNSUBSCRIBE_PATH.length).split('?', 1)
  return '../'.repeat(path.split('/').length - 1)
}

async function findLink(
  { clicks, clock }: UnsubscribeTools,
  code: string | null,
): Promise<FoundLink | 'expired' | null> {
  const link = code === null ? null : await clicks.find(code)
  if (link === null) return null
  // The retention time of texts empties targets, and ends links.
  if (link.expiresAt <= clock.now()) return 'expired'
  const target = readUnsubscribeTarget(link.url)
  return target === null ? null : { messageId: link.messageId, ...target }
}

async function show({ consent }: UnsubscribeTools, visit: Visit, link: FoundLink): Promise<void> {
  const found = await consent.view(link)
  if (found === null) answer(visit, 410, writeNoticePage(visit.texts, visit.texts.expired))
  else answer(visit, 200, writeConsentPage(visit.texts, { ...found, token: link.token }))
}

/** Whether the form is from our page: browsers say where a request comes from, and only our page has the token. */
function isOwn(
  { publicUrl }: UnsubscribeTools,
  { headers }: IncomingMessage,
  form: URLSearchParams,
  { token }: FoundLink,
): boolean {
  const { 'sec-fetch-site': site, origin = NO_ORIGIN, host } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  // Older browsers send Origin alone.
  const ours = [host, publicUrl === null ? undefined : new URL(publicUrl).host]
  if (site === undefined && origin !== NO_ORIGIN && !ours.includes(hostOf(origin))) return false
  const action = form.get('action')
  const [sent, right] = [Buffer.from(form.get('token') ?? ''), Buffer.from(token)]
  return (action === 'out' || action === 'in') && sent.length === right.length && timingSafeEqual(sent, right)
}

/** What browsers send from our page, which lets them name no referrer; programs send nothing. */
const NO_ORIGIN = 'null'

function hostOf(origin: string): string {
  return URL.parse(origin)?.host ?? ''
}

/** Returns null for a body that is no form, or too long. The rest of a long body is not read. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  const { 'content-type': type = '', 'content-length': length = '0' } = request.headers
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type) || Number(length) > FORM_BYTES) return null
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > FORM_BYTES) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/** Also for a body that was not read to its end: the connection closes. */
function refuse(visit: Visit): void {
  visit.response.shouldKeepAlive = false
  answer(visit, 403, writeNoticePage(visit.texts, visit.texts.refused))
}

function answerBusy(visit: Visit): void {
  answer(visit, 503, writeNoticePage(visit.texts, visit.texts.busy), { 'retry-after': RETRY_SECONDS })
}

function answer({ request, response, texts }: Visit, status: number, html: string, headers = {}): void {
  response.writeHead(status, {
    ...PAGE_HEADERS,
    'content-language': texts.language,
    'content-length': Buffer.byteLength(html),
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}
