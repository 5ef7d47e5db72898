import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countCharacters, fitsWithin, isSenderName } from '../../src/contract/fields/kinds.ts'
import { unknownOperation } from '../../src/contract/request/error-texts.ts'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { chain, chatapp, itemError, PHONE, rcs, send, sms } from '../support/operations.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
})
afterAll(() => bench.stop())

/** Combining marks of two classes in turn: to normalize a run of them costs the square of its length. */
const marks = (count: number) => '\u0301\u0316'.repeat(count / 2)

const errorOf = async (item: object) => (await bench.ask(item)).error
const url = (characters: number) => `https://a.example/${'x'.repeat(characters - 18)}`

describe('every wrong field fails its item and names the rule', () => {
  test.each<[string, object, string, string?]>([
    ['no phone', rcs({ phone: undefined }), 'phone: required, or reply_to'],
    ['an empty phone', rcs({ phone: '' }), 'phone: required, or reply_to'],
    ['an impossible phone', rcs({ phone: 12345 }), 'Invalid phone number'],
    [
      'a phone as it is dialled at home',
      rcs({ phone: '0170 1234500' }),
      'phone: must begin with its country code, such as 49, and not with 0',
    ],
    ['a phone of letters', rcs({ phone: 'call me' }), 'Invalid phone number'],
    ['a phone that is an object', rcs({ phone: {} }), 'Invalid phone number'],
    ['a negative phone', rcs({ phone: -PHONE }), 'Invalid phone number'],
    ['a phone with a fraction', rcs({ phone: 49170123450.5 }), 'Invalid phone number'],
    ['no RCS sender', rcs({ rcs_signature: undefined }), 'rcs_signature: required'],
    ['no RCS text', rcs({ rcs_message: '' }), 'rcs_message: required'],
    ['null for RCS text', rcs({ rcs_message: null }), 'rcs_message: required'],
    [
      'a number for RCS text',
      rcs({ rcs_message: 5 }),
      'rcs_message: must be a string of valid Unicode without the character U+0000',
    ],
    [
      'half a surrogate pair',
      rcs({ rcs_message: 'a\ud800' }),
      'rcs_message: must be a string of valid Unicode without the character U+0000',
    ],
    [
      'a NUL',
      rcs({ rcs_message: 'a\0b' }),
      'rcs_message: must be a string of valid Unicode without the character U+0000',
    ],
    ['3073 characters of RCS', rcs({ rcs_message: 'x'.repeat(3073) }), 'rcs_message: at most 3072 characters'],
    ['3073 emoji of RCS', rcs({ rcs_message: '🎉'.repeat(3073) }), 'rcs_message: at most 3072 characters'],
    [
      '2001 characters with an image',
      rcs({ rcs_message: 'x'.repeat(2001), rcs_image: url(30) }),
      'rcs_message: at most 2000 characters with rcs_image',
    ],
    [
      'a link that the text has no room for',
      rcs({ rcs_message: 'x'.repeat(3_072 - 30), rcs_link: url(30) }),
      'rcs_message: at most 3072 characters with rcs_link',
    ],
    ['a button without a link', rcs({ rcs_button: 'Go' }), 'rcs_button: needs rcs_link'],
    [
      '26 characters on a button',
      rcs({ rcs_button: 'x'.repeat(26), rcs_link: url(30) }),
      'rcs_button: at most 25 characters',
    ],
    [
      'an address without a scheme',
      rcs({ rcs_image: 'a.example/i.png' }),
      'rcs_image: must be an absolute http or https address',
    ],
    [
      'an ftp address',
      rcs({ rcs_image: 'ftp://a.example/i.png' }),
      'rcs_image: must be an absolute http or https address',
    ],
    [
      'a javascript address',
      rcs({ rcs_link: 'javascript:alert(1)', rcs_button: 'Go' }),
      'rcs_link: must be an absolute http or https address',
    ],
    [
      'an address with a line end',
      rcs({ hook: 'https://a.example/\r\nX: y' }),
      'hook: must be an absolute http or https address',
    ],
    ['an address without a host', rcs({ hook: 'https://' }), 'hook: must be an absolute http or https address'],
    ['an address of 2049 characters', rcs({ hook: url(2049) }), 'hook: at most 2048 characters'],
    [
      'a lifetime of 59',
      rcs({ rcs_lifetime: 59 }),
      'rcs_lifetime: must be a whole number of seconds from 60 to 1209600',
    ],
    [
      'a lifetime of 1209601',
      rcs({ rcs_lifetime: 1_209_601 }),
      'rcs_lifetime: must be a whole number of seconds from 60 to 1209600',
    ],
    [
      'a lifetime with a fraction',
      rcs({ rcs_lifetime: 60.5 }),
      'rcs_lifetime: must be a whole number of seconds from 60 to 1209600',
    ],
    [
      'a lifetime of text',
      rcs({ rcs_lifetime: 'long' }),
      'rcs_lifetime: must be a whole number of seconds from 60 to 1209600',
    ],
    ['a flag of text', rcs({ short_link: 'yes' }), 'short_link: must be true or false'],
    [
      'an unknown composition',
      chatapp({ chatapp_type: 'video' }),
      'chatapp_type: must be one of text, image, text+image, text+link, text+image+link',
    ],
    ['text without text', chatapp({ chatapp_message: undefined }), 'chatapp_message: required'],
    ['an image without one', chatapp({ chatapp_type: 'image', chatapp_message: undefined }), 'chatapp_image: required'],
    ['text+link without a link', chatapp({ chatapp_type: 'text+link' }), 'chatapp_link: required'],
    [
      'text+link without a button',
      chatapp({ chatapp_type: 'text+link', chatapp_link: url(30) }),
      'chatapp_button: required',
    ],
    ['text+image+link without an image', chatapp({ chatapp_type: 'text+image+link' }), 'chatapp_image: required'],
    [
      '1001 characters of chat',
      chatapp({ chatapp_message: 'x'.repeat(1001) }),
      'chatapp_message: at most 1000 characters',
    ],
    [
      '31 characters on a chat button',
      chatapp({ chatapp_type: 'text+link', chatapp_link: url(30), chatapp_button: 'x'.repeat(31) }),
      'chatapp_button: at most 30 characters',
    ],
    [
      'a chat lifetime of 0',
      chatapp({ chatapp_lifetime: 0 }),
      'chatapp_lifetime: must be a whole number of seconds from 60 to 1209600',
    ],
    [
      'an SMS lifetime of 59',
      sms({ sms_lifetime: 59 }),
      'sms_lifetime: must be a whole number of seconds from 60 to 1209600',
    ],
    [
      'a chat lifetime of 59 in a chain that has one',
      send('chatapp+sms', { chatapp_lifetime: 59 }),
      'chatapp_lifetime: must be a whole number of seconds from 60 to 1209600',
    ],
    ['an SMS without its text', sms({ sms_message: '' }), 'sms_message: required'],
    ['a chain without the fields of its last step', send('sms+rcs', { rcs_message: null }), 'rcs_message: required'],
    ['no SMS sender', chain({ sms_signature: undefined }), 'sms_signature: required'],
    ['no SMS text', chain({ sms_message: undefined }), 'sms_message: required'],
    ['an SMS of 11 parts', chain({ sms_message: 'x'.repeat(1531) }), 'sms_message: at most 10 SMS parts'],
    ['an SMS of 11 parts in UCS-2', chain({ sms_message: 'я'.repeat(671) }), 'sms_message: at most 10 SMS parts'],
    [
      'an SMS of 31 combining marks in a row',
      sms({ sms_message: `a${marks(32)}` }),
      'sms_message: at most 30 combining marks in a row',
    ],
    [
      'a chat text of 31 combining marks in a row',
      chatapp({ chatapp_message: `a${marks(32)}` }),
      'chatapp_message: at most 30 combining marks in a row',
    ],
    [
      'an RCS button of combining marks',
      rcs({ rcs_button: marks(24), rcs_link: url(30), rcs_message: marks(32) }),
      'rcs_message: at most 30 combining marks in a row',
    ],
    [
      'an SMS of invisible characters that plain letters would leave out',
      sms({ sms_message: '\u200b'.repeat(8_193) }),
      'sms_message: at most 8192 characters',
    ],
    [
      'a short-linked SMS of 8193 characters',
      sms({ sms_message: 'x'.repeat(8_193), short_link: true }),
      'sms_message: at most 8192 characters',
    ],
    [
      'a short-linked SMS of 201 addresses',
      sms({
        sms_message: Array.from({ length: 201 }, (_, index) => `http://a.io/${index}`).join(' '),
        short_link: true,
      }),
      'short_link: at most 200 addresses in a message',
    ],
    [
      'a template of 11 parts, whatever plain letters would make of it',
      { type: 'template/create', name: 'long', template: '“'.repeat(671) },
      'template: at most 10 SMS parts',
    ],
    [
      'a template of 11 parts that says short_link',
      { type: 'template/create', name: 'long', template: 'x'.repeat(1_531), short_link: true },
      'template: at most 10 SMS parts',
      'short_link: ignored',
    ],
    [
      'a template of invisible characters',
      { type: 'template/create', name: 'invisible', template: `x${'\u200b'.repeat(671)}` },
      'template: at most 10 SMS parts',
    ],
    [
      'an id that overrides what every object has',
      { type: 'status', msg_id: { toString: 1, valueOf: 1 } },
      'msg_id: must be a positive whole number',
    ],
    [
      'an id of 65 characters',
      rcs({ id: 'x'.repeat(65) }),
      'id: must be a number or a string of at most 64 characters',
    ],
    ['an id that is a list', rcs({ id: [] }), 'id: must be a number or a string of at most 64 characters'],
    ['an unknown type', rcs({ type: 'fax' }), unknownOperation(null)],
    ['a type that every object has', rcs({ type: 'constructor' }), unknownOperation(null)],
  ])('%s', async (_, item, error, warning) => {
    const result = await bench.ask(item)
    const { id } = item as { id?: unknown }
    const echoed = typeof id === 'number' ? { id } : {}
    const warnings = warning === undefined ? {} : { warnings: [warning] }
    expect(result).toEqual({ ...itemError(error, echoed), ...warnings })
  })

  test('an item that is no object', async () => {
    const { data } = await bench.post(['rcs', null, [], 5])
    expect(data).toEqual(Array(4).fill(itemError('data: each operation must be an object')))
  })
})

test('of several wrong fields the first in the order of the table is named', async () => {
  expect(await errorOf(chain({ rcs_message: '', hook: 'x', phone: 1 }))).toBe('Invalid phone number')
  expect(await errorOf(chain({ chatapp_type: 'x', rcs_message: '' }))).toBe('rcs_message: required')
  expect(await errorOf(rcs({ rcs_lifetime: 0, rcs_button: 'x' }))).toBe('rcs_button: needs rcs_link')
})

describe('values at the limits are accepted', () => {
  test.each<[string, object]>([
    ['3072 characters of RCS', rcs({ rcs_message: 'x'.repeat(3072) })],
    ['3072 emoji of RCS', rcs({ rcs_message: '🎉'.repeat(3072) })],
    ['2000 characters with an image', rcs({ rcs_message: 'x'.repeat(2000), rcs_image: url(30) })],
    ['a button of 25 emoji', rcs({ rcs_button: '🎉'.repeat(25), rcs_link: url(30) })],
    ['an address of 2048 characters', rcs({ hook: url(2048) })],
    ['an address in capitals', rcs({ hook: 'HTTPS://A.EXAMPLE/' })],
    ['the shortest lifetime', rcs({ rcs_lifetime: 60 })],
    ['the longest lifetime', rcs({ rcs_lifetime: 1_209_600 })],
    ['a lifetime of digits in a text', send('rcs+sms', { rcs_lifetime: '0060', sms_lifetime: '1209600' })],
    ['a link that just has room', rcs({ rcs_message: 'x'.repeat(3_071 - 30), rcs_link: url(30) })],
    ['1000 characters of chat', chatapp({ chatapp_message: 'x'.repeat(1000) })],
    ['an image alone', chatapp({ chatapp_type: 'image', chatapp_message: undefined, chatapp_image: url(30) })],
    [
      'all of a chat message',
      chatapp({ chatapp_type: 'text+image+link', chatapp_image: url(30), chatapp_link: url(30), chatapp_button: 'Go' }),
    ],
    ['an SMS with 30 combining marks in a row', sms({ sms_message: `a${marks(30)}` })],
    [
      'a short-linked SMS that is long only before its addresses are short',
      sms({ sms_message: `${url(2_048)} ${url(2_047)} ${url(2_046)}`, short_link: true }),
    ],
    ['an SMS of 10 parts', chain({ sms_message: 'x'.repeat(1530) })],
    ['a phone with plus, spaces and dashes', rcs({ phone: '+49 170-123 4500' })],
    ['an id of 64 emoji', rcs({ id: '🎉'.repeat(64) })],
    [
      'null and empty optional fields',
      rcs({ rcs_image: '', rcs_link: null, rcs_button: '', hook: '', short_link: null }),
    ],
    ['unknown fields', rcs({ colour: 'red', chatapp_type: 'nonsense', constructor: 5 })],
    [
      'the chain of the spec with lifetimes that it does not have',
      chain({ chatapp_lifetime: -1, sms_lifetime: 'short' }),
    ],
  ])('%s', async (_, item) => {
    expect(await bench.ask(item)).toMatchObject({ success: true, data: { data: 1 } })
  })
})

describe('sender names', () => {
  test.each([undefined, 'sms', 'rcs', 'chatapp'] as const)(
    'a malformed or unapproved one: Error in Alpha-name (%s)',
    async (at) => {
      const wrong = at === undefined ? 'Unknown' : at === 'sms' ? 'TwelveLetter' : 'x'.repeat(41)
      const field = `${at ?? 'rcs'}_signature`
      expect(await bench.ask(chain({ [field]: wrong, id: 7 }))).toEqual(
        itemError('Error in Alpha-name', { id: 7 }, field),
      )
    },
  )

  test.each([5, {}, [], true])('one that is no text: Error in Alpha-name (%s)', async (name) => {
    expect(await errorOf(rcs({ rcs_signature: name }))).toBe('Error in Alpha-name')
  })

  test('a name approved for another channel, or in other letter case, is not approved', async () => {
    await bench.change({
      kind: 'set sender',
      sender: approvedSender(bench.accountId, 'sms', 'SmsOnly'),
    })
    expect(await errorOf(rcs({ rcs_signature: 'SmsOnly' }))).toBe('Error in Alpha-name')
    expect(await errorOf(rcs({ rcs_signature: 'rcstest' }))).toBe('Error in Alpha-name')
    expect(await errorOf(chain({ sms_signature: 'SmsOnly' }))).toBeUndefined()
  })

  test.each([
    ['sms', 'ABC', true],
    ['sms', 'AB', false],
    ['sms', 'ElevenChars', true],
    ['sms', 'TwelveCharss', false],
    ['sms', 'Grüße', true],
    ['sms', 'Привет', false],
    ['sms', '123456789012345', true],
    ['sms', '1234567890123456', false],
    ['sms', '12', false],
    ['sms', 'A\nB', false],
    ['rcs', 'x'.repeat(40), true],
    ['rcs', 'x'.repeat(41), false],
    ['rcs', ' Shop', false],
    ['chatapp', 'Привет 🎉', true],
    ['chatapp', '', false],
    ['chatapp', '\ud800', false],
  ] as const)('%s: %j is possible: %s', (channel, name, possible) => {
    expect(isSenderName(channel, name)).toBe(possible)
  })
})

test('characters are counted as Unicode code points', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
      const count = [...text].length
      return countCharacters(text) === count && fitsWithin(text, most) === count <= most
    }),
  )
})
