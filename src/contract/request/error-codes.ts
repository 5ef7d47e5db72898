/**
 * Short codes for the error texts, so that programs need not compare sentences. The types demand one for each text
 * without a field; a test demands one for the texts that are made.
 */
import { FIELD_START, ITEM_ERRORS, REQUEST_ERRORS } from './error-texts.ts'

const OF_REQUESTS = {
  accessDenied: 'access_denied',
  operatorNotSupported: 'operator_not_supported',
  contentType: 'unsupported_media_type',
  method: 'method_not_allowed',
  json: 'invalid_request',
  utf8: 'invalid_request',
  compressed: 'unsupported_media_type',
  envelope: 'invalid_request',
  data: 'invalid_request',
  idempotencyKeyEmpty: 'invalid_request',
  idempotencyConflict: 'idempotency_conflict',
  idempotencyFull: 'idempotency_full',
  unavailable: 'unavailable',
  internal: 'internal',
} as const satisfies Readonly<Record<keyof typeof REQUEST_ERRORS, string>>

const OF_ITEMS = {
  alphaName: 'sender_not_approved',
  insufficientFunds: 'insufficient_funds',
  invalidPhone: 'invalid_phone',
  needsPhone: 'invalid_phone',
  callFailed: 'call_failed',
  tooManyCalls: 'too_many_calls',
  noNumberFree: 'no_number_free',
  nameTaken: 'name_taken',
  nameHidden: 'invalid_field',
  tooManyTemplates: 'too_many_templates',
  noSuchTemplate: 'no_such_template',
  countryNotAllowed: 'country_not_allowed',
  destinationStopped: 'destination_stopped',
  quietHours: 'quiet_hours',
  noSuchMessage: 'no_such_message',
  noSuchInbound: 'no_such_inbound',
  tooLate: 'too_late',
  noSuchVerification: 'no_such_verification',
  verificationEnded: 'too_late',
  codeUnderWay: 'too_early',
  callNotRepeated: 'invalid_field',
  noCallPossible: 'no_call_possible',
  lookupFailed: 'lookup_failed',
  noSuchHook: 'no_such_hook',
  tooManyHooks: 'too_many_hooks',
  hookTaken: 'hook_taken',
  hooksUsedUp: 'hooks_used_up',
  hooksChangedTooOften: 'hooks_changed_too_often',
  noSuchBulk: 'no_such_bulk',
  bulkState: 'bulk_state',
  bulkEmpty: 'bulk_empty',
  tooManyBulks: 'too_many_bulks',
  liveOnly: 'needs_live_key',
  notAnObject: 'invalid_field',
} as const satisfies Readonly<Record<keyof typeof ITEM_ERRORS, string>>

/** Texts with a number or a name in them. The first pattern that fits applies. */
const OF_PATTERNS = [
  [/^Rate limit exceeded\b/, 'rate_limited'],
  [/^The (?:body|upload) is too large\b/, 'too_large'],
  [/^(?:Content-Type must be|Content-Encoding is not) /, 'unsupported_media_type'],
  [/^data: at most \d+ operations\b/, 'too_many_operations'],
  [/^data: /, 'invalid_request'],
  [/^type: not allowed with this key\b/, 'not_allowed'],
  [/^phone: must begin with its country code\b/, 'invalid_phone'],
  [/^phone: no price\b/, 'no_price'],
  [/^(?:Daily|Hourly) [a-z]+ limit reached$/, 'limit_reached'],
  [/^(?:phone|ip): (?:too many (?:messages|verifications)|had an automatic reply)\b/, 'limit_reached'],
  [/^verify_id: this code was sent again too often\b/, 'limit_reached'],
  [/^The bulk is not in a state that allows this\b/, 'bulk_state'],
  [FIELD_START, 'invalid_field'],
] as const

type ValueOf<T> = T[keyof T]

export type ErrorCode = ValueOf<typeof OF_REQUESTS> | ValueOf<typeof OF_ITEMS> | (typeof OF_PATTERNS)[number][1]

const OF_TEXTS: ReadonlyMap<string, ErrorCode> = new Map([
  ...textsWithCodes(REQUEST_ERRORS, OF_REQUESTS),
  ...textsWithCodes(ITEM_ERRORS, OF_ITEMS),
])

/** All codes, each once. */
export const ERROR_CODES: readonly ErrorCode[] = [
  ...new Set([...OF_TEXTS.values(), ...OF_PATTERNS.map(([, code]) => code)]),
]

/** Returns the code of an error text: `invalid_request` if the text is one of no field and of no table. */
export function codeOf(text: string): ErrorCode {
  return OF_TEXTS.get(text) ?? OF_PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? 'invalid_request'
}

function textsWithCodes<K extends string, C extends string>(
  texts: Readonly<Record<K, string>>,
  codes: Readonly<Record<K, C>>,
): readonly (readonly [string, C])[] {
  return (Object.keys(texts) as K[]).map((key) => [texts[key], codes[key]])
}
