/** What clients ask besides submitting one message: receivers, states, cancellations, times, repeats, inbound. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { classOf } from '../../../src/domain/message/message.ts'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import { UDH_INDICATOR } from '../../../src/wire/smpp/concatenation.ts'
import { readMessageText } from '../../../src/wire/smpp/message-text.ts'
import type { MessageAnswer, MultiAnswer, MultiMessage, QueryAnswer, StatusAnswer } from '../../../src/wire/smpp/pdu.ts'
import { findTlv, TAGS } from '../../../src/wire/smpp/tlv.ts'
import { eventually } from '../../support/eventually.ts'
import { type SmppClient, submitTo } from '../../support/smpp-client.ts'
import { SmppWorld } from '../../support/smpp-world.ts'

let world: SmppWorld
let client: SmppClient
beforeEach(async () => {
  world = await SmppWorld.start()
  client = await world.bound()
})
afterEach(() => world.stop())

const PHONE = '37120000000'
const SOURCE = { ton: 5, npi: 0, digits: 'SMSTest' }
const to = (digits: string) => ({ ton: 1, npi: 1, digits })
const arrivals = () => world.sandbox.box.traffic.arrivals

test('data_sm sends its message_payload', async () => {
  const answer = await client.ask<MessageAnswer>({
    ...{ command: 'data_sm', serviceType: '', source: SOURCE, destination: to(PHONE), esmClass: 0 },
    ...{ registeredDelivery: 1, dataCoding: 8 },
    tlvs: [{ tag: TAGS.messagePayload, value: Buffer.from('Привет', 'utf16le').swap16() }],
  })
  expect(answer).toMatchObject({ command: 'data_sm_resp', status: STATUS.ok })
  await world.sandbox.pass(2)
  expect(arrivals().map(({ text }) => text)).toEqual(['Привет'])
  expect(client.receipts).toEqual([`${answer.messageId} DELIVRD`])
})

test('priority_flag asks for a traffic class, of a message in parts too', async () => {
  await world.setLogin({ name: 'codes', priority: 'otp' })
  const codes = await world.bound('codes')
  const classesOf = async (by: SmppClient, phone: string) => {
    for (const priority of [0, 1, 3]) await by.ask({ ...submitTo(phone), priority })
    for (const number of [1, 2]) {
      const payload = Buffer.from([5, 0, 3, 7, 2, number, 65])
      await by.ask({ ...submitTo(phone), esmClass: UDH_INDICATOR, payload, priority: 2 })
    }
    await world.sandbox.pass(2)
    const query = { of: 'messages', accountId: null, phone, status: null, after: null, limit: 10 } as const
    const { rows } = await world.sandbox.gateway.store.page({ ...query, phone: phone as Phone })
    const messages = await world.sandbox.gateway.store.loadMessages(rows.map(({ id }) => id))
    return messages.toSorted((a, b) => a.id - b.id).map(classOf)
  }
  const usual = ['transactional', 'transactional', 'transactional', 'transactional']
  expect(await classesOf(client, '37120000000')).toEqual(usual)
  expect(await classesOf(codes, '37120000100')).toEqual(['otp', 'transactional', 'otp', 'otp'])
})

test('submit_multi sends to each receiver, and names those that were refused', async () => {
  const { destination: _, ...message } = submitTo(PHONE)
  const multi = (...destinations: { kind: 'address'; address: ReturnType<typeof to> }[]) =>
    client.ask<MultiAnswer>({ ...message, command: 'submit_multi', destinations })
  const address = (digits: string) => ({ kind: 'address' as const, address: to(digits) })
  const answer = await multi(address(PHONE), address('123'), address('37120000003'))
  expect(answer).toMatchObject({
    status: STATUS.ok,
    refused: [{ address: to('123'), status: STATUS.badDestination }],
  })
  await world.sandbox.pass(2)
  expect(client.receipts.toSorted()).toEqual([`${answer.messageId} DELIVRD`, `${answer.messageId} UNDELIV`])
  expect(client.delivered.map(({ source }) => source.digits).toSorted()).toEqual([PHONE, '37120000003'])
  expect(await multi()).toMatchObject({ status: STATUS.badDestinationCount })
  expect(await multi(address('123'))).toMatchObject({ status: STATUS.badDestination })
  const list = { kind: 'list' as const, name: 'friends' }
  const lists = await client.ask<MultiAnswer>({ ...message, command: 'submit_multi', destinations: [list] })
  expect(lists.status).toBe(STATUS.badListName)
})

test('the id of a submit_multi stands for all of its messages', async () => {
  const { destination: _, ...message } = submitTo(PHONE)
  const multi = async (phones: readonly string[], change: Partial<MultiMessage> = {}) => {
    const destinations = phones.map((digits) => ({ kind: 'address' as const, address: to(digits) }))
    return (await client.ask<MultiAnswer>({ ...message, command: 'submit_multi', destinations, ...change })).messageId
  }
  const stateOf = async (messageId: string) =>
    (await client.ask<QueryAnswer>({ command: 'query_sm', messageId, source: SOURCE })).state
  const cancel = async (messageId: string) => {
    const about = { serviceType: '', source: SOURCE, destination: to('') }
    return (await client.ask<StatusAnswer>({ command: 'cancel_sm', messageId, ...about })).status
  }
  const [ENROUTE, DELIVERED, DELETED, UNDELIVERABLE] = [1, 2, 4, 5] as const
  const both = await multi([PHONE, '37120000100'])
  const mixed = await multi([PHONE, '37120000003'])
  await world.sandbox.pass(2)
  expect(await stateOf(both)).toBe(DELIVERED)
  expect(await stateOf(mixed)).toBe(UNDELIVERABLE)
  expect(await cancel(both)).toBe(STATUS.cancelFailed)
  const planned = await multi([PHONE, '37120000100', '37120000200'], { scheduleTime: '000000001000000R' })
  expect(await stateOf(planned)).toBe(ENROUTE)
  expect(await cancel(planned)).toBe(STATUS.ok)
  expect(await stateOf(planned)).toBe(DELETED)
  await world.sandbox.passInSilence(610)
  expect(client.receipts.filter((receipt) => receipt === `${planned} DELETED`)).toHaveLength(3)
  expect(arrivals()).toHaveLength(4)
})

test('a submit_multi that is repeated by its reference gets the id of the first one', async () => {
  await world.setLogin({ name: 'once', onceByReference: true })
  const once = await world.bound('once')
  const { destination: _, ...message } = submitTo(PHONE)
  const multi = async (reference: number, ...phones: string[]) => {
    const destinations = phones.map((digits) => ({ kind: 'address' as const, address: to(digits) }))
    const tlvs = [{ tag: TAGS.userMessageReference, value: Buffer.of(0, reference) }]
    return (await once.ask<MultiAnswer>({ ...message, command: 'submit_multi', destinations, tlvs })).messageId
  }
  const first = await multi(1, PHONE, '37120000100')
  expect(await multi(1, PHONE, '37120000100')).toBe(first)
  expect(await multi(2, PHONE, '37120000100')).not.toBe(first)
  await world.sandbox.pass(2)
  expect(arrivals()).toHaveLength(4)
})

test('query_sm returns the state of a message, and cancel_sm takes it back before a carrier has it', async () => {
  const query = (messageId: string) => client.ask<QueryAnswer>({ command: 'query_sm', messageId, source: SOURCE })
  const cancel = (messageId: string) =>
    client.ask<StatusAnswer>({
      ...{ command: 'cancel_sm', serviceType: '', messageId, source: SOURCE, destination: to(PHONE) },
    })
  const sent = await client.ask<MessageAnswer>(submitTo(PHONE))
  await world.sandbox.pass(2)
  expect(await query(sent.messageId)).toMatchObject({
    ...{ status: STATUS.ok, messageId: sent.messageId, state: 2 },
    finalDate: expect.stringMatching(/^\d{13}00\+$/),
  })
  expect((await cancel(sent.messageId)).status).toBe(STATUS.cancelFailed)
  const planned = await client.ask<MessageAnswer>(submitTo(PHONE, { scheduleTime: '000000010000000R' }))
  expect(await query(planned.messageId)).toMatchObject({ status: STATUS.ok, state: 1, finalDate: '' })
  expect((await cancel(planned.messageId)).status).toBe(STATUS.ok)
  await eventually('the receipt', () => client.receipts.includes(`${planned.messageId} DELETED`))
  for (const unknown of ['64', '999999999', 'abc', '']) {
    expect((await query(unknown)).status).toBe(STATUS.queryFailed)
    expect((await cancel(unknown)).status).toBe(STATUS.cancelFailed)
  }
  expect((await client.ask<StatusAnswer>({ command: 'replace_sm' })).status).toBe(STATUS.replaceFailed)
})

test('a message is sent at its time, and lives as long as it says', async () => {
  const { clock } = world.sandbox
  const inAnHour = `${new Date(clock.now() + 3_600_000).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}000+`
  const answer = await client.ask<MessageAnswer>(
    submitTo(PHONE, { scheduleTime: inAnHour, validityPeriod: '000000020000000R' }),
  )
  expect(answer.status).toBe(STATUS.ok)
  await world.sandbox.passInSilence(3_590)
  expect(arrivals()).toEqual([])
  await world.sandbox.passInSilence(20)
  expect(arrivals()).toHaveLength(1)
  const trace = await world.sandbox.trace(Number(answer.messageId) as never)
  expect(trace.message.plan[0]?.lifetimeSeconds).toBe(3_600)
})

test.each([
  [0, []],
  [1, ['DELIVRD', 'UNDELIV']],
  [2, ['UNDELIV']],
  [3, ['DELIVRD']],
  [17, ['ACCEPTD', 'ACCEPTD', 'DELIVRD', 'UNDELIV']],
])('registered_delivery %i asks for the receipts %j', async (registeredDelivery, stats) => {
  await client.ask(submitTo(PHONE, { registeredDelivery }))
  await client.ask(submitTo('37120000003', { registeredDelivery }))
  await world.sandbox.pass(3)
  expect(client.receipts.map((each) => each.split(' ')[1]).toSorted()).toEqual(stats)
  const { store } = world.sandbox.gateway
  await eventually('all reports to be settled', async () => (await store.counts()).pendingReports === 0)
})

test('a login that asks for it takes a reference once', async () => {
  await world.setLogin({ name: 'once', onceByReference: true })
  const once = await world.bound('once')
  const message = (reference: number, text = 'hello') =>
    submitTo(PHONE, {
      payload: Buffer.from(text),
      tlvs: [{ tag: TAGS.userMessageReference, value: Buffer.of(0, reference) }],
    })
  const first = await once.ask<MessageAnswer>(message(1))
  expect((await once.ask<MessageAnswer>(message(1))).messageId).toBe(first.messageId)
  expect((await once.ask<MessageAnswer>(message(1, 'other'))).messageId).not.toBe(first.messageId)
  expect((await once.ask<MessageAnswer>(message(2))).messageId).not.toBe(first.messageId)
  await world.sandbox.pass(2)
  expect(arrivals()).toHaveLength(3)
  expect(findTlv(once.delivered[0]?.tlvs ?? [], TAGS.userMessageReference)).toEqual(Buffer.of(0, 1))
})

test('channels and sender are those of the login, without a word of the client about them', async () => {
  await world.setLogin({ name: 'rich', type: 'chatapp+sms', sender: 'SMSTest' })
  const rich = await world.bound('rich')
  const message = { source: { ton: 0, npi: 0, digits: '' } }
  const [first, second] = [PHONE, '37120000002'] as const
  const ids = [
    (await rich.ask<MessageAnswer>(submitTo(first, message))).messageId,
    (await rich.ask<MessageAnswer>(submitTo(second, message))).messageId,
  ]
  await world.sandbox.pass(2)
  expect(arrivals().map(({ phone, channel }) => [phone, channel])).toEqual([
    [first, 'chatapp'],
    [second, 'sms'],
  ])
  expect(rich.receipts.toSorted()).toEqual(ids.map((id) => `${id} DELIVRD`).toSorted())
})

test('an inbound message arrives in parts of SMS size', async () => {
  const { gateway, box, accountId } = world.sandbox
  await gateway.store.change({
    kind: 'set inbound number',
    number: {
      ...{ carrierId: 'sandbox-sms', address: '1234', keyword: null, accountId, hook: 'smpp:shop' },
      ...{ reply: null, replySender: null },
    },
  })
  await gateway.refresh()
  const outcome = await box.smsc.write({ from: PHONE, to: '1234', text: 'Привет' })
  expect(outcome).toMatchObject({ kind: 'answered', answer: { status: 0 } })
  await eventually('the message', () => client.delivered.length > 0)
  const [message] = client.delivered
  if (message === undefined) throw new Error('nothing arrived')
  expect(message).toMatchObject({ esmClass: 0, source: to(PHONE), dataCoding: 8, tlvs: [] })
  expect(readMessageText(message)).toBe('Привет')
})

test('a client that refuses a receipt for now gets it again, and one that refuses it for good does not', async () => {
  const deliverer = await world.bound()
  client.close()
  deliverer.answersWith = STATUS.temporaryAppError
  const first = await deliverer.ask<MessageAnswer>(submitTo(PHONE))
  await world.sandbox.pass(2)
  expect(deliverer.receipts).toEqual([`${first.messageId} DELIVRD`])
  deliverer.answersWith = STATUS.rejectedByApp
  await world.sandbox.pass(10)
  expect(deliverer.receipts).toHaveLength(2)
  await world.sandbox.passInSilence(600)
  expect(deliverer.receipts).toHaveLength(2)
})
