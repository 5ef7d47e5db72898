/** Alarms from end to end: a carrier goes down, operators are notified, acknowledge, and it comes back. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { HookSink, type SunkCall } from '../support/hook-sink.ts'
import { MailSink } from '../support/mail-sink.ts'
import { expectSigned } from '../support/received-report.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

/** On a disk of which more than a hundredth is in use. */
const DISK = fileURLToPath(new URL('../../node_modules', import.meta.url))
const DOWN = '[critical] carrier_down sandbox-sms'

let world: SandboxWorld
let mail: MailSink
let hook: HookSink
beforeEach(async () => {
  mail = await MailSink.open()
  world = await SandboxWorld.start(undefined, undefined, { 'smtp-url': mail.url })
  hook = await HookSink.open(world.clock)
})
afterEach(async () => {
  await world.stop()
  await mail.close()
  await hook.close()
})

async function setTarget(name: string, body: object) {
  const answer = await world.askAdmin('PUT', `/notification-targets/${name}`, { body })
  expect(answer.status).toBe(200)
  return answer.body as { readonly secret?: string }
}

const toMail = { kind: 'email', recipients: ['ops@example.com'] }

/** Turns the clock until it holds. */
const until = (what: string, look: () => boolean | Promise<boolean>) =>
  eventually(what, async () => {
    if (await look()) return true
    await world.pass(5)
    return look()
  })

async function carrierGoesDown() {
  await world.box.smsc.goDown()
  await until('the alarm', async () => (await alarms('?state=open')).length > 0)
}

/** The clock may turn far until a carrier is up again. */
async function keepAlarmsOpen() {
  const body = { resolve_after_seconds: 86_400 }
  expect((await world.askAdmin('PUT', '/alarm-rules/carrier_down', { body })).status).toBe(200)
}

const bodiesOf = (calls: readonly SunkCall[]) => calls.map(({ body }) => JSON.parse(body))

async function alarms(query = '') {
  const { body } = await world.askAdmin('GET', `/alarms${query}`)
  return (body as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data
}

test('a carrier goes down: one e-mail, one signed POST, one message to Slack; it comes back: one more each', async () => {
  await setTarget('on-call', toMail)
  const { secret = '' } = await setTarget('pager', { kind: 'hook', address: hook.address })
  await setTarget('chat', { kind: 'slack', address: hook.address.replace('/hook', '/services/T0/B0/abc') })
  await carrierGoesDown()
  await eventually('the first notifications', () => mail.mails.length === 1 && hook.calls.length === 2)

  expect(mail.mails).toMatchObject([{ to: ['ops@example.com'], subject: DOWN }])
  const signed = hook.calls.filter(({ path }) => path === '/hook')
  for (const call of signed) expectSigned(call, secret)
  expect(bodiesOf(signed)).toMatchObject([
    {
      type: 'alarm.opened',
      alarm: { kind: 'carrier_down', subject: 'sandbox-sms', severity: 'critical', state: 'open' },
      ...{ action: expect.stringMatching(/ask the carrier/), link: null },
    },
  ])
  const slack = hook.calls.filter(({ path }) => path.startsWith('/services'))
  expect(bodiesOf(slack)).toEqual([{ text: expect.stringContaining(DOWN) }])
  expect(await alarms()).toMatchObject([{ kind: 'carrier_down', subject: 'sandbox-sms', state: 'open' }])
  const metrics = await (await fetch(`${world.gateway.adminAddress}/metrics`)).text()
  expect(metrics).toContain('posthorn_alarms_open{kind="carrier_down"} 1')
  expect(metrics).toContain('posthorn_notifications_total{target="on-call",result="sent"} 1')

  // Nothing is repeated unless the target asks for it.
  await world.pass(600)
  expect(mail.mails).toHaveLength(1)
  await world.box.smsc.comeBack()
  await until('the last notifications', () => mail.mails.length === 2 && hook.calls.length === 4)
  expect(mail.subjects).toEqual([DOWN, `Resolved: ${DOWN}`])
  expect(mail.mails[0]?.raw).toMatch(/Effect: SMS to all numbers: \d+ wait here/)
  expect(mail.mails[1]?.raw).toMatch(/Lasted: \d+ min/)
  expect(await alarms('?state=resolved')).toMatchObject([{ subject: 'sandbox-sms', resolved_at: expect.any(String) }])
  await until('the end', async () => (await world.gateway.store.alarms()).notifications.length === 0)
})

test('the effect of a carrier that is down has the money on hold for the messages that wait for it', async () => {
  await setTarget('pager', { kind: 'hook', address: hook.address })
  await world.box.smsc.goDown()
  const phones = ['491701234500', '491701234510', '491701234520']
  await world.send(...phones.map((phone) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' })))
  await until('the notification', () => hook.calls.length === 1)
  const effect = expect.stringMatching(/^SMS to all numbers: 3 wait here; €0\.15 on hold for them; no other carrier/)
  expect(bodiesOf(hook.calls)).toMatchObject([{ type: 'alarm.opened', alarm: { effect } }])
  expect(await alarms()).toMatchObject([{ kind: 'carrier_down', effect }])
})

test('an open alarm is repeated until it is acknowledged', async () => {
  await setTarget('on-call', { ...toMail, repeat_minutes: 5 })
  await carrierGoesDown()
  await eventually('the first e-mail', () => mail.mails.length === 1)
  await until('the repetition', () => mail.mails.length > 1)
  expect(mail.subjects.slice(0, 2)).toEqual([DOWN, `Still open: ${DOWN}`])
  await until('the next one', async () => {
    return (await world.gateway.store.alarms()).notifications.some(({ dueAt }) => dueAt > world.clock.now())
  })

  const [open] = await alarms()
  const acknowledged = await world.askAdmin('POST', `/alarms/${open?.['alarm']}/acknowledge`)
  expect(acknowledged).toMatchObject({ status: 200, body: { state: 'acknowledged', acknowledged_by: 'sandbox' } })
  const sent = mail.mails.length
  await world.pass(610)
  expect(mail.mails).toHaveLength(sent)
  const { body } = await world.askAdmin('GET', '/audit')
  expect(body).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ action: 'acknowledgeAlarm' })]),
  })
})

test('a flapping carrier makes one alarm', async () => {
  await setTarget('on-call', toMail)
  await keepAlarmsOpen()
  await carrierGoesDown()
  for (let flaps = 0; flaps < 3; flaps += 1) {
    await world.box.smsc.comeBack()
    await world.carriersUp()
    await world.pass(60)
    await world.box.smsc.goDown()
    await world.pass(75)
  }
  await eventually('the e-mail', () => mail.mails.length > 0)
  expect(mail.subjects).toEqual([DOWN])
  expect(await alarms()).toMatchObject([{ state: 'open' }])
})

test('an SMTP server that is silent does not delay the hook, and its e-mail is sent after a restart, once', async () => {
  await setTarget('on-call', toMail)
  await setTarget('pager', { kind: 'hook', address: hook.address })
  await keepAlarmsOpen()
  mail.isSilent = true
  await carrierGoesDown()
  await eventually('the POST and the connection', () => hook.calls.length === 1 && mail.ignored > 0)
  await until('its result', async () => {
    return (await world.gateway.store.alarms()).notifications.every(({ target }) => target === 'on-call')
  })
  expect(mail.mails).toEqual([])
  await world.stopGateway()

  mail.isSilent = false
  await world.box.smsc.comeBack()
  await world.startGateway()
  await until('the e-mail', () => mail.mails.length > 0)
  await world.pass(60)
  expect(mail.subjects).toEqual([DOWN])
  expect(hook.calls).toHaveLength(1)
})

test('a target that fails is tried again, and shows its last error until it succeeds', async () => {
  await setTarget('pager', { kind: 'hook', address: hook.address })
  hook.answer = () => ({ status: 503 })
  await carrierGoesDown()
  const target = async () => (await world.gateway.store.loadDirectory('anew')).notificationTargets[0]
  await until('the first try', async () => (await target())?.lastError === 'answered 503')
  expect(await target()).toMatchObject({ sentAt: null })
  hook.answer = () => ({ status: 200 })
  await until('a successful try', async () => (await target())?.sentAt !== null)
  const shown = await world.askAdmin('GET', '/notification-targets/pager')
  expect(shown.body).toMatchObject({ sent_at: expect.any(String), last_error: null })
  expect(new Set(hook.ids).size).toBe(1)
  const tries = hook.calls.length
  await world.pass(600)
  expect(hook.calls).toHaveLength(tries)
})

test('a paused target gets neither what waits nor what is new, until it is resumed', async () => {
  await setTarget('on-call', toMail)
  await setTarget('pager', { kind: 'hook', address: hook.address })
  hook.answer = () => ({ status: 503 })
  await keepAlarmsOpen()
  await carrierGoesDown()
  await until('the first try', () => hook.calls.length > 0)
  await setTarget('pager', { enabled: false })
  await until('nothing waits', async () => (await world.gateway.store.alarms()).notifications.length === 0)
  hook.answer = () => ({ status: 200 })
  const tries = hook.calls.length
  await world.gateway.store.change({ kind: 'resolve alarm', alarmId: 1, at: world.clock.now(), notify: [] })
  await until('it is open again', () => mail.mails.length === 2)
  expect(hook.calls).toHaveLength(tries)

  await setTarget('pager', { enabled: true })
  const [open] = await alarms('?state=open')
  await world.askAdmin('POST', `/alarms/${open?.['alarm']}/resolve`)
  await until('the POST', () => hook.calls.length > tries)
})

test('words of a carrier are no markup in Slack or Mattermost', async () => {
  await setTarget('chat', { kind: 'slack', address: hook.address })
  const detail = 'a & b <!channel> <https://evil.example|fix> [fix](https://evil.example) @here ops@example.com'
  const observation = { kind: 'carrier_failing', subject: 'acme', severity: 'warning', detail } as const
  const at = world.clock.now()
  await world.gateway.store.change({ kind: 'raise alarm', observation, node: 0, at, notify: ['chat'] })
  await until('the message', () => hook.calls.length > 0)
  const [{ text = '' } = {}] = bodiesOf(hook.calls)
  expect(text.split('\n')).toContain(
    'a &amp; b &lt;!channel&gt; &lt;https://evil.example|fix&gt; [fix] (https://evil.example) @ here ops@example.com',
  )
})

test('alarm test reports what happened at each target', async () => {
  await setTarget('on-call', toMail)
  await setTarget('pager', { kind: 'hook', address: hook.address })
  hook.answer = () => ({ status: 404 })
  const { body } = await world.askAdmin('POST', '/alarms/test', { body: {} })
  expect(body).toEqual({
    data: [
      { target: 'on-call', result: 'sent', reason: null },
      { target: 'pager', result: 'failed', reason: 'answered 404' },
    ],
  })
  expect(mail.subjects).toEqual(['Test notification of Posthorn'])
  const unknown = await world.askAdmin('POST', '/alarms/test', { body: { target: 'nowhere' } })
  expect(unknown.status).toBe(404)
})

test('operators set when a condition opens its alarm', async () => {
  await world.stop()
  const dataDir = mkdtempSync(join(DISK, 'posthorn-alarms-'))
  world = await SandboxWorld.start(undefined, undefined, { 'smtp-url': mail.url, 'data-dir': dataDir })
  await setTarget('on-call', { ...toMail, kinds: ['disk_full'] })
  const rule = { threshold: 99, resolve_after_seconds: 0 }
  expect((await world.askAdmin('PUT', '/alarm-rules/disk_full', { body: rule })).status).toBe(200)
  await until('the e-mail', () => mail.mails.length === 1)
  expect(await alarms('?kind=disk_full')).toMatchObject([{ subject: 'data folder', state: 'open' }])

  expect((await world.askAdmin('PUT', '/alarm-rules/disk_full', { body: { ...rule, enabled: false } })).status).toBe(
    200,
  )
  await until('the second e-mail', () => mail.mails.length === 2)
  expect(await alarms('?kind=disk_full')).toMatchObject([{ state: 'resolved' }])
  const { body } = await world.askAdmin('GET', '/alarm-rules')
  expect(body).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ kind: 'disk_full', enabled: false, threshold: 99 }),
      expect.objectContaining({ kind: 'carrier_down', open_after_seconds: 60, resolve_after_seconds: 300 }),
    ]),
  })
  const refused = await world.askAdmin('PUT', '/alarm-rules/carrier_down', { body: { threshold: 5 } })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'threshold' }] } })
})

test('a hook that answers 410 opens an alarm until it is resumed', async () => {
  world.sink.answer = () => ({ status: 410 })
  await world.sendOne(rcsItem('491701234500'))
  await until('the alarm', async () => (await alarms()).length > 0)
  const address = world.sink.address
  expect(await alarms()).toMatchObject([{ kind: 'hook_stopped', subject: 'account 1', state: 'open' }])
  const resumed = await world.askAdmin('POST', '/stopped-hooks/resume', { body: { account: 1, address } })
  expect(resumed.status).toBe(200)
  await until('the end of the alarm', async () => (await alarms('?state=open')).length === 0)
  expect(await alarms()).toMatchObject([{ kind: 'hook_stopped', state: 'resolved' }])
})

test.each([
  ['https://user:pass@chat.example:8443/hooks/abcdefghij?token=letters', 'https://chat.example:8443/<kept>'],
  ['http://chat.example/short', 'http://chat.example/<kept>'],
  ['https://chat.example', 'https://chat.example/<kept>'],
])('of the address %s of a target, the host alone is shown', async (address, shown) => {
  expect(await setTarget('chat', { kind: 'slack', address })).toMatchObject({ address: shown })
  const { body } = await world.askAdmin('GET', '/audit')
  const [entry] = (body as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data
  expect(entry).toMatchObject({ action: 'setNotificationTarget', after: { address: shown } })
})

test.each([
  ['an unknown kind', { kind: 'pigeon' }, 400],
  ['e-mail without recipients', { kind: 'email' }, 422],
  ['what is no e-mail address', { kind: 'email', recipients: ['ops'] }, 422],
  ['a hook without an address', { kind: 'hook' }, 422],
  ['a hook in a private network', { kind: 'hook', address: 'http://10.0.0.1/hook' }, 422],
  ['a hook with a weak secret', { kind: 'hook', address: 'https://ops.example', secret: 'whsec_1' }, 422],
  ['a present address where there is none', { kind: 'slack', address: '<kept>' }, 422],
  ['a new target without a kind', {}, 422],
])('%s is refused', async (_, body, status) => {
  expect((await world.askAdmin('PUT', '/notification-targets/one', { body })).status).toBe(status)
})

test('secrets of targets are shown once, kept through changes, and never listed', async () => {
  const { secret = '' } = await setTarget('pager', { kind: 'hook', address: hook.address })
  expect(secret).toMatch(/^whsec_/)
  const changed = await setTarget('pager', { min_severity: 'critical' })
  expect(changed).not.toHaveProperty('secret')
  await setTarget('chat', { kind: 'slack', address: 'https://hooks.slack.example/services/T00/B00/x1Y2z3A4b5C6d7' })
  const listed = JSON.stringify((await world.askAdmin('GET', '/notification-targets')).body)
  expect(listed).not.toMatch(/whsec_|x1Y2z3/)
  const { notificationTargets } = await world.gateway.store.loadDirectory()
  expect(notificationTargets.find(({ name }) => name === 'pager')).toMatchObject({ secret, minSeverity: 'critical' })
  const shown = { kind: 'slack', address: 'https://hooks.slack.example/<kept>' }
  expect(await setTarget('chat', shown)).toMatchObject(shown)
  const stored = async () => (await world.gateway.store.loadDirectory()).notificationTargets
  const chat = (await stored()).find(({ name }) => name === 'chat')
  expect(chat?.address).toBe('https://hooks.slack.example/services/T00/B00/x1Y2z3A4b5C6d7')
  const elsewhere = { body: { address: 'https://evil.example/<kept>' } }
  expect((await world.askAdmin('PUT', '/notification-targets/chat', elsewhere)).status).toBe(422)
  await setTarget('chat', toMail)
  const { secret: another } = await setTarget('pager', { new_secret: true })
  expect(another).not.toBe(secret)
  const { body } = await world.askAdmin('GET', '/audit')
  expect(JSON.stringify(body)).not.toMatch(/whsec_|x1Y2z3/)
})
