/** Clients that misbehave: the server bounds what each of them takes, and goes on serving the others. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../../src/domain/ids/message-id.ts'
import { COMMAND_IDS } from '../../../src/wire/smpp/command.ts'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import { UDH_INDICATOR } from '../../../src/wire/smpp/concatenation.ts'
import type { MessageAnswer, MessageRequest, MultiAnswer, MultiMessage } from '../../../src/wire/smpp/pdu.ts'
import { PduWriter } from '../../../src/wire/smpp/pdu-writer.ts'
import { TAGS } from '../../../src/wire/smpp/tlv.ts'
import { eventually } from '../../support/eventually.ts'
import { type SmppClient, submitTo, textOf } from '../../support/smpp-client.ts'
import { SmppWorld } from '../../support/smpp-world.ts'

let world: SmppWorld
beforeEach(async () => {
  world = await SmppWorld.start()
})
afterEach(() => world.stop())

const PHONE = '37120000000'
const pass = (seconds: number) => world.sandbox.pass(seconds)
const isServing = async () => {
  const client = await world.bound()
  expect((await client.ask<MessageAnswer>(submitTo(PHONE))).status).toBe(STATUS.ok)
  client.close()
}

function head(length: number, command: number, sequence = 1): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(length, 0)
  bytes.writeUInt32BE(command, 4)
  bytes.writeUInt32BE(sequence, 12)
  return bytes
}

test('a connection that does not bind is closed after five seconds, whatever it sends', async () => {
  const silent = world.connect()
  const half = world.connect()
  half.write(head(100, COMMAND_IDS.bind_transceiver).subarray(0, 10))
  const asking = world.connect()
  asking.send({ command: 'enquire_link' })
  await eventually('an answer', () => asking.received.length > 0)
  await pass(4)
  expect([silent, half, asking].map(({ isClosed }) => isClosed)).toEqual([false, false, false])
  await pass(2)
  await eventually('the ends', () => [silent, half, asking].every(({ isClosed }) => isClosed))
  await isServing()
})

test('a PDU before the bind is not larger than a bind, and no PDU is larger than 64 KiB', async () => {
  const early = world.connect()
  early.write(head(60_000, COMMAND_IDS.submit_sm))
  await eventually('the end', () => early.isClosed)
  const bound = await world.bound()
  bound.write(head(0x7fff_ffff, COMMAND_IDS.submit_sm))
  await eventually('the end', () => bound.isClosed)
  const small = await world.bound()
  small.write(head(3, COMMAND_IDS.submit_sm))
  await eventually('the end', () => small.isClosed)
  await isServing()
})

test('noise ends the connection, and unknown commands do not', async () => {
  const client = await world.bound()
  client.write(head(16, 0x0000_0111))
  await eventually('a nack', () => client.received.some(({ pdu }) => pdu.command === 'generic_nack'))
  expect(client.received.at(-1)?.pdu).toEqual({ command: 'generic_nack', status: STATUS.badCommandId })
  client.write(Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
  await eventually('the end', () => client.isClosed)
  await isServing()
})

test('messages before the bind, and of a receiver, change nothing', async () => {
  const client = world.connect()
  expect((await client.ask<MessageAnswer>(submitTo(PHONE))).status).toBe(STATUS.wrongBindState)
  const receiver = await world.bound('shop', 'bind_receiver')
  expect((await receiver.ask<MessageAnswer>(submitTo(PHONE))).status).toBe(STATUS.wrongBindState)
  await pass(2)
  expect(world.sandbox.box.traffic.arrivals).toEqual([])
})

test('a client that ignores its window is throttled, and loses nothing that was accepted', async () => {
  await world.setLogin({ name: 'narrow', window: 5 })
  const client = await world.bound('narrow')
  const sequences = Array.from({ length: 200 }, () => client.send(submitTo(PHONE)))
  const answers = await Promise.all(sequences.map((sequence) => client.answerTo<MessageAnswer>(sequence)))
  const accepted = answers.filter(({ status }) => status === STATUS.ok)
  const throttled = answers.filter(({ status }) => status === STATUS.throttled)
  expect(accepted.length + throttled.length).toBe(200)
  expect(accepted.length).toBeGreaterThanOrEqual(5)
  expect(throttled.length).toBeGreaterThan(0)
  await pass(3)
  expect(world.sandbox.box.traffic.arrivals).toHaveLength(accepted.length)
  await eventually('the receipts', () => client.receipts.length === accepted.length)
})

/** To so many phones. */
function multi(count: number): MultiMessage {
  const { destination, ...message } = submitTo(PHONE)
  const destinations = Array.from({ length: count }, (_, index) => {
    const digits = String(Number(PHONE) + 1_000 + index)
    return { kind: 'address' as const, address: { ...destination, digits } }
  })
  return { ...message, command: 'submit_multi', destinations }
}

test('each destination of submit_multi counts towards the window', async () => {
  await world.setLogin({ name: 'narrow', window: 10 })
  const client = await world.bound('narrow')
  const statusesOf = async (...requests: MessageRequest[]) => {
    const sequences = client.sendTogether(...requests)
    const answers = await Promise.all(sequences.map((sequence) => client.answerTo<MultiAnswer>(sequence)))
    return answers.map(({ status }) => status)
  }
  const { ok, throttled } = STATUS
  expect(await statusesOf(multi(6), multi(4))).toEqual([ok, ok])
  expect(await statusesOf(multi(6), multi(5), submitTo(PHONE))).toEqual([ok, throttled, ok])
  expect(await statusesOf(multi(9), submitTo(PHONE), submitTo(PHONE))).toEqual([ok, ok, throttled])
  expect(await statusesOf(multi(30), submitTo(PHONE))).toEqual([ok, throttled])
  expect(await statusesOf(submitTo(PHONE), multi(30))).toEqual([ok, throttled])
  await pass(10)
  expect(world.sandbox.box.traffic.arrivals).toHaveLength(10 + 7 + 10 + 30 + 1)
})

test('a submit_multi of many destinations leaves other requests their turns', async () => {
  await world.setLogin({ name: 'wide', window: 300 })
  const client = await world.bound('wide')
  const ids = async (sequence: number) => {
    const answer = await client.answerTo<MultiAnswer>(sequence)
    expect(answer).toMatchObject({ status: STATUS.ok, refused: [] })
    const of = { accountId: world.sandbox.accountId, login: 'wide', id: Number(answer.messageId) as MessageId }
    return (await world.sandbox.gateway.store.findNamed(of)).messageIds
  }
  const [many = 0, one = 0] = client.sendTogether(multi(254), multi(1))
  const [single = 0] = await ids(one)
  // Ids are drawn in the order of acceptance.
  expect((await ids(many)).filter((id) => id < single).length).toBeLessThan(60)
  await pass(10)
  expect(world.sandbox.box.traffic.arrivals).toHaveLength(255)
})

test('a peer that never acknowledges receipts keeps its connection, and gets them again on the next one', async () => {
  const client = await world.bound()
  client.answersWith = null
  const { messageId } = await client.ask<MessageAnswer>(submitTo(PHONE))
  await pass(2)
  expect(client.receipts).toEqual([`${messageId} DELIVRD`])
  await world.sandbox.passInSilence(60)
  client.close()
  await eventually('its end', () => client.isClosed)
  const next = await world.bound()
  await eventually('the receipt', () => next.receipts.length > 0, { clock: world.sandbox.clock, stepMs: 1_000 })
  expect(next.receipts).toEqual([`${messageId} DELIVRD`])
})

test('binary messages, ports and broken headers are refused, never sent as a text', async () => {
  const client = await world.bound()
  const statusOf = async (...message: Parameters<typeof submitTo>) =>
    (await client.ask<MessageAnswer>(submitTo(...message))).status
  const udh = (...bytes: number[]) => ({ esmClass: UDH_INDICATOR, payload: Buffer.from(bytes) })
  for (const dataCoding of [2, 4, 5, 6, 7, 9, 10, 13, 14, 0x10, 0x18, 0xc0, 0xf0, 0xf4, 0xf5, 0xff]) {
    expect([dataCoding, await statusOf(PHONE, { dataCoding })]).toEqual([dataCoding, STATUS.badDataCoding])
  }
  expect(await statusOf(PHONE, udh(6, 5, 4, 0x15, 0x8a, 0, 0, 1, 2))).toBe(STATUS.badEsmClass)
  expect(await statusOf(PHONE, udh(200, 0, 3, 1))).toBe(STATUS.badEsmClass)
  expect(await statusOf(PHONE, udh(3, 0x24, 1, 9, 65))).toBe(STATUS.badEsmClass)
  expect(await statusOf(PHONE, { payload: Buffer.from('Füße', 'latin1') })).toBe(STATUS.submitFailed)
  expect(await statusOf(PHONE, { payload: Buffer.from('abc'), dataCoding: 8 })).toBe(STATUS.badMessageLength)
  expect(await statusOf(PHONE, { payload: Buffer.alloc(0) })).toBe(STATUS.submitFailed)
  expect(await statusOf(PHONE, { esmClass: 0x08 })).toBe(STATUS.badEsmClass)
  expect(await statusOf(PHONE, { priority: 5 })).toBe(STATUS.badPriority)
  expect(await statusOf(PHONE, { replaceIfPresent: 1 })).toBe(STATUS.badReplaceFlag)
  expect(await statusOf(PHONE, { defaultMessageId: 1 })).toBe(STATUS.badDefaultMessageId)
  expect(await statusOf(PHONE, { scheduleTime: '261332250000000+' })).toBe(STATUS.badSchedule)
  await pass(2)
  expect(world.sandbox.box.traffic.arrivals).toEqual([])
})

test('a message with two texts is refused', async () => {
  const client = await world.bound()
  const payload = (text: string) => ({ tag: TAGS.messagePayload, value: Buffer.from(text) })
  const refused = async (change: Parameters<typeof submitTo>[1]) => {
    const answer = await client.ask<MessageAnswer>(submitTo(PHONE, change))
    return [answer.status, textOf(answer)]
  }
  const twoTexts = [STATUS.tlvNotAllowed, 'short_message and message_payload: only one is taken']
  expect(await refused({ tlvs: [payload('other')] })).toEqual(twoTexts)
  expect(await refused({ payload: Buffer.alloc(0), tlvs: [payload('one'), payload('two')] })).toEqual(twoTexts)
  const bulk = { ...multi(2), tlvs: [payload('other')] }
  expect((await client.ask<MultiAnswer>(bulk)).status).toBe(STATUS.tlvNotAllowed)
  const { tlvs, ...data } = submitTo(PHONE, { tlvs: [payload('one'), payload('two')] })
  expect((await client.ask<MessageAnswer>({ ...data, command: 'data_sm', tlvs })).status).toBe(STATUS.tlvNotAllowed)
  await pass(2)
  expect(world.sandbox.box.traffic.arrivals).toEqual([])
  expect((await refused({ tlvs: [payload('')] }))[0]).toBe(STATUS.ok)
})

test.each([
  ['message_payload', submitTo(PHONE, { payload: Buffer.alloc(0) }), [0x04, 0x24, 0xff, 0xff, 65, 66]],
  ['another parameter', submitTo(PHONE), [0x02, 0x04, 0, 2, 1]],
  ['half a head', multi(2), [0x04, 0x24, 0]],
])('a parameter that ends behind its PDU is refused: %s', async (_, message, tail) => {
  const client = await world.bound()
  const writer = new PduWriter()
  writer.write(message, 7)
  const bytes = Buffer.concat([writer.take(), Buffer.from(tail)])
  bytes.writeUInt32BE(bytes.length, 0)
  client.write(bytes)
  expect((await client.answerTo<MessageAnswer>(7)).status).toBe(STATUS.badTlvStream)
  await pass(2)
  expect(world.sandbox.box.traffic.arrivals).toEqual([])
  expect((await client.ask<MessageAnswer>(submitTo(PHONE))).status).toBe(STATUS.ok)
})

test('a flood from one address leaves its logins their places', async () => {
  const flood = Array.from({ length: 600 }, () => world.connect())
  await eventually('some to be refused', () => flood.filter(({ isClosed }) => isClosed).length >= 100)
  for (const client of flood) client.close()
  await pass(1)
  await isServing()
})

test('a login that was removed, or has another password, is unbound', async () => {
  const client: SmppClient = await world.bound()
  const { gateway, accountId } = world.sandbox
  await gateway.store.change({ kind: 'remove client login', accountId, name: 'shop' })
  await gateway.refresh()
  await pass(3)
  await eventually('the end', () => client.isClosed)
  expect(client.received.some(({ pdu }) => pdu.command === 'unbind')).toBe(true)
})

test('a gateway that stops refuses new messages, answers the others, and unbinds', async () => {
  const client = await world.bound()
  const sequence = client.send(submitTo(PHONE))
  await client.answerTo(sequence)
  world.sandbox.gateway.giveNotice()
  expect((await client.ask<MessageAnswer>(submitTo(PHONE))).status).toBe(STATUS.queueFull)
  await world.sandbox.stopGateway()
  await eventually('the end', () => client.isClosed)
  expect(client.received.some(({ pdu }) => pdu.command === 'unbind')).toBe(true)
  await world.sandbox.startGateway()
  const next = await world.bound()
  await pass(3)
  await eventually('the receipt', () => next.receipts.length > 0)
  await isServing()
})
