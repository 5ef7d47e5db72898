/**
 * What causes each error that a client can meet and what the client does about it, for the API reference. Every text of
 * error-texts.ts has an entry: the types demand those without a field, a test the others.
 */

import {
  blank,
  bodyTooLarge,
  codeInTwoBraces,
  emptyCard,
  endsTooEarly,
  hasControl,
  hasOuterSpace,
  hasPlaceholders,
  ITEM_ERRORS,
  idempotencyKeyTooLong,
  jsonTooDeep,
  lacksCode,
  lacksItsOffset,
  limitReached,
  listsTooLong,
  needs,
  needsCountryCode,
  needsScope,
  needsTexts,
  noPrice,
  noSuchTime,
  notACode,
  notACursor,
  notADay,
  notADegree,
  notAFlag,
  notALifetime,
  notAList,
  notAListOf,
  notAMonth,
  notANumber,
  notAnAddress,
  notAnEventTime,
  notAnId,
  notAnIpAddress,
  notAnObject,
  notAPhone,
  notASend,
  notASendType,
  notATime,
  notFrom,
  notInRange,
  notOneOf,
  notPublic,
  notText,
  notTogether,
  PORT_RULE,
  priorityTooHigh,
  REQUEST_ERRORS,
  rateLimited,
  repeated,
  required,
  requiredOr,
  tooFarAhead,
  tooLong,
  tooManyBytes,
  tooManyBytesIn,
  tooManyElements,
  tooManyLinks,
  tooManyLinksInRequest,
  tooManyLists,
  tooManyLookups,
  tooManyLookupsPerSecond,
  tooManyMarks,
  tooManyMembers,
  tooManyOperations,
  tooManyParts,
  tooManyPlaceholders,
  tooManyRichBytes,
  tooManyTemplateChanges,
  unknownMember,
  unknownOperation,
  unknownType,
  wrongRange,
} from '../../src/contract/request/error-texts.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { RICH_MAX_BYTES } from '../../src/contract/rich/rich-limits.ts'
import { ZONE_RULE } from '../../src/domain/time/local-time.ts'
import { STATEMENT_RULES } from '../../src/operations/read/read-statement.ts'

export interface ErrorAdvice {
  /** As clients read it, with default limits; `<field>` stands for the name of the field. */
  readonly text: string
  readonly cause: string
  readonly remedy: string
}

type Advice = readonly [cause: string, remedy: string]

const limits = DEFAULT_LIMITS
export const FIELD = '<field>'
const ADDRESS_CHARACTERS = 2_048
const ID_CHARACTERS = 64
const ANSWER_BYTES = 16 * 1024 * 1024
const RETRY = 'Repeat the request with the same `Idempotency-Key` after a pause; double the pause each time.'
const SPLIT = 'Split the request.'
const SHORTEN = 'Shorten the text.'
const ASK_OPERATOR = 'Ask the operator of the gateway.'

const REQUEST_ADVICE: Readonly<Record<keyof typeof REQUEST_ERRORS, Advice>> = {
  accessDenied: [
    '`auth` is missing, mistyped, expired or revoked, the account is suspended or closed, or your address is not allowed. The answer does not say which.',
    'Check the key. The operator finds the cause with `posthorn key check`.',
  ],
  operatorNotSupported: [
    'A `call/otp` calls a number whose mobile operator no route serves.',
    'Send the other operations without it; send the code by another channel.',
  ],
  contentType: ['The header `Content-Type` is missing or is not `application/json`.', 'Set the header.'],
  method: ['The request was not a POST.', 'Use POST.'],
  json: ['The body cannot be parsed.', 'Send valid JSON.'],
  utf8: ['The body has bytes that are not UTF-8.', 'Encode the body as UTF-8.'],
  compressed: ['The body is compressed, such as with gzip.', 'Send it uncompressed, without `Content-Encoding`.'],
  envelope: ['The body is not an object, or it has no `auth` or no `data`.', 'Send `{"auth": …, "data": [ … ]}`.'],
  data: ['`data` is not an array.', 'Send an array, also for one operation.'],
  idempotencyKeyEmpty: [
    'The header has no value, so a repeat would be sent again.',
    'Send a key of your own for each request, or no such header.',
  ],
  idempotencyConflict: [
    'The same key came with another body within 24 hours.',
    'Use a new key for a new request; repeat a request byte for byte.',
  ],
  idempotencyFull: [
    'The answers that the account keeps under its keys take as many bytes as they may. Requests without a key and repeats of known keys are answered.',
    'Send several operations in a request; send requests that only read without a key; repeat with the same key later, for room comes back hour by hour; or ask the operator for more.',
  ],
  unavailable: ['The gateway is overloaded, stopping, or cannot reach its database.', RETRY],
  internal: ['A fault of the gateway.', `${RETRY} Report it to the operator if it persists.`],
}

const ITEM_ADVICE: Readonly<Record<keyof typeof ITEM_ERRORS, Advice>> = {
  alphaName: [
    'The sender name is malformed, or it is not approved for this account, channel and country.',
    'Use an approved name, letter for letter; ask the operator to approve it.',
  ],
  insufficientFunds: [
    'The balance and the credit do not cover the most that the send can cost.',
    'Top up the account; ask for the amount with `price`.',
  ],
  invalidPhone: ['The number cannot exist, or has characters that are not allowed.', 'Correct the number.'],
  needsPhone: [
    'A step by chat app, which WhatsApp may deliver, is the only one that reaches a user id.',
    'Add `chatapp` to the type.',
  ],
  callFailed: [
    'The phone did not ring: busy, switched off, wrong number, or no carrier could place the call. Nothing is charged.',
    'Offer another channel, such as an SMS with a code of your own.',
  ],
  tooManyCalls: ['The phone was called too often within an hour.', 'Wait, or use another channel.'],
  noNumberFree: [
    'Every code of the number pool was given to this phone recently.',
    'Wait until earlier codes expire; ask the operator for a larger pool.',
  ],
  nameTaken: ['Another template of the account has this name.', 'Choose another name.'],
  nameHidden: ['The name has characters such as U+200B or U+202E.', 'Leave them out.'],
  tooManyTemplates: ['The account has as many templates as it may.', 'Delete one with `template/delete`.'],
  noSuchTemplate: ['No template has this name or id.', 'List the templates with `template/list`.'],
  countryNotAllowed: ['The account may not send to the country of the number.', ASK_OPERATOR],
  destinationStopped: ['Unusual traffic to numbers with this prefix; it is stopped to prevent fraud.', ASK_OPERATOR],
  quietHours: ['It is night at the number, and the account refuses messages then.', 'Send later, or use `send_at`.'],
  noSuchInbound: [
    'The account has no inbound message with the id in `reply_to`.',
    'Use the `inbound_id` of a report or of `inbound/list`.',
  ],
  noSuchMessage: [
    'The account has no message with this `msg_id` or `id`, or its record was deleted after the retention time.',
    'Use the `msg_id` of the answer. A message of the same request is not known yet.',
  ],
  tooLate: ['A carrier has, or may have, a part of the message, or the message has ended.', 'None.'],
  verificationEnded: ['The verification was approved, has expired or ended otherwise.', 'Start another verification.'],
  codeUnderWay: [
    'No carrier has the code yet, so that sending it again would bring it twice.',
    'Repeat the operation after some seconds.',
  ],
  callNotRepeated: [
    'The code is the number that a call came from, and no text with a code was sent.',
    'Start another verification.',
  ],
  noSuchVerification: [
    'The account has no verification with this `verify_id`, or its record was deleted after the retention time.',
    'Use the `verify_id` of the answer to `verify/start`.',
  ],
  noCallPossible: ['No route serves calls to the operator of the number.', 'Add another channel to `channels`.'],
  lookupFailed: [
    'No lookup service answered in time, or too many lookups of the account are under way. Nothing is charged.',
    'Ask again after a pause.',
  ],
  noSuchHook: ['The account has no hook with this `hook_id`, or it was deleted.', 'List the hooks with `hook/list`.'],
  tooManyHooks: ['The account has as many hooks as it may.', 'Delete one with `hook/delete`, or change one.'],
  hookTaken: [
    'Another hook of the account has this address; the query does not count.',
    'Change that hook with `hook/update`, or use another path.',
  ],
  hooksUsedUp: ['The account has created and deleted very many hooks.', 'Change a hook with `hook/update`.'],
  hooksChangedTooOften: ['Hooks may be changed and tested only now and then.', 'Wait up to an hour.'],
  noSuchBulk: [
    'The account has no bulk with this `bulk_id`, or the bulk was deleted, or it belongs to a test key and this is none.',
    'Use the `bulk_id` of the answer to `bulk/create`.',
  ],
  bulkState: [
    'A bulk takes lines before its start, pauses only while it waits or runs, gets another `start_at` only while it does not run, and never runs again after its end. The text ends with its state, such as `: it is finished`.',
    'Send what its state allows.',
  ],
  bulkEmpty: ['No line was uploaded, or all were refused.', 'Upload lines; `bulk/errors` lists the refused ones.'],
  tooManyBulks: [
    'The account has 50 bulks that have not ended, test and live ones apart.',
    'Stop one with `bulk/stop`, or wait.',
  ],
  liveOnly: [
    'A test key may not change templates or hooks, and not read inbound messages, events or failed reports.',
    'Use a live key.',
  ],
  notAnObject: ['An element of `data` is not an object.', 'Send objects.'],
}

const REQUEST_RULES: readonly ErrorAdvice[] = [
  advise(bodyTooLarge(limits.bodyBytes), ['The body exceeds the limit.', SPLIT]),
  advise(jsonTooDeep(limits.jsonDepth), ['Objects and arrays are nested too deeply.', 'Flatten the JSON.']),
  advise(tooManyOperations(limits.syncOperations), [
    'The request has too many operations for its path, or for the account.',
    `${SPLIT} \`/v1/json\` takes more.`,
  ]),
  advise(tooManyMembers(1_040), ['The request has more fields and elements than its operations can use.', SPLIT]),
  advise(tooManyLists(limits.listsInRequest), ['Too many operations that return lists.', SPLIT]),
  advise(tooManyTemplateChanges(limits.templateChangesInRequest), [
    'Too many operations that create or delete templates.',
    SPLIT,
  ]),
  advise(tooManyLinksInRequest(limits.linksInRequest), ['The messages have too many short links together.', SPLIT]),
  advise(tooManyLookups(limits.lookupsInRequest), ['Too many operations that look up a number.', SPLIT]),
  advise(listsTooLong(ANSWER_BYTES), ['The lists of the answer would be too long.', SPLIT]),
  advise(idempotencyKeyTooLong(limits.idempotencyKeyCharacters), ['The header is too long.', 'Use a shorter key.']),
  advise(tooManyBytes(8_388_608), ['The account sends large requests faster than they are read.', RETRY]),
  advise(tooManyLookupsPerSecond(limits.lookupsPerSecond), ['The account looks numbers up faster than it may.', RETRY]),
  advise(rateLimited(100), ['The account sends faster than it may.', RETRY]),
]

const ITEM_RULES: readonly ErrorAdvice[] = [
  advise(required(FIELD), ['A required field is missing, null or empty.', 'Send it.']),
  advise(requiredOr('msg_id', 'id'), ['Neither of two fields was sent.', 'Send one of them.']),
  advise(needs('rcs_button', 'rcs_link'), ['A field is useless without another one.', 'Send both, or neither.']),
  advise(needsCountryCode('phone'), ['The number is a national one.', 'Put the country code in front.']),
  advise(notText(FIELD), ['The value is not a string, or has invalid Unicode.', 'Send a string.']),
  advise(blank(FIELD), ['The text has only spaces or invisible characters.', 'Send a text.']),
  advise(tooLong(FIELD, ADDRESS_CHARACTERS), ['The value is too long.', 'Shorten it.']),
  advise(tooManyParts('sms_message', limits.smsParts), ['The text is too long for an SMS.', SHORTEN]),
  advise(tooManyMarks(FIELD, 30), ['More combining marks follow one letter than any language has.', 'Remove them.']),
  advise(tooManyLinks(200), ['`short_link` would have to shorten too many addresses.', 'Use fewer addresses.']),
  advise(needsTexts('unsubscribe_link'), [
    'A chat-app message of type `image` has no text.',
    'Send a type with a text.',
  ]),
  advise(notFrom('reply_to'), ['The inbound message is from another phone.', 'Send to the phone that wrote it.']),
  advise(notAnAddress(FIELD), ['The value is not an absolute http or https address.', 'Correct the address.']),
  advise(`hook: ${PORT_RULE}`, [
    'The port belongs to another service, such as 25 or 5432.',
    'Use 443 or another port.',
  ]),
  advise(notPublic('hook'), ['The hook is in a private network.', 'Use a public address, or ask the operator.']),
  advise(notALifetime('rcs_lifetime', limits.lifetimeMinSeconds, limits.lifetimeMaxSeconds), [
    'The lifetime is out of range.',
    'Choose one in the range.',
  ]),
  advise(notATime('send_at'), ['The time has another format.', 'Use RFC 3339 with an offset.']),
  advise(lacksItsOffset('send_at'), [
    'The time has no offset.',
    'Send it with its offset, or ask the operator for a time zone of your account.',
  ]),
  advise(noSuchTime('send_at'), ['The time does not exist, such as one on 30 February.', 'Correct it.']),
  advise(notAMonth('month'), ['The value is not a month.', 'Correct it.']),
  advise(wrongRange('month', STATEMENT_RULES.begun), ['The month has not begun.', 'Ask for an earlier one.']),
  advise(wrongRange('month', STATEMENT_RULES.zoned('2027-01')), [
    'Months of time zones are known since the gateway was updated to a version that has them.',
    'Ask for a later one, or without `zone`.',
  ]),
  advise(wrongRange('zone', ZONE_RULE), ['The value is not a time zone.', 'Correct it.']),
  advise(notADay('from'), ['The value is neither a day nor an hour.', 'Correct it.']),
  advise(wrongRange('from', 'must not be later than through'), [
    'The range of the statistics ends before it begins, is too long, or gives too many lines.',
    'Ask for a shorter time, or with fewer groups.',
  ]),
  advise(tooFarAhead('send_at', limits.sendAheadSeconds), ['The time is too far in the future.', 'Send it later.']),
  advise(notAFlag('short_link'), ['The value is not a boolean.', 'Send `true` or `false`.']),
  advise(notOneOf('chatapp_type', ['text', '…']), ['The value is not in the list.', 'Use one of the list.']),
  advise(notASendType('send_type'), [
    'It is not the type of a send, or names a channel twice.',
    'Use one channel, or join several in the order in which they are tried.',
  ]),
  advise(unknownOperation(null), ['The operation does not exist.', 'Use a `type` of this page, written exactly so.']),
  advise(notAListOf('channels', ['call', '…']), [
    'The value is not a list, or has other or repeated values.',
    'Send a list such as `["rcs","sms"]`.',
  ]),
  advise(notInRange('length', 4, 8), ['The number is out of range.', 'Choose one in the range.']),
  advise(notAnIpAddress('ip'), ['The value is not an address, or has a port or a zone.', 'Send the bare address.']),
  advise(notACode('code'), ['The code has other characters than digits, or is a number.', 'Send a string of digits.']),
  advise(codeInTwoBraces('text'), ['The code would be between braces.', 'Write `{code}` in the text.']),
  advise(lacksCode('text'), ['The text has no place for the code.', 'Write `{code}` in the text.']),
  advise(hasPlaceholders('hook'), ['The reports of a bulk go to one address.', 'Write the address in full.']),
  advise(notASend('message', ['phone', 'id', 'send_at', 'reply_to']), [
    'The value is not an object, has another type than a send, or a field that the lines or the start of the bulk say.',
    'Send the fields of a send without these.',
  ]),
  advise(tooManyBytesIn('message', 16_384), ['The message of the bulk is too long.', SHORTEN]),
  advise(tooManyPlaceholders('message', 50), ['The message of the bulk has too many placeholders.', SHORTEN]),
  advise(notANumber('msg_id'), ['The value is not a positive integer.', 'Use the value of an answer.']),
  advise(notACursor('after'), ['The value is not from an earlier answer.', 'Pass `next` or a `cursor` unchanged.']),
  advise(notAnId(ID_CHARACTERS), ['`id` has another type, or is too long.', 'Send a number or a short string.']),
  advise(needsScope(['send']), ['The API key may not execute this operation.', 'Use another key.']),
  advise(notAnObject('rich'), ['The value is not an object.', 'Send an object.']),
  advise(notAList('rich.cards', 2, 10), ['The value is not a list, or is too short or too long.', 'Correct the list.']),
  advise(unknownMember('rich.cards[0]', 'titel'), ['The object has a misspelled or foreign member.', 'Correct it.']),
  advise(unknownType('rich', ['suggestions', '…']), [
    'The object has no type, or another one.',
    'Use one of the list.',
  ]),
  advise(notAPhone('rich.suggestions[0].phone'), ['The number to call cannot exist.', 'Correct the number.']),
  advise(notADegree('rich.suggestions[0].latitude', 90), ['The value is not on the globe.', 'Send decimal degrees.']),
  advise(repeated('rich.suggestions[1].text'), [
    'Two suggestions of a list have one caption, or two replies of the message have one postback.',
    'Make them differ.',
  ]),
  advise(hasOuterSpace('rich.suggestions[0].text'), ['The caption or postback has a space around it.', 'Trim it.']),
  advise(hasControl('rich.suggestions[0].text'), [
    'The caption or postback has a line break or a control character.',
    'Remove it.',
  ]),
  advise(emptyCard('rich.cards[0]'), ['The card shows nothing.', 'Give it a text, an image or a video.']),
  advise(notTogether('rich.video', 'image'), ['Two members exclude each other.', 'Send one of them.']),
  advise(notAnEventTime('rich.suggestions[0].start'), ['The year of the event is out of range.', 'Correct the time.']),
  advise(endsTooEarly('rich.suggestions[0].end'), ['The event ends before it begins.', 'Correct the times.']),
  advise(tooManyElements('rich.suggestions', 10, 'chatapp'), [
    'A messenger of the chain shows fewer elements.',
    'Send fewer, or another chain.',
  ]),
  advise(tooManyRichBytes('rich', RICH_MAX_BYTES), ['The rich content is too large.', SHORTEN]),
  advise(priorityTooHigh('priority', 'transactional'), [
    'The key may not ask for this traffic class.',
    'Ask for a lower one or none, or the operator to set the priority of the key.',
  ]),
  advise(noPrice('sms'), ['The operator has set no price for this channel and number.', ASK_OPERATOR]),
  advise(limitReached('day', 'messages'), ['The account has used its messages for today.', ASK_OPERATOR]),
  advise(limitReached('day', 'money'), ['The account has spent its limit for today.', ASK_OPERATOR]),
  advise(limitReached('calls', 'messages'), ['The account has used its calls for this hour.', ASK_OPERATOR]),
  advise(limitReached('verify', 'messages'), [
    'The account has started its verifications for this hour.',
    ASK_OPERATOR,
  ]),
  advise(limitReached('verify phone', 'messages'), [
    'The number was verified too often within an hour.',
    'Send again later; let the user check the number.',
  ]),
  advise(limitReached('resend', 'messages'), [
    'The code of this verification was sent again three times.',
    'Start another verification.',
  ]),
  advise(limitReached('verify address', 'messages'), [
    'Too many verifications were started for this end user within an hour.',
    'Slow the user down; look for abuse.',
  ]),
  ...(['phone', 'country', 'prefix'] as const).map((guard) =>
    advise(limitReached(guard, 'messages'), ['A rate limit to such numbers is reached.', 'Send again later.']),
  ),
]

/** Errors of a whole request: nothing was executed. */
export const REQUEST_ERROR_ADVICE = [...adviseAll(REQUEST_ERRORS, REQUEST_ADVICE), ...REQUEST_RULES]

/** Errors of one operation: the others are executed. */
export const ITEM_ERROR_ADVICE = [...adviseAll(ITEM_ERRORS, ITEM_ADVICE), ...ITEM_RULES]

function adviseAll<K extends string>(
  texts: Readonly<Record<K, string>>,
  advice: Readonly<Record<K, Advice>>,
): readonly ErrorAdvice[] {
  return (Object.keys(texts) as K[]).map((key) => advise(texts[key], advice[key]))
}

function advise(text: string, [cause, remedy]: Advice): ErrorAdvice {
  return { text, cause, remedy }
}
