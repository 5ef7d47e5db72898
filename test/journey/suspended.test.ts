/** A suspended account: nothing more of it is sent, its queue is kept, and operators may discard what waits. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { CommandLine } from '../support/command-line.ts'
import { settled } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'
import { KEEPS_FILES } from '../support/store-of-run.ts'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

const setState = (state: 'active' | 'suspended') =>
  world.operate((store) => changeAccount(store, { accountId: world.accountId, state }))
const phones = (count: number) => Array.from({ length: count }, (_, index) => `4917012720${index}00`)
const statuses = async (ids: readonly MessageId[]) =>
  (await world.stories(ids)).map(({ steps }) => steps.at(-1)?.split(' ').at(-1))
const arrived = (count: number) => phones(count).map((phone) => world.box.traffic.to(phone as never).length)
const queue = async () => (await world.askAdmin('GET', '/accounts/1/queue')).body
const discard = async (body: object = { confirm: true }) =>
  world.askAdmin('POST', '/accounts/1/queue/discard', { body })

/** Messages that are in the queue of their carrier in memory. */
async function queued(count: number): Promise<readonly MessageId[]> {
  await world.box.rbm.goDown()
  const ids = await world.send(...phones(count).map((phone) => rcsItem(phone)))
  await world.rest()
  return ids
}

describe('suspended', () => {
  test('sends nothing that was queued in memory, and goes on when it is active again, also after a restart', async () => {
    const ids = await queued(5)
    await setState('suspended')
    await world.box.rbm.comeBack()
    await world.pass(20)
    expect(arrived(5)).toEqual([0, 0, 0, 0, 0])
    expect(world.gateway.delivery.pump.facts.held).toBe(0)
    await world.stopGateway()
    await world.startGateway()
    await world.pass(20)
    expect(arrived(5)).toEqual([0, 0, 0, 0, 0])
    await setState('active')
    await world.pass(30)
    expect(await statuses(ids)).toEqual(Array(5).fill('DELIVERED'))
    expect(arrived(5)).toEqual([1, 1, 1, 1, 1])
  })

  test('sends neither planned messages nor what waited for the end of quiet hours', async () => {
    const send_at = new Date(world.clock.now() + 10_000).toISOString()
    const ids = await world.send(rcsItem('491701272000', { send_at }))
    await setState('suspended')
    await world.pass(30)
    expect(await statuses(ids)).toEqual(['QUEUED'])
    await setState('active')
    await world.pass(5)
    expect(await statuses(ids)).toEqual(['DELIVERED'])
  })

  test('counts receipts of what its carriers have, and ends what lived too long', async () => {
    const [slow] = await world.send(rcsItem('491701272104', { rcs_lifetime: 60 }))
    await world.pass(1)
    const [waiting] = await queued(1)
    await setState('suspended')
    await world.pass(70)
    expect(await statuses([slow as MessageId])).toEqual(['EXPIRED'])
    expect(await statuses([waiting as MessageId])).toEqual(['QUEUED'])
  })

  test('says how much it has queued, and discards it once that is confirmed', async () => {
    const ids = await queued(3)
    await setState('suspended')
    await world.rest()
    expect(await queue()).toEqual({ account: 1, messages: 3, held: 0.09, currency: 'EUR' })
    expect((await discard({})).status).toBe(400)
    expect(await queue()).toMatchObject({ messages: 3 })
    expect((await discard()).body).toEqual({ account: 1, discarded: 3, released: 0.09, currency: 'EUR', next: null })
    expect((await discard()).body).toMatchObject({ discarded: 0, released: 0, next: null })
    await setState('active')
    await world.box.rbm.comeBack()
    await world.pass(30)
    expect(await statuses(ids)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
    expect(arrived(3)).toEqual([0, 0, 0])
    expect((await world.story(ids[0] as MessageId)).reports.at(-1)).toContain('discarded by an operator')
    expect(await world.balances()).toMatchObject({ held: 0 })
    const { body } = await world.askAdmin('GET', '/audit?most=5')
    expect(JSON.stringify(body)).toContain('the queue of account 1')
  })
})

describe('on the command line', () => {
  let line: CommandLine
  beforeEach(() => {
    line = new CommandLine()
    line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
  })
  afterEach(() => line.close())
  const run = (...words: readonly string[]) => line.run(['account', ...words, '--account', '1'])

  test('the queue is counted, and discarded only with --yes', async () => {
    await queued(3)
    const found = 'Messages that no carrier has: 3, with 0.09 EUR on hold.'
    expect((await run('queue')).out).toMatch(/3\b.*0\.09\b.*EUR/s)
    expect((await run('discard')).out).toContain(`${found} Add --yes to cancel them; it cannot be undone.`)
    expect(await queue()).toMatchObject({ messages: 3 })
    expect((await run('discard', '--yes')).out).toContain(`${found} Cancelled: 3. Released: 0.09 EUR.`)
    expect(await queue()).toMatchObject({ messages: 0, held: 0 })
    expect((await run('discard', '--yes')).out).toContain('Nothing to cancel.')
    expect(await world.balances()).toMatchObject({ held: 0 })
  })

  test('a wrong account is an error', async () => {
    expect(await line.run(['account', 'discard', '--account', '0x1', '--yes'])).toMatchObject({ exitCode: 2 })
    expect((await line.run(['account', 'queue', '--account', '99'])).exitCode).not.toBe(0)
  })
})

describe.skipIf(KEEPS_FILES)('suspended on one of two nodes', () => {
  test('sends nothing from the other node, which had it in its memory', async () => {
    const first = world.gateway
    await world.startGateway()
    const second = world.gateway
    world.gateway = first
    const ids = await queued(5)
    world.gateway = second
    try {
      await setState('suspended')
      await world.pass(10)
      await world.box.rbm.comeBack()
      await world.pass(30)
      expect(arrived(5)).toEqual([0, 0, 0, 0, 0])
      expect(first.delivery.pump.facts.held).toBe(0)
      await setState('active')
      await world.pass(60)
      expect(await statuses(ids)).toEqual(Array(5).fill('DELIVERED'))
      expect(arrived(5)).toEqual([1, 1, 1, 1, 1])
    } finally {
      await settled('the first node to stop', first.stop(), world.clock)
    }
  })
})

describe('a discard counts only what it has released itself', () => {
  const sum = (answers: readonly { body: unknown }[], name: 'discarded' | 'released') =>
    answers.reduce((all, { body }) => all + (body as Record<typeof name, number>)[name], 0)

  test('beside others at the same time', async () => {
    await queued(5)
    const answers = await Promise.all([discard(), discard(), discard()])
    expect(sum(answers, 'discarded')).toBe(5)
    expect(sum(answers, 'released')).toBeCloseTo(0.15)
    expect(await world.balances()).toMatchObject({ held: 0 })
  })

  test('beside cancellations by the client', async () => {
    const ids = await queued(4)
    const cancels = ids.slice(0, 2).map((msg_id) => ({ type: 'cancel', msg_id }))
    const [, ...answers] = await Promise.all([world.ask(cancels), discard(), discard()])
    const traces = await Promise.all(ids.map((id) => world.trace(id)))
    const discarded = traces.filter(({ timeline }) => timeline.some(({ detail }) => detail.startsWith('discarded')))
    expect(sum(answers, 'discarded')).toBe(discarded.length)
    expect(sum(answers, 'released')).toBeCloseTo(discarded.length * 0.03)
    expect(await world.balances()).toMatchObject({ held: 0 })
  })
})

describe('closed', () => {
  const close = () => world.askAdmin('POST', '/accounts/1/closing', { body: { name: 'Sandbox' } })

  test('still sends what it had queued, planned and postponed, and charges it', async () => {
    const send_at = new Date(world.clock.now() + 10_000).toISOString()
    const planned = await world.send(rcsItem('491701272900', { send_at }))
    const ids = [...planned, ...(await queued(3))]
    expect((await close()).status).toBe(200)
    await world.box.rbm.comeBack()
    await world.pass(40)
    expect(await statuses(ids)).toEqual(Array(4).fill('DELIVERED'))
    expect(await world.balances()).toMatchObject({ held: 0 })
  })

  test('cannot be an account that was suspended with messages that wait, until they are discarded', async () => {
    await queued(2)
    await setState('suspended')
    await world.rest()
    expect((await close()).body).toMatchObject({ detail: expect.stringContaining('posthorn account discard') })
    await discard()
    expect((await close()).status).toBe(200)
    await world.box.rbm.comeBack()
    await world.pass(30)
    expect(arrived(2)).toEqual([0, 0])
  })
})

describe('quiet hours that change', () => {
  const setQuiet = (quietHours: { fromMinute: number; toMinute: number; action: 'wait' } | null) =>
    world.operate(async (store) => {
      await store.change({ kind: 'set guard settings', settings: { ...DEFAULT_GUARD_SETTINGS, quietHours } })
    })
  const sms = { type: 'sms', phone: '37120000100', sms_signature: 'SMSTest', sms_message: 'Good morning' }
  /** Quiet in Riga for eight hours more. */
  const NIGHT = { fromMinute: 60, toMinute: 600, action: 'wait' } as const

  test('send what they had postponed, with the lifetime that was left, and not before', async () => {
    await setQuiet(NIGHT)
    const id = await world.sendOne(sms)
    await world.rest()
    const before = (await world.trace(id)).message.journey
    expect(before).toMatchObject({ postponed: { reason: expect.stringContaining('quiet hours until') } })
    await setQuiet({ ...NIGHT, toMinute: 660 })
    await world.rest()
    const longer = (await world.trace(id)).message.journey
    expect(longer.dueAt).toBe((before.dueAt ?? 0) + 3_600_000)
    expect(longer.deadlineAt).toBe(before.deadlineAt + 3_600_000)
    await setQuiet(null)
    await world.pass(5)
    expect((await world.story(id)).steps).toEqual(['sms DELIVERED'])
    expect((await world.trace(id)).timeline.map(({ kind }) => kind)).toContain('resumed')
  })

  test('may be changed while the gateway is down', async () => {
    await setQuiet(NIGHT)
    const id = await world.sendOne(sms)
    await world.rest()
    const { store } = world.gateway
    await store.change({ kind: 'set guard settings', settings: DEFAULT_GUARD_SETTINGS })
    await world.stopGateway()
    await world.startGateway()
    await world.pass(5)
    expect((await world.story(id)).steps).toEqual(['sms DELIVERED'])
  })

  test('an operator sends one message now, and cancels another', async () => {
    await setQuiet(NIGHT)
    const [first, second, planned] = (await world.send(
      sms,
      { ...sms, phone: '37120000101' },
      { ...sms, phone: '37120000102', send_at: new Date(world.clock.now() + 60_000).toISOString() },
    )) as [MessageId, MessageId, MessageId]
    await world.rest()
    const act = (id: MessageId, what: string) => world.askAdmin('POST', `/messages/${id}/${what}`)
    expect((await act(first, 'send-now')).status).toBe(200)
    expect((await act(planned, 'send-now')).status).toBe(200)
    expect((await act(second, 'cancel')).body).toMatchObject({ status: 'CANCELLED', due_at: null })
    await world.pass(5)
    expect((await world.story(first)).steps).toEqual(['sms DELIVERED'])
    expect((await world.story(planned)).steps[0]).toContain('DELIVERED')
    expect((await world.story(second)).money).toEqual(['hold 0.05', 'release 0.05'])
    expect((await act(first, 'send-now')).body).toMatchObject({ detail: expect.stringContaining('has ended') })
    expect((await act(second, 'cancel')).status).toBe(422)
  })
})
