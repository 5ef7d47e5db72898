/** Reports of the real gateway, and what only looks like them, before the client's verifier. */
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BalanceReport, Report, ReportHeaders, VerifiedReport } from '../../client/src/posthorn-client.ts'
import type { AccountSettings } from '../../src/domain/accounts/account.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { BuiltClient, type ClientModule } from '../support/built-client.ts'
import type { SunkCall } from '../support/hook-sink.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let built: BuiltClient
let client: ClientModule
beforeAll(async () => {
  built = new BuiltClient()
  client = await built.load()
  world = await SandboxWorld.start()
})
afterAll(async () => {
  built.remove()
  await world.stop()
})

const LINK = 'https://client.example/parcels/17'
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** What a program does with a report: compiles only while the types distinguish its kinds. */
function summaryOf(report: Report): string {
  switch (report.type) {
    case 'message.status':
      return `${report.id} ${report.status} by ${report.channel} for ${report.price} ${report.currency}`
    case 'link.clicked':
      return `${report.id} clicked ${report.url}`
    case 'recipient.opted_out':
    case 'recipient.opted_in':
      return `${report.phone} ${report.type} of ${report.sender} by ${report.by}`
    case 'verify.status':
      return `${report.verify_id} ${report.status} by ${report.channel} for ${report.price} ${report.currency}`
    case 'balance.low':
      return `${report.account} has ${report.available} ${report.currency}`
    case 'bulk.finished':
      return `${report.bulk_id} ${report.state} with ${report.accepted} messages`
    case 'message.inbound':
      return `${report.from} wrote ${report.text}`
    case 'hook.test':
      return `test of hook ${report.hook_id}`
    case 'unknown':
      return `${report.unknownType} ${JSON.stringify(report.body)}`
  }
}

describe('reports of the gateway', () => {
  const verifyAll = (calls: readonly SunkCall[]): Promise<readonly VerifiedReport[]> =>
    Promise.all(
      calls.map(({ body, headers, at }) => {
        const verifier = new client.ReportVerifier({ secrets: world.hookSecret, now: () => at })
        return verifier.verify(body, headers)
      }),
    )

  test('of every kind are verified and typed, with ids of any length', async () => {
    const before = world.sink.calls.length
    await world.send(
      chainItem('491701237104', { id: 'order-1', rcs_lifetime: 20 }),
      rcsItem('491701237106', { rcs_message: LINK, short_link: true }),
    )
    await world.post(
      JSON.stringify({ auth: world.key, data: [{ hook: world.sink.address, ...rcsItem('491701237100') }] }).replace(
        '"type"',
        '"id":9223372036854775807,"type"',
      ),
    )
    await world.pass(25)
    const [link = ''] = world.box.traffic.to('491701237106')[0]?.text.match(/http\S+/) ?? []
    await fetch(link, { headers: { 'user-agent': BROWSER }, redirect: 'manual' })
    await world.rest()
    const verified = await verifyAll(world.sink.calls.slice(before))
    expect(verified.map(({ report }) => summaryOf(report)).sort()).toEqual([
      '9223372036854775807 DELIVERED by rcs for 0.03 EUR',
      'null DELIVERED by rcs for 0.03 EUR',
      'null READ by rcs for 0.03 EUR',
      `null clicked ${LINK}`,
      'order-1 DELIVERED by chatapp for 0.04 EUR',
    ])
    expect(verified.map(({ webhookId }) => webhookId)).toEqual(world.sink.ids.slice(before))
  })

  test('include a low balance, with every field of the type and no other', async () => {
    const { accountId } = world
    await world.operate((store) =>
      changeAccount(store, {
        accountId,
        settings: { defaultHook: world.sink.address, lowBalanceMicros: toMicros(2_000_000_000) },
      }),
    )
    const before = world.sink.calls.length
    await world.send(rcsItem('491701237100'))
    await world.pass(61)
    const verified = await verifyAll(world.sink.calls.slice(before))
    const [lowBalance, ...others] = verified.flatMap(({ report }) => (report.type === 'balance.low' ? [report] : []))
    expect(others).toEqual([])
    const fields: Readonly<Record<keyof BalanceReport, unknown>> = {
      type: 'balance.low',
      timestamp: expect.stringMatching(/^20\d\d-\d\d-\d\dT/),
      account: 'Sandbox',
      available: expect.any(Number),
      threshold: 2_000,
      currency: 'EUR',
    }
    expect(lowBalance).toEqual(fields)
    expect(lowBalance?.available).toBeLessThan(2_000)
    const usual = { defaultHook: null, lowBalanceMicros: null }
    await world.operate((store) => changeAccount(store, { accountId, settings: usual }))
  })

  test('share a POST if the account asks for it, each with the id that it has alone', async () => {
    const { accountId } = world
    const set = (settings: Partial<AccountSettings>) =>
      world.operate((store) => changeAccount(store, { accountId, settings }))
    const before = world.sink.calls.length
    await set({ reportsPerPost: 2, reportWaitMs: 1_000 })
    await world.send(...['00', '00', '00'].map((end) => rcsItem(`4917012371${end}`)))
    await world.pass(3)
    await set({ reportsPerPost: 1 })
    await world.send(rcsItem('491701237100'))
    await world.pass(3)
    const found = await Promise.all(
      world.sink.calls.slice(before).map(({ body, headers, at }) => {
        return new client.ReportVerifier({ secrets: world.hookSecret, now: () => at }).verifyAll(body, headers)
      }),
    )
    expect(found.map((reports) => reports.length)).toEqual([2, 1, 1])
    expect(found.flat().map(({ report }) => summaryOf(report))).toEqual(
      Array(4).fill('null DELIVERED by rcs for 0.03 EUR'),
    )
    const ids = found.flat().map(({ webhookId }) => webhookId)
    expect(ids.every((id) => /^rep_\d+_0$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(4)
  })

  test('are verified with either secret while they rotate, and no longer with the old one after it', async () => {
    const old = world.hookSecret
    await world.send(rcsItem('491701237100'))
    await world.pass(3)
    const call = world.sink.calls.at(-1)
    if (call === undefined) throw new RangeError('no report was received')
    const verify = (secrets: string | readonly string[]) =>
      new client.ReportVerifier({ secrets, now: () => call.at }).verify(call.body, call.headers)
    const other = `whsec_${Buffer.from('another secret of this hook').toString('base64')}`
    for (const secrets of [old, [old], [old, other], [other, old], old.replace('whsec_', '')]) {
      expect((await verify(secrets)).webhookId).toBe(call.headers['webhook-id'])
    }
    await expect(verify(other)).rejects.toMatchObject({ name: 'ReportRejected', reason: 'signature' })
  })
})

const SECRET = `whsec_${Buffer.from('the secret of a test, 24+').toString('base64')}`
const NOW = Date.UTC(2026, 0, 1)
const BODY = '{"type":"message.moved","amount":3}'

/** Signed by the reference library. */
function signed(body: string, { id = 'rep_1', at = NOW, secret = SECRET } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  }
}

function verify(body: string | Uint8Array, headers: ReportHeaders, toleranceSeconds?: number) {
  return new client.ReportVerifier({ secrets: SECRET, now: () => NOW, toleranceSeconds }).verify(body, headers)
}

test('a report of a type that the client does not know comes through whole', async () => {
  expect(await verify(BODY, signed(BODY))).toEqual({
    webhookId: 'rep_1',
    report: { type: 'unknown', unknownType: 'message.moved', body: { type: 'message.moved', amount: 3 } },
  })
})

test('an array of reports comes through in its order, and one report as an array of one', async () => {
  const verifier = new client.ReportVerifier({ secrets: SECRET, now: () => NOW })
  const array = `[{"webhook_id":"rep_2_0",${BODY.slice(1)},{"webhook_id":"rep_1_1","type":"x"}]`
  const moved = { type: 'unknown', unknownType: 'message.moved', body: { type: 'message.moved', amount: 3 } }
  expect(await verifier.verifyAll(array, signed(array, { id: 'batch_1' }))).toEqual([
    { webhookId: 'rep_2_0', report: moved },
    { webhookId: 'rep_1_1', report: { type: 'unknown', unknownType: 'x', body: { type: 'x' } } },
  ])
  expect(await verifier.verifyAll(BODY, signed(BODY))).toEqual([{ webhookId: 'rep_1', report: moved }])
  // The signature covers all of them.
  await expect(verifier.verifyAll(array.replace('3', '4'), signed(array))).rejects.toMatchObject({
    reason: 'signature',
  })
  await expect(verify(array, signed(array))).rejects.toMatchObject({
    reason: 'body',
    message: 'the body has several reports: use verifyAll',
  })
})

test.each([
  '[null]',
  '[1]',
  '[[]]',
  '[{}]',
  '[{"type":"x"}]',
  '[{"type":"x","webhook_id":""}]',
  '[{"type":"x","webhook_id":1}]',
  '[{"webhook_id":"rep_1_0"}]',
  '[{"webhook_id":"rep_1_0","type":"x"},{"type":"x"}]',
  'null',
  '{}',
])('%j is no array of reports, however well it is signed', async (body) => {
  const verifier = new client.ReportVerifier({ secrets: SECRET, now: () => NOW })
  await expect(verifier.verifyAll(body, signed(body))).rejects.toMatchObject({ name: 'ReportRejected', reason: 'body' })
})

test('headers are read as fetch, Node and frameworks have them; a body as text or bytes', async () => {
  const headers = signed(BODY)
  const title = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const each of [headers, new Headers(headers), title]) {
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)]) {
      expect((await verify(body, each)).webhookId).toBe('rep_1')
    }
  }
})

test('of several signatures one is enough, and those of other versions are passed over', async () => {
  const headers = signed(BODY)
  const good = headers['webhook-signature'] ?? ''
  const list = (signature: string) => verify(BODY, { ...headers, 'webhook-signature': signature })
  await list(`v1a,AAAA v1,AAAA v1,?? ${good}`)
  await list(`${good} v2,AAAA`)
  for (const bad of [good.replace('v1,', 'v1a,'), good.slice(3), `${good}AAAA`, 'v1,', 'v1', ',']) {
    await expect(list(bad)).rejects.toMatchObject({ reason: 'signature' })
  }
  await expect(list(`${'v1,AAAA '.repeat(16)}${good}`)).rejects.toMatchObject({ reason: 'signature' })
})

test('a report is verified exactly if the reference library signed it', async () => {
  const other = Buffer.from('another secret').toString('base64')
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.string({ minLength: 1 }),
      fc.nat(),
      async (text, word, place) => {
        const body = JSON.stringify({ type: 'x', text })
        const headers = signed(body, { id: `rep_${word.length}` })
        expect((await verify(body, headers)).report).toMatchObject({ body: { text } })
        const bytes = Buffer.from(body)
        const at = place % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ 1
        await expect(verify(bytes, headers)).rejects.toMatchObject({ reason: 'signature' })
        await expect(verify(body, { ...headers, 'webhook-id': `${word} ` })).rejects.toMatchObject({
          reason: 'signature',
        })
        await expect(verify(body, signed(body, { secret: other }))).rejects.toMatchObject({ reason: 'signature' })
      },
    ),
    { numRuns: 50 },
  )
})

test.each([
  [300, 'taken'],
  [301, 'timestamp'],
  [-300, 'taken'],
  [-301, 'timestamp'],
])('signed %d seconds ago: %s', async (seconds, expected) => {
  const verified = verify(BODY, signed(BODY, { at: NOW - seconds * 1_000 })).then(
    () => 'taken',
    (error) => error.reason,
  )
  expect(await verified).toBe(expected)
})

test('another tolerance may be asked for', async () => {
  const headers = signed(BODY, { at: NOW - 10_000 })
  await verify(BODY, headers, 10)
  await expect(verify(BODY, headers, 9)).rejects.toMatchObject({ reason: 'timestamp' })
})

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', async (name) => {
  for (const value of [undefined, '']) {
    const call = verify(BODY, { ...signed(BODY), [name]: value })
    await expect(call).rejects.toMatchObject({ reason: 'headers', message: `${name} is missing` })
  }
})

test.each(['soon', '-1', '1e9', '1767225600.5', '99999999999999'])('the time %s is none', async (time) => {
  await expect(verify(BODY, { ...signed(BODY), 'webhook-timestamp': time })).rejects.toMatchObject({
    reason: 'headers',
  })
})

test.each(['', 'report', '[]', 'null', '{"type":1}', '{}'])(
  '%j is no report, however well it is signed',
  async (body) => {
    await expect(verify(body, signed(body))).rejects.toMatchObject({ name: 'ReportRejected', reason: 'body' })
  },
)

test('a parsed body is a fault of the program, and reported as one', async () => {
  await expect(verify(JSON.parse(BODY), signed(BODY))).rejects.toThrow(/^body: must be the text or the bytes/)
})

const base64 = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

test.each([
  [''],
  ['abc'],
  ['whsec_'],
  ['whsec_???'],
  [base64(23)],
  [base64(65)],
  [[]],
  [[SECRET, '']],
  [[SECRET, 'abc']],
])('the secrets %j are invalid, and not disclosed', (secrets) => {
  const make = () => new client.ReportVerifier({ secrets })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(/^secrets: (?!.*\?\?)/)
})
