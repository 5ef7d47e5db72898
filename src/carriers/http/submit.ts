/** Fills the templates of a generic HTTP carrier with a submission, and reads the answer by its settings. */
import { BUCKETS } from '../../domain/ids/message-id.ts'
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { TextContent } from '../../domain/message/message.ts'
import { splitText } from '../../domain/text/text-parts.ts'
import type { Submission } from '../../ports/carriers/carrier.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import { parseJson } from '../../wire/json.ts'
import { writeConcatenation } from '../../wire/smpp/concatenation.ts'
import { isAboutMessage, readHttpVerdict } from '../shared/http-verdict.ts'
import { meaningOfStatus } from './finder.ts'
import type { Field, RequestSettings } from './request-settings.ts'
import type { AnswerSettings, HttpSettings, Meaning } from './settings.ts'
import { fillTemplate, type TemplateValues } from './template.ts'

/** @param part index of the one part to send; null for the whole text. */
export function valuesOf(
  submission: Submission,
  content: TextContent,
  settings: Pick<HttpSettings, 'senders' | 'lifetime'>,
  part: number | null,
): TemplateValues {
  const { messageId, step, phone, sender, lifetimeSeconds } = submission
  const { image = '', link = '', button = '' } = content
  const { min, max } = settings.lifetime
  const lifetime = Math.min(Math.max(lifetimeSeconds, min), max)
  const values = {
    phone,
    '+phone': `+${phone}`,
    sender: (settings.senders.get(sender) ?? sender).toWellFormed(),
    text: content.text.toWellFormed(),
    image: image.toWellFormed(),
    link: link.toWellFormed(),
    button: button.toWellFormed(),
    ref: `${messageId}-${step}`,
    lifetime: String(lifetime),
    lifetimeMs: String(lifetime * 1000),
    part: '1',
    parts: '1',
    udh: '',
  }
  return part === null ? values : { ...values, ...partOf(content.text, part, submission) }
}

/** Returns the text of one part and its concatenation header (3GPP TS 23.040 section 9.2.3.24.1). */
function partOf(text: string, part: number, { messageId, step }: Submission): Partial<TemplateValues> {
  const { parts } = splitText(text)
  const header = { reference: Math.floor(messageId / BUCKETS) % 256, total: parts.length, number: part + 1 }
  return {
    text: (parts[part] ?? '').toWellFormed(),
    ref: `${messageId}-${step}-${part}`,
    part: String(part + 1),
    parts: String(parts.length),
    udh: parts.length > 1 ? Buffer.from(writeConcatenation(header)).toString('hex') : '',
  }
}

/** A value that would change the path of the address. */
const DOT_STEP = /\/\.{1,2}(\/|$)/

/** Returns null if the address needs a value that is missing or cannot be part of a path. */
export function writeRequest(settings: RequestSettings, values: TemplateValues): HttpRequest | null {
  const { method, address, query, headers, body } = settings
  const place = fillTemplate(address, values, encodeURIComponent)
  if (place === null || DOT_STEP.test(place)) return null
  const search = writeFields(query, values)
  const written = writeBody(body, values)
  return {
    method,
    url: search === '' ? place : `${place}?${search}`,
    headers: { ...Object.fromEntries(fillFields(headers, values)), ...written?.headers },
    ...(written === null ? {} : { body: written.text }),
  }
}

function writeBody(body: RequestSettings['body'], values: TemplateValues) {
  if (body === null) return null
  if ('json' in body) {
    return { headers: { 'content-type': 'application/json' }, text: JSON.stringify(body.json(values) ?? {}) }
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { headers, text: writeFields(body.form, values) }
}

function writeFields(fields: readonly Field[], values: TemplateValues): string {
  return fillFields(fields, values)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

/** Leaves out fields with a missing value. */
function fillFields(fields: readonly Field[], values: TemplateValues): (readonly [string, string])[] {
  return fields.flatMap(([name, template]) => {
    const filled = fillTemplate(template, values)
    return filled === null ? [] : [[name, filled] as const]
  })
}

/**
 * Reads the answer to a submission. A message counts as taken even if the carrier's id is missing, so that a mistake in
 * the settings does not send it again and again. Posthorn's reference then stands for the id, and no receipt matches
 * it.
 */
export function readSubmitAnswer(
  result: HttpResult,
  settings: AnswerSettings,
  { ref: ourRef, isRepeat }: { readonly ref: string; readonly isRepeat: boolean },
): { readonly verdict: Verdict; readonly isIdMissing: boolean } {
  if (result.kind === 'silent') return { verdict: readHttpVerdict(result), isIdMissing: false }
  const body = { text: result.body, json: parseJson(result.body) }
  const word = settings.word?.find(body) ?? ''
  const id = settings.id === null ? ourRef : settings.id(body)
  const isKnown = isRepeat && result.status === ALREADY_EXISTS && isKnownByOurs(settings)
  const meaning = isKnown ? 'taken' : meaningOf(result.status, word, settings)
  const words = [`HTTP ${result.status}`, word, settings.reason?.(body) ?? ''].filter((each) => each !== '')
  if (meaning === 'taken' && id === null) {
    return { verdict: { kind: 'unclear', reason: `${words.join(': ')}: not JSON` }, isIdMissing: false }
  }
  const reason = [...new Set(words)].join(': ')
  if (meaning === 'unclear' && isAboutMessage(result.status, word !== '')) {
    return { verdict: { kind: 'unclear', reason, aboutMessage: true }, isIdMissing: false }
  }
  const verdict = toVerdict(meaning, reason, id || ourRef, result.retryAfterMs)
  return { verdict, isIdMissing: meaning === 'taken' && id === '' }
}

/** Of a carrier that knows messages by our reference, it refuses a repeat of one that it has. */
const ALREADY_EXISTS = 409

/** Unless the settings say what the status means. */
function isKnownByOurs({ id, statuses }: AnswerSettings): boolean {
  return id === null && !statuses.has(String(ALREADY_EXISTS))
}

/** A known word takes precedence over the status, but a message is taken only if both say so. */
function meaningOf(status: number, word: string, settings: AnswerSettings): Meaning {
  const { statuses } = settings
  const byStatus = meaningOfStatus(statuses, status) ?? 'unclear'
  if (settings.word === null) return byStatus
  const { meanings } = settings.word
  const byWord = meanings.get(word.toLowerCase())
  if (byStatus !== 'taken') return byWord === undefined || byWord === 'taken' ? byStatus : byWord
  const isWanted = [...meanings.values()].includes('taken')
  return word === '' && !isWanted ? byStatus : (byWord ?? 'unclear')
}

function toVerdict(meaning: Meaning, reason: string, ref: string, retryAfterMs: number | null): Verdict {
  switch (meaning) {
    case 'taken':
      return { kind: 'taken', ref }
    case 'undeliverable':
      return { kind: 'refused', status: 'UNDELIVERABLE', reason }
    case 'rejected':
      return { kind: 'refused', status: 'REJECTED', reason }
    case 'slow':
      return { kind: 'slow', reason, retryAfterMs }
    case 'unclear':
      return { kind: 'unclear', reason }
  }
}
