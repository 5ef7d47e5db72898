/** What stops a message after it was accepted: opt-outs, lists of numbers, a sender that is taken away. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import type { MessageChannel } from '../../src/domain/channels/channel.ts'
import type { OptOutChange } from '../../src/domain/consent/opt-out.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Change } from '../../src/ports/stores/setup-store.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ANNA = '37120000100'
const BORIS = '37120000200'
/** Has no RCS. */
const CLARA = '37120000101'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
  const { accountId } = world
  const senders = ['1234', '5678'].map((name): Change => {
    return { kind: 'set sender', sender: approvedSender(accountId, 'sms', name) }
  })
  await world.operate(async (store) => {
    for (const change of senders) await store.change(change)
  })
})
afterEach(() => world.stop())

const sms = (phone: string, sender = '1234') => {
  return { type: 'sms', phone, sms_signature: sender, sms_message: 'Sale!' }
}
const chain = (phone: string, smsSender: string) => ({
  ...sms(phone, smsSender),
  type: 'rcs+sms',
  rcs_signature: 'RCSTest',
  rcs_message: 'Sale!',
})

/** A phone writes, and the gateway answers with success. */
async function writes(from: string, text: string, to = '1234'): Promise<void> {
  expect(await world.box.smsc.write({ from, to, text })).toMatchObject({ kind: 'answered', answer: { status: 0 } })
}

async function storyOf(item: object) {
  const id = await world.sendOne(item)
  await world.pass(5)
  return world.story(id)
}

const change = (...changes: readonly Change[]) =>
  world.operate(async (store) => {
    for (const each of changes) await store.change(each)
  })

const FILTERED = {
  steps: ['sms FILTERED'],
  timeline: ['sms filtered'],
  revoked: [],
  money: ['hold 0.05', 'release 0.05'],
  arrived: [],
  reports: ['FILTERED by sms for 0: the recipient has opted out'],
}

describe('a recipient who sends STOP', () => {
  test('gets nothing more from that sender, at no charge, and the hook gets a report', async () => {
    const before = await world.balances()
    await writes(ANNA, ' Stop. ')
    expect(await storyOf(sms(ANNA))).toEqual(FILTERED)
    expect(await world.balances()).toEqual(before)
  })

  test('gets what others send, and others get what that sender sends', async () => {
    await writes(ANNA, 'STOP')
    expect((await storyOf(sms(ANNA, '5678'))).steps).toEqual(['sms DELIVERED'])
    expect((await storyOf(sms(BORIS))).steps).toEqual(['sms DELIVERED'])
  })

  test('gets messages again after START, even when the gateway has started anew between', async () => {
    await writes(ANNA, 'СТОП')
    await world.stopGateway()
    await world.startGateway()
    expect((await storyOf(sms(ANNA))).steps).toEqual(['sms FILTERED'])
    await writes(ANNA, 'Start')
    expect((await storyOf(sms(ANNA))).steps).toEqual(['sms DELIVERED'])
  })

  test('is meant by all senders of the account where the operator says so', async () => {
    const { guardSettings } = await world.gateway.store.loadDirectory()
    await change({ kind: 'set guard settings', settings: { ...guardSettings, optOutScope: 'account' } })
    await writes(ANNA, 'stop')
    expect((await storyOf(sms(ANNA, '5678'))).steps).toEqual(['sms FILTERED'])
    await writes(ANNA, 'start', '5678')
    expect((await storyOf(sms(ANNA))).steps).toEqual(['sms DELIVERED'])
  })

  test('to one sender holds for all once the operator says so, until the recipient opts in', async () => {
    await writes(ANNA, 'stop')
    expect((await storyOf(sms(ANNA, '5678'))).steps).toEqual(['sms DELIVERED'])
    const { guardSettings } = await world.gateway.store.loadDirectory()
    await change({ kind: 'set guard settings', settings: { ...guardSettings, optOutScope: 'account' } })
    await world.pass(2)
    expect((await storyOf(sms(ANNA, '5678'))).steps).toEqual(['sms FILTERED'])
    await writes(ANNA, 'start', '5678')
    expect((await storyOf(sms(ANNA, '5678'))).steps).toEqual(['sms DELIVERED'])
    expect((await storyOf(sms(ANNA, '1234'))).steps).toEqual(['sms DELIVERED'])
  })

  test('to one spelling of a sender holds for the others', async () => {
    const { accountId } = world
    await change({ kind: 'set sender', sender: approvedSender(accountId, 'sms', 'smstest') })
    await writes(ANNA, 'stop', 'SMSTest')
    expect((await storyOf(sms(ANNA, 'smstest'))).steps).toEqual(['sms FILTERED'])
    await writes(ANNA, 'start', 'smstest')
    expect((await storyOf(sms(ANNA, 'SMSTest'))).steps).toEqual(['sms DELIVERED'])
  })

  test('changes nothing with a sentence, to an unknown number, or from an unknown sender', async () => {
    await writes(ANNA, 'Stop by at five?')
    await writes(ANNA, 'STOP', '9999')
    await writes('Alpha', 'STOP')
    expect((await storyOf(sms(ANNA))).steps).toEqual(['sms DELIVERED'])
    expect((await world.gateway.store.inboundMessages(10)).map(({ text }) => text)).toHaveLength(3)
  })

  test('takes effect while a scheduled message waits', async () => {
    const sendAt = new Date(world.clock.now() + 60_000).toISOString()
    const id = await world.sendOne({ ...sms(ANNA), send_at: sendAt })
    await writes(ANNA, 'STOP')
    await world.pass(70)
    expect((await world.story(id)).steps).toEqual(['sms FILTERED'])
  })
})

describe('the client', () => {
  const consent = async () => {
    await world.pass(3)
    return world.reports.map(({ body }) => body).filter(({ type }) => String(type).startsWith('recipient.'))
  }

  test('gets a report of STOP and of START, with the newest message of that sender', async () => {
    const [, newest] = await world.send(sms(ANNA), { ...sms(ANNA), id: 17 }, sms(ANNA, '5678'))
    await world.pass(3)
    await writes(ANNA, 'STOP')
    const facts = { timestamp: expect.any(String), id: 17, msg_id: newest, phone: Number(ANNA), sender: '1234' }
    const rest = { ...facts, channel: 'sms', by: 'keyword' }
    expect(await consent()).toEqual([{ type: 'recipient.opted_out', ...rest }])
    const timeline = (await world.trace(newest as MessageId)).timeline.map(({ kind, detail }) => `${kind} ${detail}`)
    expect(timeline).toContain('opted out by keyword')
    await writes(ANNA, 'START')
    expect((await consent()).at(-1)).toEqual({ type: 'recipient.opted_in', ...rest })
  })

  test('gets one report, however often the keyword is repeated', async () => {
    await world.sendOne(sms(ANNA))
    await world.pass(3)
    for (const text of ['STOP', 'stop', 'Stop!']) await writes(ANNA, text)
    expect(await consent()).toHaveLength(1)
  })

  test('gets none for a START that lifts nothing, or that an operator does not allow', async () => {
    await world.sendOne(sms(ANNA))
    await writes(ANNA, 'START')
    await change({ kind: 'change opt-outs', changes: [optOut(ANNA, '1234')] })
    await writes(ANNA, 'START')
    expect(await consent()).toEqual([])
  })

  test('gets none for a recipient to whom it has sent nothing', async () => {
    await writes(BORIS, 'STOP')
    expect(await consent()).toEqual([])
    expect((await storyOf(sms(BORIS))).steps).toEqual(['sms FILTERED'])
  })
})

describe('a chain', () => {
  test('goes on with the next sender that is not opted out of', async () => {
    await change({ kind: 'change opt-outs', changes: [optOut(ANNA, 'RCSTest')] })
    const { steps, arrived, money, reports } = await storyOf(chain(ANNA, '1234'))
    expect({ steps, arrived, money }).toEqual({
      steps: ['rcs FILTERED', 'sms DELIVERED'],
      arrived: ['sms'],
      money: ['hold 0.05', 'charge 0.05'],
    })
    expect(reports).toEqual(['DELIVERED by sms for 0.05'])
  })

  test('ends filtered when the last sender that is left is opted out of', async () => {
    await writes(CLARA, 'STOP')
    const { steps, arrived, money } = await storyOf(chain(CLARA, '1234'))
    expect({ steps, arrived, money }).toEqual({
      steps: ['rcs UNDELIVERABLE', 'sms FILTERED'],
      arrived: [],
      money: ['hold 0.05', 'release 0.05'],
    })
  })

  test('ends at once if an operator has opted the recipient out, which no keyword can undo', async () => {
    await change({ kind: 'change opt-outs', changes: [optOut(ANNA, null)] })
    await writes(ANNA, 'START')
    const { steps, timeline, reports } = await storyOf(chain(ANNA, '1234'))
    expect({ steps, timeline }).toEqual({
      steps: ['rcs FILTERED', 'sms FILTERED'],
      timeline: ['rcs filtered', 'sms filtered'],
    })
    expect(reports).toEqual(['FILTERED by sms for 0: the recipient has opted out'])
  })
})

describe('numbers on a list', () => {
  test('that are denied are filtered, on every channel', async () => {
    await change({ kind: 'list number', number: { list: 'deny', digits: '3712', whole: false, note: '' } })
    await change({ kind: 'list number', number: { list: 'allow', digits: BORIS, whole: true, note: '' } })
    expect(await storyOf(sms(ANNA))).toEqual({
      ...FILTERED,
      reports: ['FILTERED by sms for 0: the number is denied'],
    })
    expect((await storyOf(sms(BORIS))).steps).toEqual(['sms DELIVERED'])
    const call = await world.ask([{ type: 'call/otp', phone: ANNA }])
    expect(call.data?.[0]).toMatchObject({ success: false, error: 'Call failed' })
  })

  test('are looked at once more when a message has waited', async () => {
    const sendAt = new Date(world.clock.now() + 60_000).toISOString()
    const id = await world.sendOne({ ...sms(ANNA), send_at: sendAt })
    await change({ kind: 'list number', number: { list: 'deny', digits: ANNA, whole: true, note: '' } })
    await world.pass(70)
    expect((await world.story(id)).steps).toEqual(['sms FILTERED'])
  })
})

describe('a sender that is rejected', () => {
  const reject = (channel: MessageChannel, name: string): Change => {
    const sender = { ...approvedSender(world.accountId, channel, name), state: 'rejected', reason: 'phishing' } as const
    return { kind: 'set sender', sender }
  }
  const later = () => ({ send_at: new Date(world.clock.now() + 60_000).toISOString() })

  test('sends nothing of what waits under it, at no charge', async () => {
    const before = await world.balances()
    const id = await world.sendOne({ ...sms(ANNA), ...later() })
    await change(reject('sms', '1234'))
    await world.pass(70)
    const { steps, arrived, reports } = await world.story(id)
    expect({ steps, arrived }).toEqual({ steps: ['sms FILTERED'], arrived: [] })
    expect(reports).toHaveLength(1)
    expect(reports[0]).toMatch(/^FILTERED by sms for 0, .*: the sender is no longer approved$/)
    expect(await world.balances()).toEqual(before)
  })

  test('leaves its place in a chain to the next one', async () => {
    const id = await world.sendOne({ ...chain(ANNA, '1234'), ...later() })
    await change(reject('rcs', 'RCSTest'))
    await world.pass(70)
    expect((await world.story(id)).steps).toEqual(['rcs FILTERED', 'sms DELIVERED'])
  })

  test('is looked at again when a step begins after another has failed', async () => {
    const id = await world.sendOne({ ...chain(CLARA, '1234'), ...later() })
    await change(reject('sms', '1234'))
    await world.pass(70)
    expect((await world.story(id)).steps).toEqual(['rcs UNDELIVERABLE', 'sms FILTERED'])
  })
})

function optOut(phone: string, sender: string | null): OptOutChange {
  const { accountId, clock } = world
  return { kind: 'add', optOut: { accountId, sender, phone: phone as Phone, by: 'hand', at: clock.now() } }
}
