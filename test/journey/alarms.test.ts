/** Alarms from end to end: a carrier goes down, operators are notified, acknowledge, and it comes back. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { HookSink, type SunkCall } from '../support/hook-sink.ts'
import { MailSink } from '../support/mail-sink.ts'
import { expectSigned } from '../support/received-report.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

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

/** Passes what the checks need to be sure. */
async function carrierGoesDown() {
  await world.box.smsc.goDown()
  await world.pass(75)
}

async function carrierComesBack() {
  await world.box.smsc.comeBack()
  await world.carriersUp()
  await world.pass(310)
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
  await carrierComesBack()
  await eventually('the last notifications', () => mail.mails.length === 2 && hook.calls.length === 4)
  expect(mail.subjects).toEqual([DOWN, `Resolved: ${DOWN}`])
  expect(await alarms('?state=resolved')).toMatchObject([{ subject: 'sandbox-sms', resolved_at: expect.any(String) }])
  expect((await world.gateway.store.alarms()).notifications).toEqual([])
})

test('an open alarm is repeated until it is acknowledged', async () => {
  await setTarget('on-call', { ...toMail, repeat_minutes: 5 })
  await carrierGoesDown()
  await eventually('the first e-mail', () => mail.mails.length === 1)
  await world.pass(310)
  await eventually('the repetition', () => mail.mails.length === 2)
  expect(mail.subjects.at(-1)).toBe(`Still open: ${DOWN}`)

  const [open] = await alarms()
  const acknowledged = await world.askAdmin('POST', `/alarms/${open?.['alarm']}/acknowledge`)
  expect(acknowledged).toMatchObject({ status: 200, body: { state: 'acknowledged', acknowledged_by: 'sandbox' } })
  await world.pass(610)
  expect(mail.mails).toHaveLength(2)
  const { body } = await world.askAdmin('GET', '/audit')
  expect(body).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ action: 'acknowledgeAlarm' })]),
  })
})

test('a flapping carrier makes one alarm', async () => {
  await setTarget('on-call', toMail)
  await carrierGoesDown()
  for (let flaps = 0; flaps < 3; flaps += 1) {
    await world.box.smsc.comeBack()
    await world.carriersUp()
    await world.pass(60)
    await carrierGoesDown()
  }
  await eventually('the e-mail', () => mail.mails.length > 0)
  expect(mail.subjects).toEqual([DOWN])
  expect(await alarms()).toMatchObject([{ state: 'open' }])
})

test('an SMTP server that is silent does not delay the hook, and its e-mail is sent after a restart, once', async () => {
  await setTarget('on-call', toMail)
  await setTarget('pager', { kind: 'hook', address: hook.address })
  mail.isSilent = true
  await carrierGoesDown()
  await eventually('the POST', () => hook.calls.length === 1)
  expect(mail.mails).toEqual([])
  await world.stopGateway()

  mail.isSilent = false
  await world.box.smsc.comeBack()
  await world.startGateway()
  await world.pass(10)
  await eventually('the e-mail', () => mail.mails.length === 1)
  await world.pass(60)
  expect(mail.subjects).toEqual([DOWN])
  expect(hook.calls).toHaveLength(1)
})

test('a target that fails is tried again, and shows its last error until it succeeds', async () => {
  await setTarget('pager', { kind: 'hook', address: hook.address })
  hook.answer = () => ({ status: 503 })
  await carrierGoesDown()
  await eventually('the first try', () => hook.calls.length > 0)
  await world.rest()
  const failing = await world.askAdmin('GET', '/notification-targets/pager')
  expect(failing.body).toMatchObject({ sent_at: null, last_error: 'answered 503' })
  hook.answer = () => ({ status: 200 })
  await world.pass(60)
  const [first, ...others] = hook.ids
  expect(new Set(others)).toEqual(new Set([first]))
  const tries = hook.calls.length
  expect((await world.askAdmin('GET', '/notification-targets/pager')).body).toMatchObject({ last_error: null })
  await world.pass(600)
  expect(hook.calls).toHaveLength(tries)
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
  await setTarget('on-call', { ...toMail, kinds: ['disk_full'] })
  const rule = { threshold: 99, resolve_after_seconds: 0 }
  expect((await world.askAdmin('PUT', '/alarm-rules/disk_full', { body: rule })).status).toBe(200)
  await world.pass(70)
  await eventually('the e-mail', () => mail.mails.length === 1)
  expect(await alarms('?kind=disk_full')).toMatchObject([{ subject: 'data folder', state: 'open' }])

  expect((await world.askAdmin('PUT', '/alarm-rules/disk_full', { body: { ...rule, enabled: false } })).status).toBe(
    200,
  )
  await world.pass(70)
  await eventually('the second e-mail', () => mail.mails.length === 2)
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
  await world.pass(70)
  const address = world.sink.address
  expect(await alarms()).toMatchObject([{ kind: 'hook_stopped', subject: `account 1: ${address}`, state: 'open' }])
  const resumed = await world.askAdmin('POST', '/stopped-hooks/resume', { body: { account: 1, address } })
  expect(resumed.status).toBe(200)
  await world.pass(70)
  expect(await alarms()).toMatchObject([{ kind: 'hook_stopped', state: 'resolved' }])
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
  const { secret: another } = await setTarget('pager', { new_secret: true })
  expect(another).not.toBe(secret)
  const { body } = await world.askAdmin('GET', '/audit')
  expect(JSON.stringify(body)).not.toMatch(/whsec_|x1Y2z3/)
})
