/** The errors of the REST API: the HTTP status of each code, and their form (RFC 9457). */
import type { ErrorCode } from '../request/error-codes.ts'

/** Of a path that does not exist. */
export const NOT_FOUND = 'not_found'

export type ProblemCode = ErrorCode | typeof NOT_FOUND

interface ProblemStatus {
  readonly status: number
  /** Seconds after which a repeat may succeed; absent if it will not. */
  readonly retryAfter?: number
}

const HOUR = 3_600

export const PROBLEM_STATUSES: Readonly<Record<ProblemCode, ProblemStatus>> = {
  invalid_request: { status: 400 },
  access_denied: { status: 401 },
  insufficient_funds: { status: 402 },
  not_allowed: { status: 403 },
  needs_live_key: { status: 403 },
  country_not_allowed: { status: 403 },
  destination_stopped: { status: 403 },
  quiet_hours: { status: 403 },
  not_found: { status: 404 },
  no_such_message: { status: 404 },
  no_such_verification: { status: 404 },
  no_such_template: { status: 404 },
  no_such_hook: { status: 404 },
  no_such_bulk: { status: 404 },
  method_not_allowed: { status: 405 },
  idempotency_conflict: { status: 409 },
  too_late: { status: 409 },
  name_taken: { status: 409 },
  too_many_templates: { status: 409 },
  too_many_hooks: { status: 409 },
  hook_taken: { status: 409 },
  hooks_used_up: { status: 409 },
  too_many_bulks: { status: 409 },
  bulk_state: { status: 409 },
  bulk_empty: { status: 409 },
  too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  invalid_field: { status: 422 },
  invalid_phone: { status: 422 },
  // A field of a send names it.
  no_such_inbound: { status: 422 },
  sender_not_approved: { status: 422 },
  no_price: { status: 422 },
  operator_not_supported: { status: 422 },
  no_call_possible: { status: 422 },
  call_failed: { status: 422 },
  too_many_operations: { status: 422 },
  rate_limited: { status: 429, retryAfter: 1 },
  limit_reached: { status: 429, retryAfter: HOUR },
  too_many_calls: { status: 429, retryAfter: HOUR },
  hooks_changed_too_often: { status: 429, retryAfter: HOUR },
  idempotency_full: { status: 429, retryAfter: HOUR },
  no_number_free: { status: 503, retryAfter: 60 },
  lookup_failed: { status: 503, retryAfter: 5 },
  too_early: { status: 429, retryAfter: 5 },
  unavailable: { status: 503, retryAfter: 1 },
  internal: { status: 500 },
}

export const PROBLEM_TYPE = 'application/problem+json'

/** Writes the body of an error. `detail` is the error text; `field` is the one that it is about. */
export function writeProblem(code: ProblemCode, detail: string, field: string | null = null): string {
  return JSON.stringify({
    type: `urn:posthorn:error:${code}`,
    title: titleOf(code),
    status: PROBLEM_STATUSES[code].status,
    detail,
    code,
    ...(field === null ? {} : { field }),
  })
}

/** `no_such_message` is `No such message`. */
function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
