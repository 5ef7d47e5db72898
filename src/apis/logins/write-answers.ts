/** The answers of each login server, by which it shows an error to the user who waits for a code. */
import {
  NOT_FOUND,
  PROBLEM_STATUSES,
  PROBLEM_TYPE,
  type ProblemCode,
  writeProblem,
} from '../../contract/rest/rest-problems.ts'
import type { ApiAnswer } from '../shared/api-path.ts'

/** Why a code was not sent. */
export interface Fault {
  readonly code: ProblemCode
  readonly detail: string
}

/** Null after the code was accepted. */
export type WriteAnswer = (fault: Fault | null) => ApiAnswer

/** A status, and a problem (RFC 9457) that the server stores or logs. */
export const writeStatus: WriteAnswer = (fault) => {
  if (fault === null) return json(200, {})
  const { status, retryAfter } = PROBLEM_STATUSES[fault.code]
  const wait = retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]
  return answer(status, PROBLEM_TYPE, writeProblem(fault.code, fault.detail), wait)
}

/**
 * Supabase shows the text of an error only with status 200. With 429 or 503 it would repeat at once and then say that a
 * hook failed. A wrong key is no matter of the user.
 */
export const writeSupabase: WriteAnswer = (fault) => {
  if (fault === null) return json(200, {})
  if (isOfSetup(fault)) return writeStatus(fault)
  const error = { http_code: PROBLEM_STATUSES[fault.code].status, message: fault.detail }
  return { ...json(200, { error }), isRefusal: true }
}

/** authentik shows the body as it is. */
export const writeAuthentik: WriteAnswer = (fault) =>
  fault === null
    ? json(200, {})
    : answer(PROBLEM_STATUSES[fault.code].status, 'text/plain; charset=utf-8', fault.detail)

/** Authgear reads a code of its own, whatever the status is. */
export const writeAuthgear: WriteAnswer = (fault) => {
  if (fault === null) return json(200, { code: 'ok' })
  const { code, detail } = fault
  return json(PROBLEM_STATUSES[code].status, {
    code: AUTHGEAR_CODES[code] ?? 'unsupported_request',
    error_detail: detail,
    description: detail,
  })
}

const AUTHGEAR_CODES: { readonly [code in ProblemCode]?: string } = {
  access_denied: 'authentication_failed',
  invalid_phone: 'invalid_phone_number',
  rate_limited: 'rate_limited',
  limit_reached: 'rate_limited',
  unavailable: 'timeout',
  insufficient_funds: 'delivery_rejected',
  country_not_allowed: 'delivery_rejected',
  destination_stopped: 'delivery_rejected',
  quiet_hours: 'delivery_rejected',
  no_price: 'delivery_rejected',
  operator_not_supported: 'delivery_rejected',
  sender_not_approved: 'delivery_rejected',
}

function isOfSetup({ code }: Fault): boolean {
  return code === 'access_denied' || code === NOT_FOUND || code === 'method_not_allowed'
}

function json(status: number, value: object): ApiAnswer {
  return answer(status, 'application/json', JSON.stringify(value))
}

function answer(status: number, type: string, text: string, more: readonly string[] = []): ApiAnswer {
  return { status, headers: ['Content-Type', type, 'Cache-Control', 'no-store', ...more], text }
}
