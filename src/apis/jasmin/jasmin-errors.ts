/** Errors in Jasmin's statuses and texts, which programs compare. Texts that it has not are those of the JSON API. */
import { codeOf, type ErrorCode } from '../../contract/request/error-codes.ts'
import { fieldIn } from '../../contract/request/error-texts.ts'
import { type Arguments, argumentText, invalid } from './arguments.ts'

export interface JasminError {
  readonly status: number
  readonly text: string
}

export function badArgument(text: string): JasminError {
  return { status: 400, text }
}

export function denied(user: string): JasminError {
  return { status: 403, text: `Authentication failure for username:${user}` }
}

/** Of a login after too many failures. */
export function mustWait(user: string): JasminError {
  return { status: 403, text: `${denied(user).text} (too many failures, try again later)` }
}

/** Returns what went wrong with the operation that was made of the arguments. */
export function errorOf(error: string, args: Arguments): JasminError {
  const user = argumentText(args, 'username')
  const known = BY_CODE[codeOf(error)]
  if (known !== undefined) return { status: known[0], text: known[1].replace('%u', () => user) }
  const field = fieldIn(error) ?? ''
  const argument = ARGUMENT_OF[field] ?? (field.endsWith('_lifetime') ? 'validity-period' : undefined)
  if (argument !== undefined) return badArgument(invalid(argument, args.get(argument) ?? Buffer.alloc(0)))
  return badArgument(error.replace(FIELD, (_, end: string) => (end === 'signature' ? 'from' : 'content')))
}

const FIELD = /^(?:sms|rcs|chatapp)_(signature|message)(?=:)/

/** Whose value is the fault. */
const ARGUMENT_OF: Readonly<Record<string, string>> = { phone: 'to', hook: 'dlr-url', send_at: 'sdt' }

const CANNOT_CHARGE = 'Cannot charge submit_sm, check RouterPB log file for details'
const CANNOT_SEND = 'Cannot send submit_sm, check SMPPClientManagerPB log file for details'
const TOO_FAST = 'User throughput exceeded'
const NO_ROUTE = 'No route found'
const WRONG_SENDER = 'Value filter failed for user [%u] (source_address filter mismatch).'
const WRONG_RECEIVER = 'Value filter failed for user [%u] (destination_address filter mismatch).'

const BY_CODE: { readonly [code in ErrorCode]?: readonly [status: number, text: string] } = {
  access_denied: [403, 'Authentication failure for username:%u'],
  insufficient_funds: [403, CANNOT_CHARGE],
  rate_limited: [403, TOO_FAST],
  limit_reached: [403, TOO_FAST],
  not_allowed: [400, 'Authorization failed for user [%u] (Cannot send MT messages).'],
  sender_not_approved: [400, WRONG_SENDER],
  country_not_allowed: [400, WRONG_RECEIVER],
  destination_stopped: [400, WRONG_RECEIVER],
  no_price: [412, NO_ROUTE],
  operator_not_supported: [412, NO_ROUTE],
  unavailable: [500, CANNOT_SEND],
  internal: [500, CANNOT_SEND],
}
