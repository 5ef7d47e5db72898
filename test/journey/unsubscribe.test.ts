/** A recipient opts out by the link in a message: only by the button, once, and with a way back. */
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import type { Change } from '../../src/ports/stores/setup-store.ts'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ANNA = '37120000100'
const BORIS = '37120000200'
const FORM = 'application/x-www-form-urlencoded'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
  const change: Change = { kind: 'set sender', sender: approvedSender(world.accountId, 'sms', '5678') }
  await world.operate(async (store) => void (await store.change(change)))
})
afterEach(() => world.stop())

const sms = (phone: string, sender = 'SMSTest') => {
  return { type: 'sms', phone, sms_signature: sender, sms_message: 'Sale!' }
}
const linkIn = (text = '') => /http\S+\/u\/\S+/.exec(text)?.[0] ?? ''

/** Sends an SMS with the link, and returns the link as the phone got it. */
async function sendLink(item: object = sms(ANNA)): Promise<string> {
  await world.sendOne({ ...item, id: 17, unsubscribe_link: true })
  await world.pass(3)
  return linkIn(world.box.traffic.arrivals.at(-1)?.text)
}

async function open(link: string, headers: Record<string, string> = {}): Promise<{ status: number; html: string }> {
  const response = await fetch(link, { headers })
  return { status: response.status, html: await response.text() }
}

const tokenOn = (html: string) => /name="token" value="([A-Za-z0-9]+)"/.exec(html)?.[1] ?? ''

function post(link: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(link, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })
}

/** Presses the button of the page; returns the page that the browser shows then. */
async function press(link: string, action: 'out' | 'in') {
  const { html } = await open(link)
  expect(html).toContain(`name="action" value="${action}"`)
  const response = await post(link, { token: tokenOn(html), action }, { 'sec-fetch-site': 'same-origin' })
  expect(response.status).toBe(303)
  return open(new URL(response.headers.get('location') ?? '', link).href)
}

async function statusOf(item: object): Promise<string | undefined> {
  const id = await world.sendOne(item)
  await world.pass(5)
  return (await world.story(id)).steps[0]
}

/** The reports of consent, without repeats of the hook's. */
async function consentReports(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await world.pass(3)
  return world.reports.map(({ body }) => body).filter(({ type }) => String(type).startsWith('recipient.'))
}

describe('a recipient who presses the button', () => {
  test('gets nothing more from that sender, and the client gets a report', async () => {
    const link = await sendLink()
    const { status, html } = await press(link, 'out')
    expect({ status, isDone: html.includes('You are unsubscribed') }).toEqual({ status: 200, isDone: true })
    expect(await statusOf(sms(ANNA))).toBe('sms FILTERED')
    expect(await statusOf(sms(ANNA, '5678'))).toBe('sms DELIVERED')
    expect(await statusOf(sms(BORIS))).toBe('sms DELIVERED')
    expect(await consentReports()).toEqual([
      {
        type: 'recipient.opted_out',
        timestamp: expect.any(String),
        id: 17,
        msg_id: expect.any(Number),
        phone: Number(ANNA),
        sender: 'SMSTest',
        channel: 'sms',
        by: 'link',
      },
    ])
  })

  test('is in the timeline of the message and among the opt-outs, and the token is in neither', async () => {
    const link = await sendLink()
    await press(link, 'out')
    const [report] = await consentReports()
    const { body } = await world.askAdmin('GET', `/messages/${report?.['msg_id']}`)
    const timeline = JSON.stringify(body)
    expect(timeline).toContain(
      '"component":"journey","event":"opted out","channel":"sms","carrier":null,"detail":"by link"',
    )
    expect(timeline).toContain('for unsubscribing')
    expect(timeline).not.toContain('unsubscribe:')
    const found = await world.askAdmin('POST', '/opt-outs/find', { body: { phone: ANNA } })
    expect(found.body).toMatchObject({ data: [{ sender: 'SMSTest', by: 'link' }] })
  })

  test('twice, at once and later, opts out once', async () => {
    const link = await sendLink()
    const token = tokenOn((await open(link)).html)
    const both = await Promise.all([1, 2].map(() => post(link, { token, action: 'out' })))
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    expect((await post(link, { token, action: 'out' })).status).toBe(303)
    expect(await consentReports()).toHaveLength(1)
  })

  test('after a store that failed in between, can press it again: the client gets the report, if need be twice', async () => {
    const link = await sendLink()
    const token = tokenOn((await open(link)).html)
    const { store } = world.gateway
    const { change } = store
    store.change = () => Promise.reject(new StoreError('disk full'))
    expect((await post(link, { token, action: 'out' })).status).toBe(503)
    store.change = change
    expect(await consentReports()).toMatchObject([{ type: 'recipient.opted_out' }])
    expect((await press(link, 'out')).html).toContain('You are unsubscribed')
    expect(await statusOf(sms(ANNA))).toBe('sms FILTERED')
    const types = (await consentReports()).map(({ type }) => type)
    expect(types).toEqual(['recipient.opted_out', 'recipient.opted_out'])
  })

  test('can come back, and leave again', async () => {
    const link = await sendLink()
    await press(link, 'out')
    const { html } = await press(link, 'in')
    expect(html).toContain('Do you want to stop getting messages')
    expect(await statusOf(sms(ANNA))).toBe('sms DELIVERED')
    await press(link, 'out')
    expect(await statusOf(sms(ANNA))).toBe('sms FILTERED')
    const types = (await consentReports()).map(({ type }) => type)
    expect(types).toEqual(['recipient.opted_out', 'recipient.opted_in', 'recipient.opted_out'])
  })

  test('can come back only until the message has recorded twenty changes, and leave always', async () => {
    const link = await sendLink()
    for (let round = 0; round < 10; round += 1) {
      await press(link, 'out')
      await press(link, 'in')
    }
    const { html } = await press(link, 'out')
    expect(html).not.toContain('<form')
    expect(await statusOf(sms(ANNA))).toBe('sms FILTERED')
    expect(await consentReports()).toHaveLength(20)
  })

  test('cannot undo an opt-out of an operator', async () => {
    const link = await sendLink()
    const token = tokenOn((await open(link)).html)
    await world.askAdmin('POST', '/accounts/1/opt-outs', { body: { phone: ANNA } })
    const { html } = await open(link)
    expect({ isDone: html.includes('You are unsubscribed'), hasForm: html.includes('<form') }).toEqual({
      ...{ isDone: true, hasForm: false },
    })
    expect((await post(link, { token, action: 'in' })).status).toBe(303)
    expect(await statusOf(sms(ANNA))).toBe('sms FILTERED')
  })

  test('leaves every sender of the account where the operator says so', async () => {
    const { guardSettings } = await world.gateway.store.loadDirectory()
    const change: Change = { kind: 'set guard settings', settings: { ...guardSettings, optOutScope: 'account' } }
    await world.operate(async (store) => void (await store.change(change)))
    await press(await sendLink(), 'out')
    expect(await statusOf(sms(ANNA, '5678'))).toBe('sms FILTERED')
    expect(await consentReports()).toMatchObject([{ sender: null }])
  })

  test('leaves the sender of the channel whose message was opened', async () => {
    await world.sendOne({
      ...{ type: 'rcs+sms', phone: ANNA, unsubscribe_link: true, rcs_signature: 'RCSTest' },
      ...{ rcs_message: 'Sale! {{unsubscribe}} to stop', sms_signature: 'SMSTest', sms_message: 'Sale!' },
    })
    await world.pass(5)
    const [arrival] = world.box.traffic.arrivals
    expect(arrival).toMatchObject({ channel: 'rcs', text: expect.stringMatching(/^Sale! http\S+\/u\/\w{10} to stop$/) })
    await press(linkIn(arrival?.text), 'out')
    expect(await consentReports()).toMatchObject([{ sender: 'RCSTest', channel: 'rcs' }])
  })

  test('of a message with a test key changes nothing of the account, and is reported as a test', async () => {
    const { body } = await world.askAdmin('POST', '/accounts/1/keys', { body: { name: 'tests', test: true } })
    const { key } = body as { readonly key: string }
    const item = { ...sms(ANNA), unsubscribe_link: true, hook: world.sink.address }
    const { data } = await world.post({ auth: key, data: [item] })
    const { message } = await world.trace(data?.[0]?.data['msg_id'] as MessageId)
    const { html } = await press(linkIn((message.plan[0]?.content as TextContent | undefined)?.text), 'out')
    expect(html).toContain('You are unsubscribed')
    expect(await consentReports()).toMatchObject([{ type: 'recipient.opted_out', test: true }])
    expect(await statusOf(sms(ANNA))).toBe('sms DELIVERED')
  })
})

describe('a recipient who does not press it', () => {
  test('stays, whatever opens the link, and however often', async () => {
    const link = await sendLink()
    for (const agent of ['WhatsApp/2.23.20.0', 'Mozilla/5.0 (X11; Linux x86_64)', 'curl/8.5.0', '']) {
      expect((await open(link, { 'user-agent': agent })).status).toBe(200)
    }
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
    expect(await statusOf(sms(ANNA))).toBe('sms DELIVERED')
    expect(await consentReports()).toEqual([])
  })

  test('stays when another site, or a program without the token of the page, posts the form', async () => {
    const [link, other] = [await sendLink(), await sendLink(sms(BORIS))]
    const token = tokenOn((await open(link)).html)
    const attempts = [
      await post(link, { action: 'out' }),
      await post(link, { token: `${token}x`, action: 'out' }),
      await post(link, { token: tokenOn((await open(other)).html), action: 'out' }),
      await post(link, { token, action: 'out' }, { 'sec-fetch-site': 'cross-site' }),
      await post(link, { token, action: 'out' }, { 'sec-fetch-site': 'same-site' }),
      await post(link, { token, action: 'out' }, { origin: 'https://elsewhere.example' }),
      await post(link, { token, action: 'out' }, { origin: 'no address' }),
      await post(link, { token, action: 'both' }),
      await post(link, { token, action: 'out', more: 'x'.repeat(2_000) }),
      await fetch(link, { method: 'POST', body: JSON.stringify({ token, action: 'out' }), redirect: 'manual' }),
    ]
    expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([403]))
    expect(await statusOf(sms(ANNA))).toBe('sms DELIVERED')
  })

  test('is not opted out by a body that ends early, and the gateway has no error', async () => {
    const link = await sendLink()
    await new Promise<void>((resolve) => {
      const half = request(link, { method: 'POST', headers: { 'content-type': FORM, 'content-length': '50' } })
      half.on('error', () => resolve())
      half.write('token=', () => half.destroy())
    })
    await world.rest()
    expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect((await open(link)).html).toContain('value="out"')
  })
})

describe('the page', () => {
  test('names the sender, speaks the language of the visitor, and works without a script', async () => {
    const link = await sendLink()
    const english = await open(link)
    expect(english.html).toContain('<html lang="en">')
    expect(english.html).toContain('<bdi>SMSTest</bdi>')
    expect(english.html).not.toContain('<script')
    const german = await open(link, { 'accept-language': 'xx, en;q=0.5, de-AT;q=0.9' })
    expect(german.html).toContain('<html lang="de">')
    expect(german.html).toContain('Möchten Sie keine Nachrichten mehr')
    const late = await open(link, { 'accept-language': `a${' '.repeat(12_000)}b;q=0.1,de` })
    expect(late.html).toContain('<html lang="en">')
  })

  test('is not cached, framed, indexed or sent to other sites', async () => {
    const { headers } = await fetch(await sendLink())
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      ),
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow',
    })
  })

  test('ends with the link, whose code leads to nothing else', async () => {
    const link = await sendLink()
    const token = tokenOn((await open(link)).html)
    expect((await open(link.replace('/u/', '/l/'))).status).toBe(404)
    expect((await open(`${link}x`)).status).toBe(404)
    world.clock.turnTo(world.clock.now() + 31 * 24 * 3_600_000)
    expect(await open(link)).toMatchObject({ status: 410, html: expect.stringContaining('This link has expired.') })
    expect((await post(link, { token, action: 'out' })).status).toBe(410)
  })

  test('is gone when the recipient was erased', async () => {
    const link = await sendLink()
    expect((await open(link)).status).toBe(200)
    const line = new CommandLine()
    line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
    expect(await line.run(['forget', '-', '--yes'], `${ANNA}\n`)).toMatchObject({ exitCode: 0 })
    line.close()
    expect(await open(link)).toMatchObject({ status: 410, html: expect.not.stringContaining('<form') })
  })

  test('an ordinary short link has none', async () => {
    const item = { ...sms(ANNA), sms_message: 'See https://client.example/a', short_link: true }
    await world.sendOne(item)
    await world.pass(3)
    const [link = ''] = world.box.traffic.arrivals.at(-1)?.text.match(/http\S+/) ?? []
    expect((await open(link.replace('/l/', '/u/'))).status).toBe(404)
  })
})

test('a form of an older browser, which says its origin alone, is taken from our page', async () => {
  for (const origin of [undefined, 'null']) {
    const link = await sendLink()
    const token = tokenOn((await open(link)).html)
    const headers = origin === undefined ? { origin: new URL(link).origin } : { origin }
    expect((await post(link, { token, action: 'out' }, headers)).status).toBe(303)
    expect((await post(link, { token, action: 'in' }, headers)).status).toBe(303)
  }
})

test('a value of a bulk that looks like the place of the link is a text', async () => {
  const message = { ...sms(ANNA), sms_message: 'Hi {{name}}, stop: {{unsubscribe}}', unsubscribe_link: true }
  const { phone: _, ...rest } = message
  const created = await world.ask([{ type: 'bulk/create', message: rest }])
  const bulk_id = created.data?.[0]?.data['bulk_id']
  await fetch(`${world.gateway.address}/api/bulk/${bulk_id}/lines`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'text/csv' },
    body: `phone,name\n${ANNA},{{unsubscribe}}\n`,
  })
  await world.ask([{ type: 'bulk/start', bulk_id }])
  await world.pass(10)
  const [arrival] = world.box.traffic.to(ANNA as never)
  expect(arrival?.text).toMatch(/^Hi \{\{unsubscribe\}\}, stop: http\S+\/u\/\w+$/)
})
