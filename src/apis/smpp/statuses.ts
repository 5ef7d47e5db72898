/**
 * The command statuses with which the SMPP server refuses. What clients do with them differs, and Kannel decides for
 * many: it repeats a message after 0x58, 0x14, 0x08 and 0x64, and gives it up after all others.
 */
import { codeOf, type ErrorCode } from '../../contract/request/error-codes.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'

/** Why a request was refused. */
export interface Refusal {
  readonly status: number
  /** For the client's log. */
  readonly text: string
}

export function refusal(status: number, text: string): Refusal {
  return { status, text }
}

/** Codes that are not here are final, without a more exact status. */
const OF_CODES: Partial<Readonly<Record<ErrorCode, number>>> = {
  // Repeated by the client, at once or later.
  rate_limited: STATUS.throttled,
  unavailable: STATUS.queueFull,
  idempotency_full: STATUS.queueFull,
  internal: STATUS.systemError,
  // Final.
  invalid_phone: STATUS.badDestination,
  no_price: STATUS.badDestination,
  country_not_allowed: STATUS.badDestination,
  destination_stopped: STATUS.badDestination,
  sender_not_approved: STATUS.badSource,
  no_such_message: STATUS.badMessageId,
  too_late: STATUS.cancelFailed,
}

/** Of a field that is invalid, by its end. */
const OF_FIELDS = [
  [/^phone$/, STATUS.badDestination],
  [/_signature$/, STATUS.badSource],
  [/_lifetime$/, STATUS.badExpiry],
  [/^send_at$/, STATUS.badSchedule],
] as const

/** `field` is that of the error; empty if it is about none. */
export function refusalOf(error: string, field: string): Refusal {
  const code = codeOf(error)
  const ofField = code === 'invalid_field' ? OF_FIELDS.find(([pattern]) => pattern.test(field))?.[1] : undefined
  return refusal(ofField ?? OF_CODES[code] ?? STATUS.submitFailed, error)
}
