/**
 * Short codes for the gateway's error texts, so that programs need not compare sentences. A text of a newer gateway
 * that is in no table here is still reported, under the last code of its kind.
 */

/** Why a whole request was refused. */
export type RequestErrorCode =
  /** The key is wrong, expired or revoked, or the account may not send. */
  | 'access_denied'
  /** No route for calls to one of the numbers: the whole request was refused. */
  | 'operator_not_supported'
  /** The account asks faster than it may. */
  | 'rate_limited'
  /** The gateway cannot store anything now. */
  | 'unavailable'
  /** The idempotency key was used with other operations. */
  | 'idempotency_conflict'
  /** The account keeps as many answers under idempotency keys as it may. */
  | 'idempotency_full'
  /** More operations than one request may have. */
  | 'too_many_operations'
  /** The request is larger than the gateway takes. */
  | 'too_large'
  /** A fault of the gateway. */
  | 'internal'
  /** Anything else: the error's message says what. */
  | 'invalid_request'

/** Why one operation failed. */
export type ItemErrorCode =
  /** A sender name is malformed, or not approved for the account and the channel. */
  | 'sender_not_approved'
  /** The key lacks the scope for this operation. */
  | 'not_allowed'
  /** A test key changes nothing of the account. */
  | 'needs_live_key'
  | 'insufficient_funds'
  | 'invalid_phone'
  /** The call failed before it rang. */
  | 'call_failed'
  | 'too_many_calls'
  | 'no_number_free'
  /** The operator has set no price for this channel and number. */
  | 'no_price'
  /** The account sends to other countries only. */
  | 'country_not_allowed'
  /** The operator has stopped what goes to numbers like this. */
  | 'destination_stopped'
  /** It is night where the number is. */
  | 'quiet_hours'
  /** The account has reached a limit of messages, calls or money, or of messages to numbers like this. */
  | 'limit_reached'
  /** A template of this name exists. */
  | 'name_taken'
  | 'too_many_templates'
  | 'no_such_template'
  | 'no_such_message'
  | 'no_such_inbound'
  | 'no_such_verification'
  | 'no_such_bulk'
  /** The bulk is not in a state that allows this. */
  | 'bulk_state'
  /** The bulk has no line that can be sent. */
  | 'bulk_empty'
  /** The account has as many bulks as it may. */
  | 'too_many_bulks'
  /** No carrier can call the number, and a call is the only channel. */
  | 'no_call_possible'
  /** No lookup service answered in time. */
  | 'lookup_failed'
  | 'no_such_hook'
  | 'too_many_hooks'
  /** The account has created as many hooks as it ever may. */
  | 'hooks_used_up'
  /** Another hook of the account has this address. */
  | 'hook_taken'
  /** Hooks were changed or tested too often within an hour. */
  | 'hooks_changed_too_often'
  /** A carrier has the message, or may have, or it has ended. */
  | 'too_late'
  /** A field breaks a rule: `field` names it, the message says the rule. */
  | 'invalid_field'
  /** Anything else: the error's message says what. */
  | 'failed'

/** The name of a field, or the path of a value in it such as `rich.cards[2].title`, with which a text begins. */
export const FIELD = /^([a-z_]+(?:\.[a-z_]+|\[\d+\])*): /

type Codes<C> = readonly (readonly [text: string | RegExp, code: C])[]

export const REQUEST_CODES: Codes<RequestErrorCode> = [
  ['Access denied', 'access_denied'],
  ['Operator not supported', 'operator_not_supported'],
  [/^Rate limit exceeded\b/, 'rate_limited'],
  ['Service unavailable, try again later', 'unavailable'],
  ['Idempotency-Key was used with another body', 'idempotency_conflict'],
  [/^Idempotency-Key: too many answers\b/, 'idempotency_full'],
  [/^data: at most \d+ operations\b/, 'too_many_operations'],
  [/^The body is too large\b/, 'too_large'],
  ['Internal error', 'internal'],
]

export const ITEM_CODES: Codes<ItemErrorCode> = [
  ['Error in Alpha-name', 'sender_not_approved'],
  [/^type: not allowed with this key\b/, 'not_allowed'],
  ['type: not allowed with a test key', 'needs_live_key'],
  ['Insufficient funds', 'insufficient_funds'],
  [/^Invalid phone number$|^phone: must begin with its country code\b/, 'invalid_phone'],
  ['Call failed', 'call_failed'],
  [/^Too many calls\b/, 'too_many_calls'],
  [/^No calling number is free\b/, 'no_number_free'],
  [/^phone: no price\b/, 'no_price'],
  ['phone: this country is not allowed', 'country_not_allowed'],
  [/^phone: traffic to numbers like this is stopped\b/, 'destination_stopped'],
  [/^phone: quiet hours\b/, 'quiet_hours'],
  [/^(?:Daily (?:spending|message)|Hourly (?:call|verification)) limit reached$/, 'limit_reached'],
  [/^(?:phone|ip): too many (?:messages|verifications)\b/, 'limit_reached'],
  ['name: already used by another template', 'name_taken'],
  [/^template: no room for another template\b/, 'too_many_templates'],
  ['Template not found', 'no_such_template'],
  ['Message not found', 'no_such_message'],
  ['Inbound message not found', 'no_such_inbound'],
  ['Verification not found', 'no_such_verification'],
  ['Bulk not found', 'no_such_bulk'],
  [/^The bulk is not in a state that allows this\b/, 'bulk_state'],
  ['The bulk has no lines that can be sent', 'bulk_empty'],
  [/^Too many bulks\b/, 'too_many_bulks'],
  ['phone: no call to this number is possible', 'no_call_possible'],
  ['Lookup failed, try again later', 'lookup_failed'],
  ['Hook not found', 'no_such_hook'],
  [/^hook: at most \d+ hooks\b/, 'too_many_hooks'],
  [/^hook: the account has created\b/, 'hooks_used_up'],
  [/^hook: another hook\b/, 'hook_taken'],
  [/^Hooks were changed or tested\b/, 'hooks_changed_too_often'],
  ['Too late to cancel', 'too_late'],
  [FIELD, 'invalid_field'],
]

export function requestErrorCode(text: string): RequestErrorCode {
  return codeOf(REQUEST_CODES, text) ?? 'invalid_request'
}

export function itemErrorCode(text: string): ItemErrorCode {
  return codeOf(ITEM_CODES, text) ?? 'failed'
}

/** The field that a text is about; null when it is about none. */
export function fieldOf(text: string): string | null {
  return FIELD.exec(text)?.[1] ?? null
}

function codeOf<C>(codes: Codes<C>, text: string): C | null {
  for (const [pattern, code] of codes) {
    if (typeof pattern === 'string' ? pattern === text : pattern.test(text)) return code
  }
  return null
}
