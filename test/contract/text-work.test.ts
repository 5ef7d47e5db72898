/**
 * Untrusted text must not block other requests: the work of every function that scans text grows linearly with its
 * length.
 */
import { describe, expect, test } from 'vitest'
import { matchText, readTextPattern } from '../../src/carriers/shared/match-text.ts'
import { CHATAPP_FIELDS } from '../../src/contract/channels/chatapp-form.ts'
import { SMS_FIELDS } from '../../src/contract/channels/sms-form.ts'
import { readFields, SMS_TEXT_MAX, TEMPLATE_FIELDS } from '../../src/contract/fields/fields.ts'
import { ADDRESS, countCharacters, ID, NUMBER, PHONE, sender, TIME } from '../../src/contract/fields/kinds.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { OptOutLexicon } from '../../src/domain/consent/opt-out.ts'
import { DEFAULT_OPT_OUT_LANGUAGES } from '../../src/domain/consent/opt-out-words.ts'
import { decodeGsm, encodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import { countParts, splitText } from '../../src/domain/text/text-parts.ts'
import { transliterate } from '../../src/domain/text/transliterate.ts'
import { readCsv } from '../../src/operations/admin/fields/csv.ts'
import { ShortLinks } from '../../src/operations/links/shorten-links.ts'
import { parseHead } from '../../src/wire/sip/message.ts'
import { readReceiptText } from '../../src/wire/smpp/receipt-text.ts'
import { countTextWork } from '../support/count-text-work.ts'
import { SeededRandom } from '../support/seeded-random.ts'

/** What hostile texts are made of, repeated up to a length. */
const SEEDS = {
  letters: 'a',
  words: 'Your parcel is here. ',
  'marks of two classes': '\u0301\u0316',
  'marks as many as may follow each other': `a${'\u0301\u0316'.repeat(15)}`,
  'letters that come apart': 'ế',
  'invisible characters': '\u200b',
  'quotes of other alphabets': '“',
  emoji: '😀',
  'one emoji in the alphabet': `${'a'.repeat(100)}😀`,
  'extended characters': '€',
  addresses: 'http://a.io/b ',
  'halves of addresses': 'http://',
  dots: 'a.',
  'hosts of many labels': `${'=a'.repeat(31)}.`,
  'hosts after separators': 'a|',
  'hosts of other alphabets': ' é',
  'endings of hosts': '.io',
  'hosts that end nowhere': '-a.com_',
  'open brackets of addresses': 'a.io/[(https://aa{"',
  brackets: '((http://a.io/(',
  slashes: '/',
  spaces: ' ',
  'line ends': '\r\n',
  'quotes and commas': ',"""',
  placeholders: '{{1}} ',
  braces: '{{',
  digits: '9',
  'fields of receipts': 'id: stat: err: ',
} as const

const lexicon = new OptOutLexicon(DEFAULT_OPT_OUT_LANGUAGES)
const pattern = readTextPattern('a{{1}}a{{2}}a {{3}}')
const links = () => new ShortLinks('https://posthorn.example', new SeededRandom())
const item = (fields: object) => ({ name: 'n', sms_signature: 'Shop', ...fields })

const SCANNERS: Readonly<Record<string, (text: string) => unknown>> = {
  'reading an SMS': (text) => readFields(item({ sms_message: text }), SMS_FIELDS, DEFAULT_LIMITS),
  'reading an SMS with short links': (text) =>
    readFields(item({ sms_message: text, short_link: true }), SMS_FIELDS, DEFAULT_LIMITS),
  'reading a template': (text) => readFields(item({ template: text }), TEMPLATE_FIELDS, DEFAULT_LIMITS),
  'reading a chat-app message': (text) =>
    readFields(
      { chatapp_type: 'text', chatapp_signature: 'Shop', chatapp_message: text },
      CHATAPP_FIELDS,
      DEFAULT_LIMITS,
    ),
  'reading an id': (text) => ID.read(text, 'id', DEFAULT_LIMITS),
  'reading a number': (text) => NUMBER.read(text, 'msg_id', DEFAULT_LIMITS),
  'reading a phone': (text) => PHONE.read(text, 'phone', DEFAULT_LIMITS),
  'reading an address': (text) => ADDRESS.read(text, 'hook', DEFAULT_LIMITS),
  'reading a time': (text) => TIME.read(text, 'send_at', DEFAULT_LIMITS),
  'reading an SMS sender': (text) => sender('sms').read(text, 'sms_signature', DEFAULT_LIMITS),
  'reading a chat-app sender': (text) => sender('chatapp').read(text, 'chatapp_signature', DEFAULT_LIMITS),
  'counting characters': countCharacters,
  'counting parts': countParts,
  'splitting into parts': (text) => splitText(text),
  'writing plain letters': transliterate,
  'encoding GSM': encodeGsm,
  'decoding GSM': (text) => decodeGsm(Buffer.from(text)),
  'shortening addresses': (text) => links().shorten({ kind: 'text', text }),
  'looking for an opt-out': (text) => lexicon.meaningOf(text),
  'matching an approved text': (text) => matchText(pattern, text),
  'reading an approved text': readTextPattern,
  'reading a receipt': readReceiptText,
  'reading a SIP message': parseHead,
  'reading CSV': (text) => void readCsv(text, { maxLines: 100, tooMany: 'too many' }).catch(() => {}),
}

function work(scan: (text: string) => unknown, text: string): number {
  return countTextWork(() => {
    try {
      scan(text)
    } catch {
      // A refusal is an answer like any other: it must not cost more.
    }
  })
}

/** Twice the text is at most twice the work, with a little room for what is done once. */
describe.each(Object.entries(SCANNERS))('%s', (_, scan) => {
  test.each(Object.entries(SEEDS))('%s', (_, seed) => {
    const text = seed.repeat(Math.ceil(SMS_TEXT_MAX / seed.length))
    const half = work(scan, text.slice(0, SMS_TEXT_MAX / 2))
    const whole = work(scan, text.slice(0, SMS_TEXT_MAX))
    expect(whole).toBeLessThanOrEqual(2.2 * half + 2_000)
    expect(whole).toBeLessThanOrEqual(200 * SMS_TEXT_MAX)
  })
})

/** The work on a text whose characters have occurred before, without that of sorting its marks once. */
function workOnKnown(name: string, text: string): number {
  const scan = SCANNERS[name] as (text: string) => unknown
  work(scan, text)
  return work(scan, text) - work((marks) => marks.normalize('NFC'), text)
}

describe.each(['reading an SMS', 'reading a template', 'reading a chat-app message', 'writing plain letters'])(
  '%s',
  (name) => {
    test.each(Object.entries(SEEDS))('reads each character of %s a few times', (_, seed) => {
      const text = seed.repeat(Math.ceil(SMS_TEXT_MAX / seed.length)).slice(0, SMS_TEXT_MAX - 1)
      expect(workOnKnown(name, text)).toBeLessThanOrEqual(11 * SMS_TEXT_MAX)
      // A text that turns out at its last character not to be GSM.
      expect(workOnKnown(name, `${text}中`)).toBeLessThanOrEqual(11 * SMS_TEXT_MAX)
    })
  },
)

test('an SMS is transliterated only as far as it fits', () => {
  for (const text of ['ế'.repeat(SMS_TEXT_MAX), `${'ế'.repeat(SMS_TEXT_MAX - 1)}中`]) {
    expect(workOnKnown('reading an SMS', text)).toBeLessThan(6 * SMS_TEXT_MAX)
  }
})

test('a text beyond its limit is refused by its length alone, before anything reads it', () => {
  const long = '\u0301\u0316'.repeat(20_000)
  for (const name of [
    'reading an SMS',
    'reading a template',
    'reading an address',
    'reading an SMS sender',
    'reading an id',
  ]) {
    expect(work(SCANNERS[name] as (text: string) => unknown, long)).toBeLessThan(1_000)
  }
})

test('a host that is longer than a name of the DNS is not converted to ASCII', () => {
  const { canParse } = URL
  let parsed = 0
  URL.canParse = (...args) => {
    parsed += 1
    return canParse(...args)
  }
  try {
    const read = (address: string) => ADDRESS.read(address, 'hook', DEFAULT_LIMITS)
    for (const host of [
      'bücher.example',
      `${'ü'.repeat(20)}.example`,
      'a'.repeat(300),
      `a.example/${'é'.repeat(500)}`,
    ]) {
      expect(read(`https://me:pass@${host}:8080/path?query#é`)).toContain(host)
    }
    expect(parsed).toBe(4)
    for (const host of ['ﷺ'.repeat(255), `//${'é.'.repeat(400)}`, `a@${'é'.repeat(255)}:80`]) {
      expect(() => read(`http://${host}`)).toThrow('hook')
    }
    expect(parsed).toBe(4)
  } finally {
    URL.canParse = canParse
  }
})

test('the counter detects quadratic work', () => {
  const marks = '\u0301\u0316'.repeat(1_000)
  expect(countTextWork(() => marks.normalize('NFC'))).toBeGreaterThan(4_000_000)
  const cut = (text: string): unknown => text === '' || cut(text.slice(1).trim())
  expect(countTextWork(() => cut('x'.repeat(1_000)))).toBeGreaterThan(400_000)
})
