/** Fills the templates of a generic HTTP carrier with a submission, and reads the answer by its settings. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import { isJsonObject, parseJson } from '../../wire/json.ts'
import { isAboutMessage, readHttpVerdict } from '../shared/http-verdict.ts'
import { itemsIn } from './calls/call-items.ts'
import type { Body } from './places/find-text.ts'
import { meaningOfStatus } from './places/finder.ts'
import { type FoundWord, firstKnown } from './places/meanings.ts'
import type { RequestSettings } from './request-settings.ts'
import type { AnswerSettings, SubmitMeaning } from './settings.ts'
import { fillTemplate, type TemplateField, type TemplateValues } from './template.ts'

/** A value that would change the path of the address. */
const DOT_STEP = /\/\.{1,2}(\/|$)/

/**
 * Returns null if the address needs a value that is missing or cannot be part of a path.
 * @param now milliseconds, for signatures.
 */
export function writeRequest(settings: RequestSettings, values: TemplateValues, now: number): HttpRequest | null {
  const { method, address, query, headers, body, sign } = settings
  const place = fillTemplate(address, values, encodeURIComponent)
  if (place === null || DOT_STEP.test(place)) return null
  const search = writeFields(query, values)
  const written = writeBody(body, values)
  const request = {
    method,
    url: search === '' ? place : `${place}?${search}`,
    headers: { ...written?.headers, ...Object.fromEntries(fillFields(headers, values)) },
    ...(written === null ? {} : { body: written.text }),
  }
  return sign === null ? request : sign(request, now)
}

function writeBody(body: RequestSettings['body'], values: TemplateValues) {
  if (body === null) return null
  if ('json' in body) {
    return { headers: { 'content-type': 'application/json' }, text: JSON.stringify(body.json(values) ?? {}) }
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { headers, text: writeFields(body.form, values) }
}

function writeFields(fields: readonly TemplateField[], values: TemplateValues): string {
  return fillFields(fields, values)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

/** Leaves out fields with a missing value. */
function fillFields(fields: readonly TemplateField[], values: TemplateValues): (readonly [string, string])[] {
  return fields.flatMap(([name, template]) => {
    const filled = fillTemplate(template, values)
    return filled === null ? [] : [[name, filled] as const]
  })
}

/** Parts of one text. */
const MAX_ENTRIES = 255

/** Reads the answer to a submission: one verdict, or one for each entry of its list. */
export function readHttpAnswer(
  result: HttpResult,
  settings: AnswerSettings,
  tried: Tried,
): readonly [SubmitAnswer, ...SubmitAnswer[]] {
  if (result.kind === 'silent') return [{ verdict: readHttpVerdict(result), isIdMissing: false }]
  const json = parseJson(result.body)
  const entries = settings.list === null ? [] : itemsIn(json, settings.list).filter(isJsonObject)
  const [first = json, ...others] = entries.slice(0, MAX_ENTRIES)
  const read = (entry: unknown) => readEntry(result, { text: result.body, json: entry }, settings, tried)
  return [read(first), ...others.map(read)]
}

interface SubmitAnswer {
  readonly verdict: Verdict
  readonly isIdMissing: boolean
}

interface Tried {
  /** Our reference. */
  readonly ref: string
  readonly isRepeat: boolean
}

/**
 * A message counts as taken even if the carrier's id is missing, so that a mistake in the settings does not send it
 * again and again. Posthorn's reference then stands for the id, and no receipt matches it.
 */
function readEntry(
  result: AnsweredRequest,
  body: Body,
  settings: AnswerSettings,
  { ref: ourRef, isRepeat }: Tried,
): SubmitAnswer {
  const { word, meaning: byWord } = firstKnown(settings.word, body)
  const id = settings.id === null ? ourRef : settings.id(body)
  const isKnown = isRepeat && result.status === ALREADY_EXISTS && isKnownByOurs(settings)
  const meaning = isKnown ? 'taken' : meaningOf(result.status, { word, meaning: byWord }, settings)
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

type AnsweredRequest = Extract<HttpResult, { kind: 'answered' }>

/** Of a carrier that knows messages by our reference, it refuses a repeat of one that it has. */
const ALREADY_EXISTS = 409

/** Unless the settings say what the status means. */
function isKnownByOurs({ id, statuses }: AnswerSettings): boolean {
  return id === null && !statuses.has(String(ALREADY_EXISTS))
}

/** A known word takes precedence over the status, but a message is taken only if both say so. */
function meaningOf(
  status: number,
  found: FoundWord<SubmitMeaning>,
  { statuses, word: places }: AnswerSettings,
): SubmitMeaning {
  const byStatus = meaningOfStatus(statuses, status) ?? 'unclear'
  if (byStatus !== 'taken') {
    return found.meaning === undefined || found.meaning === 'taken' ? byStatus : found.meaning
  }
  const isSilent = found.word === '' && !places.some(({ meanings }) => meanings.includes('taken'))
  return found.meaning ?? (isSilent ? byStatus : 'unclear')
}

function toVerdict(meaning: SubmitMeaning, reason: string, ref: string, retryAfterMs: number | null): Verdict {
  switch (meaning) {
    case 'taken':
      return { kind: 'taken', ref }
    case 'undeliverable':
      return { kind: 'refused', status: 'UNDELIVERABLE', reason }
    case 'optedOut':
      return { kind: 'refused', status: 'UNDELIVERABLE', reason, optedOut: true }
    case 'rejected':
      return { kind: 'refused', status: 'REJECTED', reason }
    case 'account':
      return { kind: 'unreachable', reason, account: true }
    case 'slow':
      return { kind: 'slow', reason, retryAfterMs }
    case 'unclear':
      return { kind: 'unclear', reason }
  }
}
