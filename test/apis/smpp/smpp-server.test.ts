/** Programs that speak SMPP send through the gateway: they bind, submit, and get receipts over their connections. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSecrets } from '../../../src/operations/request/logins.ts'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import type { MessageAnswer } from '../../../src/wire/smpp/pdu.ts'
import { findTlv, latin1, TAGS } from '../../../src/wire/smpp/tlv.ts'
import { eventually } from '../../support/eventually.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { type SmppClient, submitTo, textOf } from '../../support/smpp-client.ts'
import { SmppWorld } from '../../support/smpp-world.ts'

let world: SmppWorld
beforeEach(async () => {
  world = await SmppWorld.start()
})
afterEach(() => world.stop())

const DELIVERED = '37120000000'
const UNDELIVERABLE = '37120000003'
const UNREACHABLE = '3712000'

test('a message is sent, and its receipt comes over the same connection', async () => {
  const client = await world.bound()
  const answer = await client.ask<MessageAnswer>(submitTo(DELIVERED))
  expect(answer).toMatchObject({ status: STATUS.ok, messageId: expect.stringMatching(/^\d{1,16}$/) })
  await world.sandbox.pass(2)
  expect(client.receipts).toEqual([`${answer.messageId} DELIVRD`])
  const [receipt] = client.delivered
  expect(receipt).toMatchObject({
    esmClass: 0x04,
    source: { ton: 1, npi: 1, digits: DELIVERED },
    destination: { ton: 5, npi: 0, digits: 'SMSTest' },
  })
  expect(latin1(receipt?.payload ?? Buffer.alloc(0))).toMatch(
    /^id:\d+ sub:001 dlvrd:001 submit date:\d{10} done date:\d{10} stat:DELIVRD err:000 text:$/,
  )
  expect(findTlv(receipt?.tlvs ?? [], TAGS.messageState)).toEqual(Buffer.of(2))
  expect(world.sandbox.box.traffic.arrivals.map(({ text, sender }) => [text, sender])).toEqual([['hello', 'SMSTest']])
})

test('the bind answer names the version, so that clients read optional parameters', async () => {
  const client = world.connect()
  const answer = await client.bind('shop')
  expect(findTlv(answer.tlvs, TAGS.interfaceVersion)).toEqual(Buffer.of(0x34))
  expect(answer.systemId).toBe('Posthorn')
  const newer = world.connect()
  const other = await newer.bind('shop', 'bind_transceiver', { interfaceVersion: 0x50 })
  expect(findTlv(other.tlvs, TAGS.interfaceVersion)).toEqual(Buffer.of(0x50))
})

test('receipts wait in the store while the client is away', async () => {
  const client = await world.bound()
  const answer = await client.ask<MessageAnswer>(submitTo(UNDELIVERABLE))
  client.close()
  await world.sandbox.pass(5)
  expect((await world.sandbox.gateway.store.counts()).pendingReports).toBe(1)
  await world.sandbox.passInSilence(600)
  const sender = await world.bound('shop', 'bind_transmitter')
  await world.sandbox.pass(2)
  expect(sender.delivered).toEqual([])
  const receiver = await world.bound('shop', 'bind_receiver')
  await eventually('the receipt', () => receiver.receipts.length > 0)
  expect(receiver.receipts).toEqual([`${answer.messageId} UNDELIV`])
  await world.sandbox.rest()
  expect((await world.sandbox.gateway.store.counts()).pendingReports).toBe(0)
})

test('receipts on another connection than the message come in order, and not before the response can be read', async () => {
  const sender = await world.bound('shop', 'bind_transmitter')
  const receiver = await world.bound('shop', 'bind_receiver')
  const ACCEPTED_TOO = 0x11
  const sent = await Promise.all(
    Array.from({ length: 10 }, () =>
      sender.ask<MessageAnswer>(submitTo(DELIVERED, { registeredDelivery: ACCEPTED_TOO })),
    ),
  )
  await world.sandbox.rest()
  expect(receiver.receipts).toEqual([])
  await world.sandbox.pass(2)
  for (const { messageId } of sent) {
    expect(receiver.receipts.filter((receipt) => receipt.startsWith(`${messageId} `))).toEqual([
      `${messageId} ACCEPTD`,
      `${messageId} DELIVRD`,
    ])
  }
  expect(sender.delivered).toEqual([])
})

test('a login is refused with the statuses after which clients do the right thing', async () => {
  await world.setLogin({ name: 'small', maxBinds: 1 })
  const statusOf = async (...how: Parameters<SmppClient['bind']>) => (await world.connect().bind(...how)).status
  expect(await statusOf('shop', 'bind_transceiver', { password: 'wrong' })).toBe(STATUS.badPassword)
  expect(await statusOf('none')).toBe(STATUS.badPassword)
  expect(await statusOf('shop', 'bind_transceiver', { interfaceVersion: 0x33 })).toBe(STATUS.bindFailed)
  const client = await world.bound('small')
  expect((await client.bind('small')).status).toBe(STATUS.alreadyBound)
  expect(await statusOf('small')).toBe(STATUS.bindFailed)
  client.close()
  await eventually('its place', async () => (await statusOf('small')) === STATUS.ok)
})

test('a client keeps its messages while its login or its account changes, and may bind again', async () => {
  const { gateway, accountId } = world.sandbox
  const setState = async (state: 'active' | 'suspended') => {
    await gateway.store.change({ kind: 'set account', accountId, state })
    await gateway.refresh()
  }
  const first = await world.bound()
  await setState('suspended')
  expect((await first.ask<MessageAnswer>(submitTo(DELIVERED))).status).toBe(STATUS.queueFull)
  await eventually(
    'the end of the connection',
    () => first.isClosed || first.received.some(({ pdu }) => pdu.command === 'unbind'),
  )
  expect((await world.connect().bind('shop')).status).toBe(STATUS.bindFailed)
  await setState('active')
  const second = await world.bound()
  await world.setLogin({ name: 'shop', secrets: makeSecrets('another password', null, new SeededRandom()) })
  expect((await second.ask<MessageAnswer>(submitTo(DELIVERED))).status).toBe(STATUS.queueFull)
  const again = await world.connect().bind('shop', 'bind_transceiver', { password: 'another password' })
  expect(again.status).toBe(STATUS.ok)
})

test('a message that cannot be sent is refused with its reason', async () => {
  const client = await world.bound()
  const refused = async (...message: Parameters<typeof submitTo>) => {
    const answer = await client.ask<MessageAnswer>(submitTo(...message))
    return [answer.status, textOf(answer)]
  }
  expect(await refused(UNREACHABLE)).toEqual([STATUS.badDestination, 'Invalid phone number'])
  const other = { ton: 5, npi: 0, digits: 'Other' }
  expect(await refused(DELIVERED, { source: other })).toEqual([STATUS.badSource, 'Error in Alpha-name'])
  expect(await refused(DELIVERED, { dataCoding: 0xf0 })).toEqual([
    STATUS.badDataCoding,
    'data_coding: flash messages are not supported',
  ])
  expect((await refused(DELIVERED, { scheduleTime: 'tomorrow' }))[0]).toBe(STATUS.badSchedule)
  expect((await refused(DELIVERED, { validityPeriod: '000000000001000R' }))[0]).toBe(STATUS.badExpiry)
  const receiver = await world.bound('shop', 'bind_receiver')
  expect((await receiver.ask(submitTo(DELIVERED))) as MessageAnswer).toMatchObject({ status: STATUS.wrongBindState })
  expect(world.sandbox.box.traffic.arrivals).toEqual([])
})

test('operators see the connections of a login', async () => {
  const client = await world.bound()
  await world.bound('shop', 'bind_receiver')
  await client.ask<MessageAnswer>(submitTo(DELIVERED))
  const { body } = await world.sandbox.askAdmin('GET', `/accounts/${world.sandbox.accountId}/binds`)
  const node = world.sandbox.gateway.store.cluster?.node ?? null
  expect(body).toMatchObject({
    data: [
      {
        login: 'shop',
        node,
        mode: 'transceiver',
        system_type: '',
        address: '127.0.0.1',
        submitted: 1,
        unanswered: 0,
        delivered: 0,
      },
      { login: 'shop', mode: 'receiver', submitted: 0 },
    ],
  })
})

test('receipts that a client has no time for before it unbinds wait in the store', async () => {
  const client = await world.bound()
  client.answersWith = null
  const sent = await Promise.all(Array.from({ length: 30 }, () => client.ask<MessageAnswer>(submitTo(DELIVERED))))
  await world.sandbox.pass(2)
  const { reporter } = world.sandbox.gateway.delivery
  expect(reporter.facts.held).toBe(30)
  client.send({ command: 'unbind' })
  await eventually('all to be parked', () => reporter.facts.held === 0, { clock: world.sandbox.clock, stepMs: 1_000 })
  const next = await world.bound()
  const clock = { clock: world.sandbox.clock, stepMs: 1_000 }
  await eventually('all receipts', () => new Set(next.receipts).size === 30, clock)
  expect([...new Set(next.receipts)].toSorted()).toEqual(sent.map(({ messageId }) => `${messageId} DELIVRD`).toSorted())
})
