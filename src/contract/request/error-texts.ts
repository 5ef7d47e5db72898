/**
 * All error texts for clients, in one place. Texts without a field are the same in every answer, so that clients can
 * compare them; texts about a field begin with its name and state the rule.
 */
import type { VelocityLimit } from '../../domain/accounts/account.ts'
import { MESSAGE_CHANNELS, type RoutedChannel } from '../../domain/channels/channel.ts'
import type { UsageGuard } from '../../domain/guards/guards.ts'
import { HOOK_REFUSALS } from '../../domain/reports/client-hook.ts'
import { DAY_OR_HOUR_RULE } from '../../domain/statistics/message-statistics.ts'
import { ruleOf, wholeNumber } from '../../domain/text/schema-rule.ts'

/** Errors of a whole request: nothing of it was executed. */
export const REQUEST_ERRORS = {
  accessDenied: 'Access denied',
  operatorNotSupported: 'Operator not supported',
  contentType: 'Content-Type must be application/json',
  method: 'Only POST is answered here',
  json: 'The body is not valid JSON',
  utf8: 'The body is not valid UTF-8',
  compressed: 'The body is compressed',
  envelope: 'The body must be a JSON object with auth and data',
  data: 'data: must be an array of operations',
  idempotencyKeyEmpty: 'Idempotency-Key must not be empty',
  idempotencyConflict: 'Idempotency-Key was used with another body',
  idempotencyFull: 'Idempotency-Key: too many answers are kept for this account, send without a key or try again later',
  unavailable: 'Service unavailable, try again later',
  internal: 'Internal error',
} as const

export function bodyTooLarge(maxBytes: number): string {
  return `The body is too large, at most ${maxBytes} bytes`
}

export function jsonTooDeep(maxLevels: number): string {
  return `The JSON is nested too deep, at most ${maxLevels} levels`
}

export function tooManyMembers(most: number): string {
  return `data: at most ${most} fields and list elements in a request of so many operations`
}

export function tooManyOperations(most: number): string {
  return `data: at most ${most} operations in a request`
}

export function listsTooLong(maxBytes: number): string {
  return `data: the lists of an answer take at most ${maxBytes} bytes, ask for them in several requests`
}

export function tooManyLists(most: number): string {
  return `data: at most ${most} operations that list something in a request`
}

export function tooManyTemplateChanges(most: number): string {
  return `data: at most ${most} operations that create or delete a template in a request`
}

export function tooManyLinksInRequest(most: number): string {
  return `data: at most ${most} short links in a request`
}

export function tooManyLookups(most: number): string {
  return `data: at most ${most} lookups in a request`
}

export function idempotencyKeyTooLong(maxCharacters: number): string {
  return `Idempotency-Key: at most ${maxCharacters} characters`
}

export function tooManyBytes(bytesPerSecond: number): string {
  return `Rate limit exceeded, at most ${bytesPerSecond} bytes a second in requests over 64 KiB`
}

export function rateLimited(operationsPerSecond: number): string {
  return `Rate limit exceeded, at most ${operationsPerSecond} operations a second`
}

export function tooManyLookupsPerSecond(lookupsPerSecond: number): string {
  return `Rate limit exceeded, at most ${lookupsPerSecond} lookups a second`
}

/** Errors of one operation: the other operations of the request continue. */
export const ITEM_ERRORS = {
  alphaName: 'Error in Alpha-name',
  insufficientFunds: 'Insufficient funds',
  invalidPhone: 'Invalid phone number',
  needsPhone: 'phone: a user id is reached by WhatsApp only, and no step is by chat app',
  callFailed: 'Call failed',
  tooManyCalls: 'Too many calls to this phone number, try again later',
  noNumberFree: 'No calling number is free for this phone number, try again later',
  nameTaken: 'name: already used by another template',
  nameHidden: 'name: must not have invisible characters, nor characters that reverse text',
  tooManyTemplates: 'template: no room for another template in this account, delete one first',
  noSuchTemplate: 'Template not found',
  countryNotAllowed: 'phone: this country is not allowed',
  destinationStopped: 'phone: traffic to numbers like this is stopped for now, ask the operator',
  quietHours: 'phone: quiet hours for this number, try again later',
  noSuchMessage: 'Message not found',
  noSuchInbound: 'Inbound message not found',
  tooLate: 'Too late to cancel',
  noSuchVerification: 'Verification not found',
  verificationEnded: 'The verification has ended, start another one',
  codeUnderWay: 'The code is on its way to a carrier, try again later',
  callNotRepeated: 'verify_id: the code of a call cannot be sent again, start another verification',
  noCallPossible: 'phone: no call to this number is possible',
  lookupFailed: 'Lookup failed, try again later',
  noSuchHook: HOOK_REFUSALS.unknown,
  tooManyHooks: HOOK_REFUSALS.tooMany,
  hookTaken: HOOK_REFUSALS.taken,
  hooksUsedUp: HOOK_REFUSALS.usedUp,
  hooksChangedTooOften: HOOK_REFUSALS.tooOften,
  noSuchBulk: 'Bulk not found',
  bulkState: 'The bulk is not in a state that allows this',
  bulkEmpty: 'The bulk has no lines that can be sent',
  tooManyBulks: 'Too many bulks that have not ended, stop one first',
  liveOnly: 'type: not allowed with a test key',
  notAnObject: 'data: each operation must be an object',
} as const

/** A limit of the account or of the installation that one more message would exceed. */
export function limitReached(guard: UsageGuard, of: 'messages' | 'money'): string {
  if (guard === 'day') return of === 'money' ? 'Daily spending limit reached' : 'Daily message limit reached'
  if (guard === 'calls') return 'Hourly call limit reached'
  if (guard === 'verify') return 'Hourly verification limit reached'
  if (guard === 'verify phone') return 'phone: too many verifications of this number, try again later'
  if (guard === 'verify address') return 'ip: too many verifications from this address, try again later'
  if (guard === 'resend') return 'verify_id: this code was sent again too often, start another verification'
  if (guard === 'reply') return 'phone: had an automatic reply within the hour'
  return `phone: too many messages to ${LIMITED[guard]}, try again later`
}

const LIMITED: Readonly<Record<VelocityLimit['per'], string>> = {
  phone: 'this number',
  country: 'this country',
  prefix: 'numbers like this',
}

export function notAMonth(field: string): string {
  return `${field}: must be a month such as 2026-11`
}

export function notFrom(field: string): string {
  return `${field}: must be a message from phone`
}

export function required(field: string): string {
  return `${field}: required`
}

export function requiredOr(field: string, other: string): string {
  return `${field}: required, or ${other}`
}

export function needs(field: string, other: string): string {
  return `${field}: needs ${other}`
}

export function needsCountryCode(field: string): string {
  return `${field}: must begin with its country code, such as 49, and not with 0`
}

export function notText(field: string): string {
  return `${field}: must be a string of valid Unicode without the character U+0000`
}

export function blank(field: string): string {
  return `${field}: must have a visible character`
}

export function tooLong(field: string, maxCharacters: number, withField?: string): string {
  return `${field}: at most ${maxCharacters} characters${withField === undefined ? '' : ` with ${withField}`}`
}

export function tooManyParts(field: string, maxParts: number): string {
  return `${field}: at most ${maxParts} SMS parts`
}

export function tooManyMarks(field: string, maxMarks: number): string {
  return `${field}: at most ${maxMarks} combining marks in a row`
}

export function tooManyLinks(most: number): string {
  return `short_link: at most ${most} addresses in a message`
}

export function needsTexts(field: string): string {
  return `${field}: needs a text in every message`
}

export function notAnAddress(field: string): string {
  return `${field}: must be an absolute http or https address`
}

export const PUBLIC_RULE = 'must be a public address, private networks are not allowed'

export const PORT_RULE = 'must not have the port of a service other than HTTP'

export function notPublic(field: string): string {
  return `${field}: ${PUBLIC_RULE}`
}

export function notALifetime(field: string, minSeconds: number, maxSeconds: number): string {
  return `${field}: must be ${ruleOf(wholeNumber(minSeconds, maxSeconds, 'seconds'))}`
}

/** Of a text in which a bulk would fill `{{code}}`. */
export function codeInTwoBraces(field: string): string {
  return `${field}: write {code} in single braces`
}

export function notATime(field: string): string {
  return `${field}: must be a time with its offset as in RFC 3339, such as 2026-03-01T09:00:00+02:00`
}

export function lacksItsOffset(field: string): string {
  return `${field}: must have its offset, such as Z or +02:00, because the account has no time zone`
}

export function noSuchTime(field: string): string {
  return `${field}: there is no such day or time`
}

export function notADay(field: string): string {
  return wrongRange(field, DAY_OR_HOUR_RULE)
}

/** The time, the zone or the groups that are to be read break a rule. */
export function wrongRange(field: string, rule: string): string {
  return `${field}: ${rule}`
}

export function tooFarAhead(field: string, maxSeconds: number): string {
  return `${field}: at most ${maxSeconds / 86_400} days ahead`
}

export function notAFlag(field: string): string {
  return `${field}: must be ${ruleOf({ type: 'boolean' })}`
}

export function notOneOf(field: string, values: readonly string[]): string {
  return `${field}: must be ${ruleOf({ enum: values })}`
}

export function notASendType(field: string): string {
  const channels = MESSAGE_CHANNELS.join(', ')
  return `${field}: must be one of ${channels}, or several of them joined by +, such as ${MESSAGE_CHANNELS.slice(-2).join('+')}`
}

export function unknownOperation(nearest: string | null): string {
  const advice = nearest === null ? '' : `; did you mean ${nearest}?`
  return `type: must be one of ${MESSAGE_CHANNELS.join(', ')}, a chain such as chatapp+sms, or another operation of the API${advice}`
}

export function notAListOf(field: string, values: readonly string[]): string {
  return `${field}: must be a list of one or more of ${values.join(', ')}, each once`
}

export function notInRange(field: string, min: number, max: number): string {
  return `${field}: must be ${ruleOf(wholeNumber(min, max))}`
}

export function notAnIpAddress(field: string): string {
  return `${field}: must be an IPv4 or IPv6 address`
}

export function notACode(field: string): string {
  return `${field}: must be a string of 4 to 10 digits`
}

export function lacksCode(field: string): string {
  return `${field}: must contain {code}`
}

export function needsScope(scopes: readonly string[]): string {
  return `type: not allowed with this key, which lacks the scope ${scopes.join(' or ')}`
}

/** `unwanted`: fields that it must not have. */
export function hasPlaceholders(field: string): string {
  return `${field}: must have no placeholders`
}

export function notASend(field: string, unwanted: readonly string[]): string {
  return `${field}: must be a send operation without ${unwanted.join(', ')}`
}

export function tooManyBytesIn(field: string, maxBytes: number): string {
  return `${field}: at most ${maxBytes} bytes of JSON`
}

export function tooManyPlaceholders(field: string, most: number): string {
  return `${field}: at most ${most} placeholders`
}

export function notANumber(field: string): string {
  return `${field}: must be a positive whole number`
}

export function notACursor(field: string): string {
  return `${field}: must be next or a cursor of an earlier answer to this account`
}

export function notAnId(maxCharacters: number): string {
  return `id: must be a number or a string of at most ${maxCharacters} characters`
}

export function noPrice(channel: RoutedChannel): string {
  return `phone: no price for ${channel} to this number`
}

export function notAnObject(path: string): string {
  return `${path}: must be an object`
}

export function notAList(path: string, min: number, max: number): string {
  return `${path}: must be a list of ${min} to ${max} elements`
}

export function unknownMember(path: string, member: string): string {
  return `${path}: has the unknown member ${JSON.stringify(member)}`
}

export function unknownType(path: string, types: readonly string[]): string {
  return `${path}.type: must be one of ${types.join(', ')}`
}

export function notAPhone(path: string): string {
  return `${path}: must be a phone number with country code`
}

export function notADegree(path: string, max: number): string {
  return `${path}: must be a number from -${max} to ${max}`
}

export function repeated(path: string): string {
  return `${path}: must differ from those before it`
}

export function hasOuterSpace(path: string): string {
  return `${path}: must not begin or end with a space`
}

export function emptyCard(path: string): string {
  return `${path}: must have a title, a description, an image or a video`
}

export function notTogether(path: string, other: string): string {
  return `${path}: not together with ${other}`
}

export function hasControl(path: string): string {
  return `${path}: must not have line breaks or control characters`
}

export function notAnEventTime(path: string): string {
  return `${path}: must be from 1970 to 9999, in UTC`
}

export function endsTooEarly(path: string): string {
  return `${path}: must be later than start`
}

export function tooManyElements(path: string, max: number, withField: string): string {
  return `${path}: at most ${max} with ${withField}`
}

export function tooManyRichBytes(path: string, maxBytes: number): string {
  return `${path}: at most ${maxBytes} bytes of JSON`
}

/**
 * Returns the field that an item error is about, or the path of the value in it; null if none. Texts about a field
 * begin with its name.
 */
export function fieldIn(error: string): string | null {
  return FIELD_OF.get(error) ?? FIELD_START.exec(error)?.[1] ?? null
}

/** Texts that do not begin with the field that they are about. */
const FIELD_OF: ReadonlyMap<string, string> = new Map([
  [ITEM_ERRORS.invalidPhone, 'phone'],
  [ITEM_ERRORS.noSuchInbound, 'reply_to'],
  [ITEM_ERRORS.noSuchVerification, 'verify_id'],
  [ITEM_ERRORS.noSuchHook, 'hook_id'],
  [ITEM_ERRORS.noSuchBulk, 'bulk_id'],
])

/** The name of a field, or the path of a value in it such as `rich.cards[2].title`, with which a text begins. */
export const FIELD_START = /^([a-z_]+(?:\.[a-z_]+|\[\d+\])*): /

/** Warnings of results: the operation is executed without these fields. */
export const ignored = (field: string): string => `${field}: ignored`

export function moreIgnored(count: number): string {
  return `${count} more ignored`
}

export function priorityTooHigh(name: string, highest: string): string {
  return `${name}: at most ${highest} with this key`
}
