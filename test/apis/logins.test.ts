/** Login servers on a real socket: what each posts is sent once, over the channels of its login. */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockEvent } from '../../src/delivery/submit/admission-check.ts'
import type { Login } from '../../src/domain/accounts/login.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { makeSecrets } from '../../src/operations/request/logins.ts'
import { buildLogin, LOGIN_PASSWORD } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { LOGIN_REQUESTS } from '../support/login-requests.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ apis: ['logins'] })
  await addLogin({ name: 'web', secrets: secrets(null) })
  await addLogin({ name: 'signed', secrets: secrets(SECRET) })
})
afterEach(() => bench.stop())

const SECRET = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const secrets = (signingKey: string | null) => makeSecrets(LOGIN_PASSWORD, signingKey, new SeededRandom())

function addLogin(change: Partial<Login> & Pick<Login, 'name'>): Promise<void> {
  const login = buildLogin({ accountId: bench.accountId, sender: 'SMSTest', ...change })
  return bench.change({ kind: 'set client login', login })
}

type Headers = Readonly<Record<string, string>>

/** How each server proves itself for these bytes. */
const PROOFS: Readonly<Record<string, (body: string) => Headers>> = {
  supabase: (body) => supabaseHeaders(body),
  zitadel: (body) => {
    const at = Math.floor(bench.clock.now() / 1000)
    return { 'ZITADEL-Signature': `t=${at},v1=${hmac(`${at}.${body}`)}` }
  },
  authgear: (body) => ({ 'x-authgear-body-signature': hmac(body) }),
  fusionauth: () => ({ Authorization: basic('web') }),
  authentik: () => ({ Authorization: `Bearer ${LOGIN_PASSWORD}` }),
  logto: () => ({ Authorization: LOGIN_PASSWORD }),
  auth0: () => ({ Authorization: `Bearer ${LOGIN_PASSWORD}` }),
}
const basic = (name: string, password = LOGIN_PASSWORD) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

let ids = 0
/** Each try has an id of its own. */
function supabaseHeaders(body: string): Headers {
  ids += 1
  const now = new Date(bench.clock.now())
  const signature = new Webhook(SECRET.slice('v1,'.length)).sign(`msg_${ids}`, now, body)
  return {
    'webhook-id': `msg_${ids}`,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': `v1,AAAA, ${signature}`,
  }
}

const SIGNED = ['supabase', 'zitadel', 'authgear']
const loginOf = (server: string) => (SIGNED.includes(server) ? 'signed' : 'web')

interface PostOptions {
  readonly body?: unknown
  readonly headers?: Headers
  readonly path?: string
}

async function post(server: string, { body = LOGIN_REQUESTS[server], headers, path }: PostOptions = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${bench.address}${path ?? `/logins/${server}/${loginOf(server)}`}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(headers ?? PROOFS[server]?.(text)) },
    body: text,
  })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const sentTexts = () =>
  bench.outbox.taken.map(({ plan }) => plan[0]?.content).map((content) => content && 'text' in content && content.text)

test.each([
  ['supabase', 'Your code is 482913.', '{}'],
  ['zitadel', '482913 is your code for shop.example.\n@shop.example #482913', '{}'],
  ['fusionauth', 'Two Factor Code: 482913', '{}'],
  ['authentik', 'Use this code to authenticate in authentik: 482913', '{}'],
  ['logto', 'Your code is 482913.', '{}'],
  ['authgear', '482913 is your Shop code.', '{"code":"ok"}'],
  ['auth0', 'Your verification code is: 482913', '{}'],
])('the code of %s is sent', async (server, text, answer) => {
  expect(await post(server)).toEqual({ status: 200, type: 'application/json', text: answer })
  expect(bench.outbox.taken).toMatchObject([{ phone: '491701234500', plan: [{ channel: 'sms', sender: 'SMSTest' }] }])
  expect(sentTexts()).toEqual([text])
})

test('a code goes over the channels of the login, each for a minute', async () => {
  await addLogin({ name: 'web', type: 'rcs+sms', sender: 'Posthorn', secrets: secrets(null) })
  await post('logto', { path: '/logins/logto/web?language=de' })
  expect(bench.outbox.taken).toMatchObject([
    {
      plan: [
        { channel: 'rcs', sender: 'Posthorn', lifetimeSeconds: 60, content: { text: 'Ihr Code lautet 482913.' } },
        { channel: 'sms', sender: 'Posthorn', lifetimeSeconds: 600 },
      ],
    },
  ])
})

describe('a repeat', () => {
  test('of Supabase, with another id, sends the code once', async () => {
    const answers = [await post('supabase'), await post('supabase'), await post('supabase')]
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, '{}']))
    expect(bench.outbox.taken).toHaveLength(1)
  })

  test('at the same time sends the code once', async () => {
    await Promise.all([post('zitadel'), post('zitadel'), post('zitadel')])
    expect(bench.outbox.taken).toHaveLength(1)
  })

  test('in other words sends the code once', async () => {
    await post('fusionauth')
    const again = { ...(LOGIN_REQUESTS['fusionauth'] as object), textMessage: 'Again: 482913' }
    expect(await post('fusionauth', { body: again })).toMatchObject({ status: 200 })
    expect(bench.outbox.taken).toHaveLength(1)
  })

  test('is another message with another code, to another phone, or after five minutes', async () => {
    const [logto, other] = [{ to: '+491701234500', payload: { code: '1111' } }, '+491701234501']
    await post('logto', { body: logto })
    await post('logto', { body: { ...logto, payload: { code: '2222' } } })
    await post('logto', { body: { ...logto, to: other } })
    // The same phone in another form.
    await post('logto', { body: { ...logto, to: '00491701234500' } })
    expect(bench.outbox.taken).toHaveLength(3)
    bench.clock.advance(299_000)
    await post('logto', { body: logto })
    expect(bench.outbox.taken).toHaveLength(3)
    bench.clock.advance(2_000)
    await post('logto', { body: logto })
    expect(bench.outbox.taken).toHaveLength(4)
  })
})

describe('an error', () => {
  test('reaches the user of Supabase', async () => {
    const body = { sms: { otp: '482913', phone: '12' } }
    expect(await post('supabase', { body })).toEqual({
      status: 200,
      type: 'application/json',
      text: '{"error":{"http_code":422,"message":"Invalid phone number"}}',
    })
  })

  test('reaches the user of authentik', async () => {
    const body = { From: 'Unknown', To: '+491701234500', Body: '1', Message: 'Your code is 1' }
    expect(await post('authentik', { body })).toMatchObject({ status: 422, type: 'text/plain; charset=utf-8' })
  })

  test('has the code that Authgear reads', async () => {
    const body = { to: '12', body: 'x' }
    expect(await post('authgear', { body })).toMatchObject({
      status: 422,
      text: expect.stringContaining('"code":"invalid_phone_number"'),
    })
  })

  test.each([
    ['no JSON', '{', 400],
    ['a list', '[]', 400],
    ['nothing', '', 400],
    ['a phone without a country code', { phoneNumber: '3035551212', textMessage: 'x', code: '1' }, 422],
  ])('is a problem for %s', async (_, body, status) => {
    expect(await post('fusionauth', { body })).toMatchObject({ status, type: 'application/problem+json' })
    expect(bench.outbox.taken).toEqual([])
  })
})

describe('nothing is sent', () => {
  test.each(Object.keys(PROOFS))('for %s without a proof, with a wrong one and to another login', async (server) => {
    const [body, other] = [JSON.stringify(LOGIN_REQUESTS[server]), loginOf(server) === 'web' ? 'signed' : 'web']
    const answers = [
      await post(server, { headers: {} }),
      await post(server, {
        headers: PROOFS[server]?.(`${body} `) ?? {},
        ...(SIGNED.includes(server) ? {} : { headers: { Authorization: 'Bearer wrong' } }),
      }),
      await post(server, { path: `/logins/${server}/unknown` }),
      ...(SIGNED.includes(server) ? [await post(server, { path: `/logins/${server}/${other}` })] : []),
    ]
    for (const { status } of answers) expect(status).toBe(401)
    expect(bench.outbox.taken).toEqual([])
  })

  test('for the password of a login whose requests are signed', async () => {
    const headers = { Authorization: basic('signed') }
    expect(await post('supabase', { headers })).toMatchObject({ status: 401 })
    expect(await post('auth0', { headers, path: '/logins/auth0/signed' })).toMatchObject({ status: 401 })
  })

  test('from outside of the networks of the login, although it is signed', async () => {
    await addLogin({ name: 'signed', networks: ['192.0.2.0/24'], secrets: secrets(SECRET) })
    expect(await post('supabase')).toMatchObject({ status: 401 })
  })

  test('after many wrong passwords, until a minute is over', async () => {
    const guesses = []
    for (let count = 0; count < 11; count += 1)
      guesses.push(await post('logto', { headers: { Authorization: `${count}` } }))
    expect(guesses.at(-1)).toMatchObject({ status: 429 })
    expect(await post('logto')).toMatchObject({ status: 429 })
    bench.clock.advance(60_000)
    expect(await post('logto')).toMatchObject({ status: 200 })
  })

  test('at another path, with another method or another language', async () => {
    expect(await post('logto', { path: '/logins/okta/web' })).toMatchObject({ status: 404 })
    expect(await post('logto', { path: '/logins/logto' })).toMatchObject({ status: 404 })
    expect(await post('logto', { path: '/logins/logto/web?language=xx' })).toMatchObject({ status: 422 })
    expect((await fetch(`${bench.address}/logins/logto/web`)).status).toBe(405)
    expect(bench.outbox.taken).toEqual([])
  })

  test('for a body that is too large', async () => {
    const body = { to: '+491701234500', payload: { code: '1' }, more: 'x'.repeat(300_000) }
    expect(await post('logto', { body })).toMatchObject({ status: 413 })
  })
})

test.each(['refuse', 'wait'] as const)('quiet hours that %s do not delay a code', async (action) => {
  const settings = bench.tools.directory().account(bench.accountId)?.settings
  if (settings === undefined) throw new Error('no account')
  const quiet = { ...settings, quietHours: { fromMinute: 0, toMinute: 1_439, action } }
  await bench.change({ kind: 'set account', accountId: bench.accountId, settings: quiet })
  expect(await post('logto')).toMatchObject({ status: 200 })
  const [message] = bench.outbox.taken
  expect(message && blockEvent(message, bench.tools.directory(), bench.clock.now())).toBe(null)
  const { urgent, ...usual } = message?.journey ?? {}
  const other = { ...message, journey: usual } as Message
  expect([urgent, blockEvent(other, bench.tools.directory(), bench.clock.now())?.kind]).toEqual([true, 'postponed'])
})

test.each([
  ['a text without a code', 'Win a prize, write to us now', null, undefined],
  ['a text with too many digits', 'Call 12345678901', null, undefined],
  ['a code of a login with a lower priority', 'Your code is 482913', 'transactional', 'transactional'],
  ['a code of a login for mailings', 'Your code is 482913', 'bulk', 'bulk'],
  ['a code', 'Your code is 482913', null, 'otp'],
  ['a code in groups', 'G-482 913 is yours', 'otp', 'otp'],
] as const)(
  '%s has its class, and waits in quiet hours unless it is a code',
  async (_what, text, priority, expected) => {
    await addLogin({ name: 'web', secrets: secrets(null), priority })
    const settings = bench.tools.directory().account(bench.accountId)?.settings
    if (settings === undefined) throw new Error('no account')
    const quiet = { ...settings, quietHours: { fromMinute: 0, toMinute: 1_439, action: 'wait' as const } }
    await bench.change({ kind: 'set account', accountId: bench.accountId, settings: quiet })
    const body = { recipient: '+491701234500', body: text, sender: 'SMSTest' }
    expect(await post('auth0', { body })).toMatchObject({ status: 200 })
    const [message] = bench.outbox.taken
    if (message === undefined) throw new Error('nothing was sent')
    const blocked = blockEvent(message, bench.tools.directory(), bench.clock.now())
    expect(blocked === null).toBe(expected === 'otp')
    expect(message.journey.priority?.trafficClass).toBe(expected)
  },
)

test('codes count as verifications of their phone, and a repeat of one does not', async () => {
  const settings = bench.tools.directory().account(bench.accountId)?.settings
  if (settings === undefined) throw new Error('no account')
  const limited = { ...settings, verifyPerHourToPhone: 2 }
  await bench.change({ kind: 'set account', accountId: bench.accountId, settings: limited })
  const sendCode = (code: string) =>
    post('logto', { body: { to: '+491701234500', type: 'SignIn', payload: { code } } }).then(({ status }) => status)
  const statuses = [
    await sendCode('111111'),
    await sendCode('111111'),
    await sendCode('222222'),
    await sendCode('333333'),
  ]
  expect(statuses.map((status) => status < 300)).toEqual([true, true, true, false])
  expect(bench.outbox.taken).toHaveLength(2)
})
