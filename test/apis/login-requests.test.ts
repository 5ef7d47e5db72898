/** What login servers post, rewritten with invented data, and the errors in the form that each shows to its user. */
import { expect, test } from 'vitest'
import { LOGIN_SERVERS, type LoginServer } from '../../src/apis/logins/login-servers.ts'
import { languageOf } from '../../src/apis/logins/read-code.ts'
import { textSend } from '../../src/apis/translate/text-send.ts'
import { LOGIN_REQUESTS } from '../support/login-requests.ts'

function serverOf(name: string): LoginServer {
  const server = LOGIN_SERVERS.get(name)
  if (server === undefined) throw new Error(`there is no login server ${name}`)
  return server
}
const read = (name: string, body: unknown) => serverOf(name).read(body, null)

const PHONE = '+491701234500'

test.each([
  ['supabase', { phone: '491701234500', code: '482913', text: 'Your code is 482913.', sender: null }],
  [
    'zitadel',
    {
      phone: PHONE,
      code: '482913',
      text: '482913 is your code for shop.example.\n@shop.example #482913',
      sender: null,
    },
  ],
  ['fusionauth', { phone: PHONE, code: '482913', text: 'Two Factor Code: 482913', sender: null }],
  [
    'authentik',
    { phone: PHONE, code: '482913', text: 'Use this code to authenticate in authentik: 482913', sender: 'SMSTest' },
  ],
  ['logto', { phone: '+491701234500', code: '482913', text: 'Your code is 482913.', sender: null }],
  ['authgear', { phone: PHONE, code: '482913', text: '482913 is your Shop code.', sender: null }],
  [
    'auth0',
    {
      phone: PHONE,
      code: 'Your verification code is: 482913',
      text: 'Your verification code is: 482913',
      sender: 'SMSTest',
    },
  ],
])('%s names the phone, the code and the text', (name, message) => {
  expect(read(name, LOGIN_REQUESTS[name])).toEqual(message)
})

test.each([
  [{ phone: '491701234500' }, '491701234500'],
  [{ phone: '491701234500', new_phone: '' }, '491701234500'],
  [{ phone: '491701234500', new_phone: '491709999999' }, 'sms.phone: required'],
  [{ phone: '491701234500', phone_change: '491709999999' }, 'sms.phone: required'],
  [{ phone: '' }, 'sms.phone: required'],
])('an older Supabase names the phone in the user alone: %j', (user, expected) => {
  const message = read('supabase', { user, sms: { otp: '482913' } })
  expect(typeof message === 'string' ? message : message.phone).toBe(expected)
})

test('the code of ZITADEL is elsewhere when a number is verified', () => {
  const { contextInfo, templateData } = LOGIN_REQUESTS['zitadel'] as Record<string, unknown>
  const body = { contextInfo, templateData, args: { code: '771204' } }
  expect(read('zitadel', body)).toMatchObject({ code: '771204' })
})

test('a server without texts gets one in the language that it names, or that its address names', () => {
  expect(serverOf('supabase').read(LOGIN_REQUESTS['supabase'], 'de')).toMatchObject({ text: 'Ihr Code lautet 482913.' })
  const logto = { to: PHONE, type: 'SignIn', payload: { code: '482913', locale: 'fr-CA' } }
  expect(read('logto', logto)).toMatchObject({ text: 'Votre code est 482913.' })
  expect(['pt-BR', 'PT', 'xx', '', 'constructor'].map(languageOf)).toEqual(['pt', 'pt', null, null, null])
})

test.each([
  ['supabase', {}, 'sms.phone: required'],
  ['supabase', { sms: { phone: '491701234500' } }, 'sms.otp: required'],
  ['supabase', null, 'sms.phone: required'],
  ['supabase', { sms: [] }, 'sms.phone: required'],
  ['zitadel', { contextInfo: { recipientPhoneNumber: PHONE }, args: {} }, 'templateData.text: required'],
  ['fusionauth', { type: 'Voice', phoneNumber: PHONE, message: 'Your code is 1', code: '1' }, 'type: must be SMS'],
  ['authentik', { To: PHONE }, 'Message: required'],
  ['authgear', { body: '1' }, 'to: required'],
  ['auth0', { recipient: { number: PHONE }, body: 'x' }, 'recipient: required'],
])('%s gets an error for what cannot be read: %j', (name, body, error) => {
  expect(read(name, body)).toBe(error)
})

const LIMITED = { code: 'limit_reached', detail: 'phone: too many messages to this number, try again later' } as const
const DENIED = { code: 'access_denied', detail: 'Access denied' } as const
const write = (name: string, fault: Parameters<LoginServer['write']>[0]) => {
  const { status = 200, headers, text } = serverOf(name).write(fault)
  return { status, type: headers[headers.indexOf('Content-Type') + 1], text }
}
const problem = (code: string) => expect.stringContaining(`"code":"${code}"`)

test('each server reads that the code was accepted', () => {
  for (const name of LOGIN_SERVERS.keys()) {
    const text = name === 'authgear' ? '{"code":"ok"}' : '{}'
    expect(write(name, null)).toEqual({ status: 200, type: 'application/json', text })
  }
})

test('each server reads an error in its own form', () => {
  const supabase = JSON.stringify({ error: { http_code: 429, message: LIMITED.detail } })
  expect(write('supabase', LIMITED)).toEqual({ status: 200, type: 'application/json', text: supabase })
  expect(write('authentik', LIMITED)).toEqual({ status: 429, type: 'text/plain; charset=utf-8', text: LIMITED.detail })
  expect(write('authgear', LIMITED)).toMatchObject({ status: 429, text: problem('rate_limited') })
  for (const name of ['zitadel', 'fusionauth', 'logto', 'auth0']) {
    expect(write(name, LIMITED)).toEqual({
      status: 429,
      type: 'application/problem+json',
      text: problem('limit_reached'),
    })
  }
})

test('no server takes a wrong key for a code that was sent', () => {
  for (const name of LOGIN_SERVERS.keys()) expect(write(name, DENIED).status).toBe(401)
  expect(write('authgear', DENIED)).toMatchObject({ text: problem('authentication_failed') })
})

test('a text goes over each channel of the login, with its sender', () => {
  const text = { phone: PHONE, sender: 'Shop', text: 'Your code is 482913.' }
  expect(textSend({ type: 'rcs+chatapp+sms', ...text }, { next: 60, last: 600 })).toEqual({
    type: 'rcs+chatapp+sms',
    phone: PHONE,
    rcs_signature: 'Shop',
    rcs_message: text.text,
    rcs_lifetime: 60,
    chatapp_type: 'text',
    chatapp_signature: 'Shop',
    chatapp_message: text.text,
    chatapp_lifetime: 60,
    sms_signature: 'Shop',
    sms_message: text.text,
    sms_lifetime: 600,
  })
  expect(textSend({ type: 'sms', ...text, sender: null })).toEqual({
    type: 'sms',
    phone: PHONE,
    sms_message: text.text,
  })
})
