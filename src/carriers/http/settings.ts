/**
 * The settings of a generic HTTP carrier: how a message is submitted, what the answers mean, and how receipts and
 * inbound messages arrive.
 */
import Type, { type StaticDecode } from 'typebox'
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import { mapTexts } from '../../domain/text/map-texts.ts'
import { fillNamedValues, isNamedValue, VALUE_RULE } from '../../domain/text/named-values.ts'
import { CHECK } from '../shared/check-settings.ts'
import { readSettings, WrongSetting } from '../shared/read-settings.ts'
import {
  ascii,
  COMMON_SETTINGS,
  choice,
  flag,
  group,
  HTTP_LINK_SETTINGS,
  listFrom,
  mapOf,
  NATIONAL_COUNTRY,
  oneOrMore,
  optionalGroup,
  parsed,
  SECRET,
  seconds,
  text,
  textOf,
  whole,
} from '../shared/setting-kinds.ts'
import { BALANCE } from './balance.ts'
import { CHARSETS } from './calls/call-format.ts'
import { readListPath } from './calls/call-items.ts'
import { CALL_SETTINGS, readCall } from './calls/call-settings.ts'
import { callbacksIn } from './calls/callbacks.ts'
import type { JsonPath, ReadText } from './places/find-text.ts'
import { finders, MAX_PLACES, MEANING_KEYS, meaningsOfStatuses, wordOrFinders, wordsInOrder } from './places/finder.ts'
import { meaningsOfWords } from './places/meanings.ts'
import { REGISTER } from './register.ts'
import { TEMPLATE_SETTINGS } from './registered-templates.ts'
import { REQUEST } from './request-settings.ts'

export type HttpSettings = ReturnType<typeof readHttpSettings>
export type AnswerSettings = StaticDecode<typeof ANSWER>
export type ReceiptSettings = StaticDecode<typeof RECEIPT>
export type InboundSettings = StaticDecode<typeof INBOUND>

const MEANINGS = ['taken', 'undeliverable', 'optedOut', 'rejected', 'account', 'slow', 'unclear'] as const
/** What an answer says about a message. */
export type SubmitMeaning = (typeof MEANINGS)[number]

const OUTCOMES = [
  'accepted',
  'delivered',
  'read',
  'expired',
  'undeliverable',
  'optedOut',
  'rejected',
  'unknown',
] as const satisfies ReceiptOutcome[]

/** Characters of a status or a code. */
const MAX_WORD = 60
const MAX_LIFETIME_SECONDS = 1_209_600
const MAX_NUMBER = 100
/** Constants, and secrets, of a carrier. */
const MAX_NAMED = 50

const ANSWER = parsed(
  group(
    {
      statuses: meaningsOfStatuses(
        { '2xx': 'taken', '429': 'slow' },
        MEANINGS,
        'Meanings of HTTP statuses besides `{"2xx": "taken", "429": "slow"}`: `404` takes precedence over `4xx`; any other status is `unclear`.',
      ),
      word: Type.Optional(
        wordsInOrder(
          MEANINGS,
          'A word in the answer that says more than the status; of several places, the first whose word has a meaning.',
          'Word of an answer',
        ),
      ),
      id: wordOrFinders(
        'ours',
        'Where the id of the carrier is, the first of several places with text, or `"ours"` if receipts refer to `{{ref}}`: then they count although the answer was lost, and 409 to a repeat means that the carrier has it.',
      ),
      list: Type.Optional(
        parsed(
          text(
            'Path of a list with an entry for each part of a long text, in which word, id and reason then are; in `messages[]` also around it. Fewer entries: the other parts are delivered once taken; more: the last part has several ids.',
          ),
          readListPath,
        ),
      ),
      reason: Type.Optional(finders('Where a reason for the timeline is; of several places, the first with text.')),
    },
    'What answers mean.',
  ),
  ({ statuses, word = [], id, list = null, reason = null }) => ({ statuses, word, id, list, reason }),
)

const CODE = group(
  {
    path: text('Path or name of the code.'),
    meanings: meaningsOfWords(OUTCOMES, `Meanings of the codes; ${MEANING_KEYS}`),
  },
  'A code besides the status.',
  'Code of a receipt',
)

const RECEIPT = parsed(
  group(
    {
      ...CALL_SETTINGS,
      id: Type.Union([...oneOrMore(text('Path or name of the id.'), MAX_PLACES, 'places')], {
        description: 'Path in JSON, or name of the field, of the id of the message; the first of several with text.',
      }),
      status: text('Path or name of the status.'),
      reason: Type.Optional(text('Path or name of additional text for the timeline.')),
      category: Type.Optional(text('Path or name of the billing category, a word; `free` costs nothing.')),
      outcomes: meaningsOfWords(
        OUTCOMES,
        `Meanings of the statuses; receipts with others are acknowledged and ignored; ${MEANING_KEYS}`,
      ),
      codes: Type.Optional(
        Type.Union([...oneOrMore(CODE, MAX_PLACES, 'codes')], {
          description: 'Codes that say more than the status where they have a meaning; the first of several decides.',
        }),
      ),
      perPart: flag(
        'Whether a long text that was one request gets a receipt for each SMS, all with its one id: it is delivered with the last, and fails with any.',
        false,
      ),
      separator: Type.Optional(
        textOf(
          /^.{1,3}$/,
          '1 to 3 characters',
          'What separates several ids in one item, such as `,`; other fields have one value for each id, or one for all.',
        ),
      ),
    },
    'Webhook of receipts; without it, Posthorn never learns of a delivery.',
  ),
  (given) => {
    const call = readCall(given)
    const { place } = call
    const { id, status, reason, category, outcomes, codes = [], perPart, separator = null } = given
    const wordAt = (path: JsonPath) => (read: ReadText) => read(path).slice(0, MAX_WORD)
    const statusPath = place('status', status)
    const statusPlace = { find: wordAt(statusPath), meanings: outcomes }
    return {
      ...call,
      ids: listFrom(id).map((path) => place('id', path)),
      status: statusPath,
      statusOf: statusPlace.find,
      perPart,
      separator,
      escaped: null,
      /** The more exact ones first. */
      words: [
        ...listFrom(codes).map(({ path, meanings }) => ({ find: wordAt(place('codes', path)), meanings })),
        statusPlace,
      ],
      reason: reason === undefined ? null : place('reason', reason),
      category: category === undefined ? null : place('category', category),
    }
  },
)

const INBOUND = parsed(
  group(
    {
      ...CALL_SETTINGS,
      from: text('Path in JSON, or name of the field, of who wrote.'),
      to: Type.Optional(text('Path or name of the inbound number; required without `number`.')),
      number: Type.Optional(ascii(MAX_NUMBER, 'The number itself, such as `491234`, where `to` is missing or empty.')),
      text: text(
        'Path or name of the text, of at most 10,000 characters; a message without one is acknowledged and ignored.',
      ),
      id: Type.Optional(
        text('Path or name of the id, by which repeats are known for a week; without it for a minute.'),
      ),
      charsets: Type.Optional(
        group(
          {
            path: text('Path or name of a word that names the encoding.'),
            meanings: meaningsOfWords(CHARSETS, `Encodings by the word; ${MEANING_KEYS}`),
          },
          'The encoding of a percent-encoded text, if it differs from message to message; in JSON, a text without a known word is as it is.',
        ),
      ),
      parts: Type.Optional(
        group(
          {
            reference: text('Path or name of what the parts have in common.'),
            total: text('Path or name of the number of parts.'),
            number: text('Path or name of the number of the part.'),
          },
          'Of parts of long messages, if the carrier passes each alone; Posthorn joins them.',
        ),
      ),
      nationalCountry: NATIONAL_COUNTRY,
    },
    'Webhook of inbound messages, `PUBLIC_URL/carriers/ID/inbound`.',
  ),
  (given) => {
    const call = readCall(given)
    const { place } = call
    const { from, to, number = '', text: content, charsets, id, parts, nationalCountry = null } = given
    if (number === '' && to === undefined) throw new WrongSetting('to', 'should be text')
    const isField = call.format !== 'json' && call.jsonIn === null
    return {
      ...call,
      from: place('from', from),
      to: to === undefined ? null : place('to', to),
      number,
      text: place('text', content),
      charsets: charsets === undefined ? null : { ...charsets, path: place('charsets.path', charsets.path) },
      escaped: charsets !== undefined && isField ? content : null,
      id: id === undefined ? null : place('id', id),
      parts:
        parts === undefined
          ? null
          : {
              reference: place('parts.reference', parts.reference),
              total: place('parts.total', parts.total),
              number: place('parts.number', parts.number),
            },
      nationalCountry,
    }
  },
)

const NAME = { pattern: /^[A-Za-z]\w{0,39}$/, rule: 'a name of letters, digits and _' }

/** Values for `{{$name}}` in the texts of the other settings. */
function namedValues(description: string, about: { readonly writeOnly?: true } = {}) {
  const value = parsed(text('The value.', { rule: VALUE_RULE, ...about }), (given) => {
    if (!isNamedValue(given)) throw new Error(`should be ${VALUE_RULE}`)
    return given
  })
  return parsed(mapOf(value, description, NAME), (values) => {
    if (values.size > MAX_NAMED) throw new Error(`should have at most ${MAX_NAMED} names`)
    return values
  })
}

/** Shorter secrets could stand in any answer by chance. */
const MIN_HIDDEN = 6

const SECRET_OF_REQUEST = /\.?auth\.(token|password|value|key|secretAccessKey)$/

/** Returns the secrets of requests, which no text of an answer may show. */
function hiddenIn(filled: unknown, secrets: ReadonlyMap<string, string>): readonly string[] {
  const found = new Set(secrets.values())
  mapTexts(filled, '', (text, path) => {
    // Those of webhooks are no secrets of requests.
    if (!/^(receipt|inbound)\./.test(path) && SECRET_OF_REQUEST.test(path)) found.add(text)
    return text
  })
  return [...found].filter((text) => text.length >= MIN_HIDDEN)
}

export const HTTP_SETTINGS = group(
  {
    constants: namedValues(
      'Values for `{{$name}}` in the texts of all other settings, hosts of addresses included; percent-encoded after the host of an address.',
    ),
    secrets: namedValues('The same, but never shown.', SECRET),
    provider: Type.Optional(
      group(
        {
          name: text('Its name in `posthorn provider list`.'),
          version: whole(1, 1_000_000, 'Version of the ready settings.'),
        },
        'The provider whose ready settings these are; Posthorn writes it.',
      ),
    ),
    request: REQUEST,
    answer: ANSWER,
    receipt: Type.Optional(RECEIPT),
    inbound: Type.Optional(INBOUND),
    senders: mapOf(
      text("The carrier's name of the sender."),
      'Names of senders at the carrier: `{"Shop": "shop-24"}`; others keep their names.',
    ),
    ...TEMPLATE_SETTINGS,
    longText: choice(
      ['whole', 'parts'],
      'Of a long SMS: one request, because the carrier splits it, or one for each part, with `{{udh}}`.',
      'whole',
    ),
    lifetime: parsed(
      optionalGroup(
        {
          least: seconds(1, MAX_LIFETIME_SECONDS, 'Shortest lifetime.', 1),
          most: seconds(1, MAX_LIFETIME_SECONDS, 'Longest lifetime.', MAX_LIFETIME_SECONDS),
        },
        'Limits of the lifetime that the carrier accepts.',
      ),
      ({ least, most }) => {
        if (least > most) throw new WrongSetting('least', 'should not be more than most')
        return { min: least, max: most }
      },
    ),
    balance: Type.Optional(BALANCE),
    register: Type.Optional(REGISTER),
    check: CHECK,
    ...HTTP_LINK_SETTINGS,
    ...COMMON_SETTINGS,
  },
  'Any HTTP interface.',
  'HTTP',
)

/** @throws Error that names the invalid setting: `answer.id.path: should be …`. */
export function readHttpSettings(json: unknown) {
  const filled = fillNamedValues(json)
  const {
    receipt = null,
    inbound = null,
    balance = null,
    register = null,
    ...settings
  } = readSettings(HTTP_SETTINGS, filled)
  const twice = [...settings.constants.keys()].find((name) => settings.secrets.has(name))
  if (twice !== undefined) throw new WrongSetting(`constants.${twice}`, 'should not be the name of a secret too')
  const callbacks = callbacksIn(filled)
  if (receipt === null && callbacks.includes('callback'))
    throw new WrongSetting('receipt', 'is needed for {{callback}}')
  if (inbound === null && callbacks.includes('inboundCallback')) {
    throw new WrongSetting('inbound', 'is needed for {{inboundCallback}}')
  }
  return { ...settings, receipt, inbound, balance, register, callbacks, hidden: hiddenIn(filled, settings.secrets) }
}
