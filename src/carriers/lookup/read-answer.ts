/** Reads the answer of a lookup service by the settings of the carrier. */
import { maskImsi, type NumberFacts } from '../../domain/numbers/number-facts.ts'
import type { LookupVerdict } from '../../ports/carriers/carrier.ts'
import type { HttpResult } from '../../wire/http-client.ts'
import { parseJson } from '../../wire/json.ts'
import type { Finder } from '../http/places/find-text.ts'
import { meaningOfStatus } from '../http/places/finder.ts'
import { isAboutMessage, readHttpVerdict } from '../shared/http-verdict.ts'
import type { LookupAnswerSettings, LookupMeaning, LookupSettings } from './settings.ts'

interface Body {
  readonly text: string
  readonly json: unknown
}

const PORTED_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'y', 'ported'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'n', 'not_ported', 'not ported', 'original'].map((word) => [word, false] as const),
])

const MAX_NAME_LENGTH = 100
/** Control and format characters, separators of lines, and halves of characters that were cut. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu

export function readLookupAnswer(result: HttpResult, { answer, showImsi }: LookupSettings): LookupVerdict {
  if (result.kind === 'silent') return notAnswered(readHttpVerdict(result))
  const body = { text: result.body, json: parseJson(result.body) }
  const error = answer.error?.find(body) ?? ''
  const reason = [`HTTP ${result.status}`, error].filter((each) => each !== '').join(': ')
  switch (meaningOf(result.status, error, answer)) {
    case 'invalid':
      return { kind: 'answered', facts: { ...NO_FACTS, status: 'invalid' } }
    case 'slow':
      return { kind: 'slow', reason, retryAfterMs: result.retryAfterMs }
    case 'failed':
      return isAboutMessage(result.status, error !== '')
        ? { kind: 'unclear', reason, aboutMessage: true }
        : { kind: 'unclear', reason }
    case 'answered': {
      const facts = readFacts(body, answer, showImsi)
      if (facts === null) return { kind: 'unclear', reason: `${reason}: not JSON` }
      return saysNothing(facts)
        ? { kind: 'unclear', reason: `${reason}: no facts`, aboutMessage: true }
        : { kind: 'answered', facts }
    }
  }
}

const NO_FACTS: NumberFacts = {
  operator: null,
  operatorName: null,
  country: null,
  ported: null,
  status: 'unknown',
  imsi: null,
}

/** The country is in the number itself. */
function saysNothing({ operator, operatorName, ported, status, imsi }: NumberFacts): boolean {
  return [operator, operatorName, ported, imsi].every((fact) => fact === null) && status === 'unknown'
}

function notAnswered(verdict: ReturnType<typeof readHttpVerdict>): LookupVerdict {
  return verdict.kind === 'unreachable' || verdict.kind === 'unclear'
    ? verdict
    : { kind: 'unclear', reason: 'no answer' }
}

/** A known word takes precedence over the status; an unknown one makes a good status useless. */
function meaningOf(status: number, error: string, { statuses, error: words }: LookupAnswerSettings): LookupMeaning {
  const byStatus = meaningOfStatus(statuses, status) ?? 'failed'
  if (error === '') return byStatus
  return words?.meanings.of(error) ?? (byStatus === 'answered' ? 'failed' : byStatus)
}

/** Returns null if the body should be JSON and is not. */
function readFacts(body: Body, settings: LookupAnswerSettings, showImsi: boolean): NumberFacts | null {
  const operator = settings.operator.map((find) => find(body))
  if (operator.includes(null)) return null
  const text = (find: Finder | null) => find?.(body) ?? ''
  const imsi = /^\d{14,15}$/.exec(text(settings.imsi))?.[0] ?? null
  return {
    operator: readOperator(operator as readonly string[]),
    operatorName: readName(text(settings.operatorName)),
    country: /^[A-Z]{2}$/.exec(text(settings.country).toUpperCase())?.[0] ?? null,
    ported: PORTED_WORDS.get(text(settings.ported).toLowerCase()) ?? null,
    status: settings.status?.meanings.of(settings.status.find(body)) ?? 'unknown',
    imsi: imsi === null || showImsi ? imsi : maskImsi(imsi),
  }
}

/** JSON numbers lose the zero of an MNC such as 01. */
function readOperator([first = '', mnc]: readonly string[]): string | null {
  const written = mnc === undefined ? first.replace(/[\s-]/g, '') : mnc === '' ? '' : `${first}${mnc.padStart(2, '0')}`
  return /^\d{5,6}$/.test(written) ? written : null
}

function readName(text: string): string | null {
  const name = text.slice(0, MAX_NAME_LENGTH).replace(UNPRINTABLE, ' ').trim()
  return name === '' ? null : name
}
