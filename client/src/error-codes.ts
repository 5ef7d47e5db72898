/**
 * Short codes of the gateway's errors, so that programs need not compare sentences. A newer gateway may send others,
 * which are reported as they are.
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
  /** What is sent is no JSON, or compressed; the lines of a bulk are no CSV or JSON lines. */
  | 'unsupported_media_type'
  /** Something else than a POST was sent. */
  | 'method_not_allowed'
  /** The bulk that gets lines does not exist. */
  | 'no_such_bulk'
  /** The number of the first line of an upload breaks a rule. */
  | 'invalid_field'
  /** Anything else: the error's message says what. */
  | 'invalid_request'
  /** The gateway is older than codes. */
  | 'unknown'

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
  /** No carrier has the code yet: ask for it again in some seconds. */
  | 'too_early'
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
  /** The gateway is older than codes. */
  | 'unknown'

/** Returns the code of an answer; an older gateway sends none. */
export function readCode<C extends string>(code: unknown): C | 'unknown' {
  return typeof code === 'string' ? (code as C) : 'unknown'
}
