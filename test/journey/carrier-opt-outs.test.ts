/** A carrier says that the recipient has opted out: as if the recipient had written STOP, and once. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import type { Change } from '../../src/ports/stores/setup-store.ts'
import { HttpDouble } from '../../src/simulator/server/http-double.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, smsItem } from '../support/send-items.ts'

const PHONE = '491621000100'
const TOKEN = 'a-token-of-our-own'

let world: SandboxWorld
let double: HttpDouble
/** What the carrier answers, and the numbers that it was asked to send to. */
let code: string
let sent: string[]

beforeEach(async () => {
  world = await SandboxWorld.start()
  code = 'ok'
  sent = []
  double = await HttpDouble.listen(({ method, body }) => {
    if (method === 'HEAD') return { status: 200, body: '' }
    sent.push(JSON.parse(body).to)
    return { status: code === 'ok' ? 200 : 400, body: JSON.stringify({ id: `m${sent.length}`, code }) }
  })
  const settings = {
    request: { address: `${double.address}/send`, json: { to: '{{phone}}', from: '{{sender}}' } },
    answer: { id: { path: 'id' }, word: { path: 'code', meanings: { ok: 'taken', '21610': 'optedOut' } } },
    receipt: {
      auth: { kind: 'token', token: TOKEN },
      id: 'id',
      status: 'status',
      outcomes: { sent: 'accepted', failed: 'undeliverable', delivered: 'delivered' },
      codes: { path: 'error', meanings: { '103': 'optedOut' } },
    },
  }
  const route = { prefix: '4916', operators: null, priority: 100, poolId: null }
  await world.operate(async (store) => {
    for (const channel of ['rcs', 'sms'] as const) {
      await addCarrier(store, () => {}, { id: `http-${channel}`, kind: 'http', channel, settings, route })
    }
  })
  await world.carriersUp()
})
afterEach(async () => {
  await world.stop()
  await double.goDown()
})

async function receive(id: string, status: string, error = '', carrier = 'http-sms') {
  const body = JSON.stringify({ id, status, error })
  const address = `${world.gateway.address}/carriers/${carrier}/${TOKEN}`
  const response = await fetch(address, { method: 'POST', body })
  await world.pass(2)
  return response.status
}

const optOuts = () => world.gateway.store.findOptOuts([{ accountId: world.accountId, phone: PHONE as Phone }])

async function outcomeOf(id: MessageId) {
  const { steps } = await world.story(id)
  const optOutReports = world.reports.filter(({ body }) => body['type'] === 'recipient.opted_out')
  const { timeline } = await world.trace(id)
  const notes = timeline.filter(({ kind }) => kind === 'opted out').map(({ detail }) => detail)
  return { steps, notes, reports: optOutReports.map(({ body }) => [body['msg_id'], body['by'], body['sender']]) }
}

/** By default they are of senders. */
const letOptOutsCountForAccounts = () =>
  world.operate(async (store) => {
    const { guardSettings } = await store.loadDirectory()
    await store.change({ kind: 'set guard settings', settings: { ...guardSettings, optOutScope: 'account' } })
  })

/** As by the keyword START. */
const optIn = () =>
  world.operate(async (store) => {
    const of = { accountId: world.accountId, sender: 'SMSTest', phone: PHONE as Phone }
    const optOut = { ...of, by: 'word', at: world.clock.now() } as const
    await store.change({ kind: 'change opt-outs', changes: [{ kind: 'remove', optOut }] })
  })

describe('an answer', () => {
  test('ends the message, opts the recipient out of the account, and no fallback goes out', async () => {
    await letOptOutsCountForAccounts()
    code = '21610'
    const before = await world.balances()
    const id = await world.sendOne(chainItem(PHONE))
    await world.pass(5)
    expect(await outcomeOf(id)).toEqual({
      steps: ['rcs UNDELIVERABLE', 'chatapp FILTERED', 'sms FILTERED'],
      notes: ['by carrier'],
      reports: [[id, 'carrier', null]],
    })
    expect(await optOuts()).toMatchObject([{ sender: null, by: 'carrier' }])
    expect(sent).toEqual([PHONE])
    expect(await world.balances()).toEqual(before)
  })

  test('stops later messages after a restart too, until the recipient opts in', async () => {
    code = '21610'
    await world.sendOne(smsItem(PHONE))
    await world.pass(5)
    await world.stopGateway()
    await world.startGateway()
    code = 'ok'
    const second = await world.sendOne(smsItem(PHONE))
    await world.pass(5)
    expect((await outcomeOf(second)).steps).toEqual(['sms FILTERED'])
    await optIn()
    await world.sendOne(smsItem(PHONE))
    await world.pass(5)
    expect(sent).toHaveLength(2)
  })

  test('opts out of one sender where opt-outs are of senders: the same name on another channel is stopped', async () => {
    await world.operate(async (store) => {
      await store.change({ kind: 'set sender', sender: approvedSender(world.accountId, 'sms', 'RCSTest') })
    })
    code = '21610'
    const first = await world.sendOne(chainItem(PHONE, { type: 'rcs+sms', sms_signature: 'RCSTest' }))
    await world.pass(5)
    code = 'ok'
    const other = await world.sendOne(smsItem(PHONE))
    await world.pass(5)
    expect((await outcomeOf(first)).steps).toEqual(['rcs UNDELIVERABLE', 'sms FILTERED'])
    expect((await outcomeOf(other)).steps).toEqual(['sms ACCEPTED'])
  })

  test('is asked for again if the opt-out cannot be stored, and nothing else goes out', async () => {
    await letOptOutsCountForAccounts()
    code = '21610'
    const { store } = world.gateway
    const change = store.change.bind(store)
    let failures = 0
    Object.assign(store, {
      change: (what: Change) => {
        if (what.kind !== 'change opt-outs' || failures > 0) return change(what)
        failures += 1
        return Promise.reject(new StoreError('the disk is full'))
      },
    })
    const id = await world.sendOne(chainItem(PHONE))
    await world.pass(10)
    expect(failures).toBe(1)
    expect((await outcomeOf(id)).steps).toEqual(['rcs UNDELIVERABLE', 'chatapp FILTERED', 'sms FILTERED'])
    expect(sent).toEqual([PHONE, PHONE])
  })
})

describe('a receipt', () => {
  test('ends the message and opts the recipient out, however often it comes', async () => {
    const id = await world.sendOne(smsItem(PHONE))
    await world.pass(3)
    for (let time = 0; time < 3; time += 1) expect(await receive('m1', 'failed', '103')).toBe(200)
    const expected = { steps: ['sms UNDELIVERABLE'], notes: ['by carrier'], reports: [[id, 'carrier', 'SMSTest']] }
    expect(await outcomeOf(id)).toEqual(expected)
    expect(await optOuts()).toMatchObject([{ by: 'carrier' }])
  })

  test('that is repeated after the recipient has opted in again changes nothing', async () => {
    await world.sendOne(smsItem(PHONE))
    await world.pass(3)
    await receive('m1', 'failed', '103')
    await optIn()
    await world.pass(60)
    await receive('m1', 'failed', '103')
    expect(await optOuts()).toEqual([])
  })

  test('after the message was delivered opts out all the same', async () => {
    const id = await world.sendOne(smsItem(PHONE))
    await world.pass(3)
    await receive('m1', 'delivered')
    await receive('m1', 'failed', '103')
    expect((await outcomeOf(id)).steps).toEqual(['sms DELIVERED'])
    expect(await optOuts()).toHaveLength(1)
  })

  test('with an unknown code is judged by its status', async () => {
    const id = await world.sendOne(smsItem(PHONE))
    await world.pass(3)
    await receive('m1', 'failed', '104')
    expect((await outcomeOf(id)).steps).toEqual(['sms UNDELIVERABLE'])
    expect(await optOuts()).toEqual([])
  })

  test('is not acknowledged while the opt-out cannot be stored', async () => {
    await world.sendOne(smsItem(PHONE))
    await world.pass(3)
    const { store } = world.gateway
    const change = store.change.bind(store)
    Object.assign(store, { change: () => Promise.reject(new StoreError('the disk is full')) })
    expect(await receive('m1', 'failed', '103')).toBe(503)
    Object.assign(store, { change })
    expect(await receive('m1', 'failed', '103')).toBe(200)
    expect(await optOuts()).toHaveLength(1)
  })
})
