/** Long messages in parts: each part is acknowledged by itself, and together they are one message of the account. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../../src/domain/ids/message-id.ts'
import { encodeGsm } from '../../../src/domain/text/gsm-alphabet.ts'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import {
  type Concatenation,
  UDH_INDICATOR,
  writeConcatenation,
  writeSar,
  writeWideConcatenation,
} from '../../../src/wire/smpp/concatenation.ts'
import type { MessageAnswer, QueryAnswer, ShortMessage, StatusAnswer } from '../../../src/wire/smpp/pdu.ts'
import { TAGS } from '../../../src/wire/smpp/tlv.ts'
import { eventually } from '../../support/eventually.ts'
import type { SandboxWorld } from '../../support/sandbox-world.ts'
import { type SmppClient, submitTo } from '../../support/smpp-client.ts'
import { SmppWorld } from '../../support/smpp-world.ts'

let smpp: SmppWorld
let world: SandboxWorld
let client: SmppClient
beforeEach(async () => {
  smpp = await SmppWorld.start()
  world = smpp.sandbox
  client = await smpp.bound()
})
afterEach(() => smpp.stop())

const PHONE = '37120000000'

type Form = (joined: Concatenation, text: string) => Partial<ShortMessage>
const header =
  (write: (joined: Concatenation) => Uint8Array): Form =>
  (joined, text) => ({ esmClass: UDH_INDICATOR, payload: Buffer.concat([write(joined), encodeGsm(text)]) })
const FORMS: Readonly<Record<string, Form>> = {
  'headers of 8 bits': header(writeConcatenation),
  'headers of 16 bits': header(writeWideConcatenation),
  'optional parameters': (joined, text) => ({ payload: encodeGsm(text), tlvs: writeSar(joined) }),
}

async function submitPart(form: Form, joined: Concatenation, text: string, change: Partial<ShortMessage> = {}) {
  const answer = await client.ask<MessageAnswer>(submitTo(PHONE, { ...form(joined, text), ...change }))
  expect(answer.status).toBe(STATUS.ok)
  return answer.messageId
}

/** What the server gives to the store for the parts of a message. */
const joinedBy = (reference: number, total: number) => JSON.stringify(['SMSTest', PHONE, reference, total])
const [A, B, C] = ['a'.repeat(153), 'b'.repeat(153), 'c'.repeat(10)] as const
const eight = FORMS['headers of 8 bits'] as Form

test.each(Object.entries(FORMS))('parts with %s become one message', async (_name, form) => {
  const before = await world.balances()
  const ids = [
    await submitPart(form, { reference: 7, total: 3, number: 1 }, A, { registeredDelivery: 0 }),
    await submitPart(form, { reference: 7, total: 3, number: 3 }, C),
    await submitPart(form, { reference: 7, total: 3, number: 2 }, B),
  ]
  expect(new Set(ids).size).toBe(3)
  await world.pass(3)
  // The simulated SMSC gets it in parts, as its carrier sends it.
  expect(world.box.traffic.arrivals.map(({ text }) => text).join('')).toBe(A + B + C)
  expect(client.receipts).toEqual([`${ids[2]} DELIVRD`, `${ids[1]} DELIVRD`])
  const { rows } = await world.gateway.store.page({
    of: 'messages',
    accountId: world.accountId,
    phone: null,
    status: null,
    after: null,
    limit: 9,
  })
  expect(rows).toHaveLength(1)
  expect(before.available - (await world.balances()).available).toBeGreaterThan(0)
})

test('a message that is refused when its last part came is a receipt to each part that asked', async () => {
  const from = { source: { ton: 5, npi: 0, digits: 'Other' } }
  const first = await submitPart(eight, { reference: 1, total: 2, number: 1 }, A, { ...from, registeredDelivery: 0 })
  const second = await submitPart(eight, { reference: 1, total: 2, number: 2 }, B, from)
  expect(first).not.toBe(second)
  await eventually('the receipt', () => client.receipts.length > 0)
  expect(client.receipts).toEqual([`${second} REJECTD`])
})

test('a part that never comes is a receipt to the others, after ten minutes', async () => {
  const first = await submitPart(eight, { reference: 1, total: 2, number: 1 }, A)
  await world.passInSilence(590)
  expect(client.receipts).toEqual([])
  await world.passInSilence(30)
  expect(client.receipts).toEqual([`${first} UNDELIV`])
  expect(world.box.traffic.arrivals).toEqual([])
})

test('a part that is repeated keeps its id, and a new message with the same reference ends the old one', async () => {
  const joined = { reference: 1, total: 2, number: 1 }
  const first = await submitPart(eight, joined, A)
  expect(await submitPart(eight, joined, A)).toBe(first)
  const other = await submitPart(eight, joined, B)
  expect(other).not.toBe(first)
  await submitPart(eight, { ...joined, number: 2 }, C, { registeredDelivery: 0 })
  await world.pass(3)
  expect(client.receipts.toSorted()).toEqual([`${first} UNDELIV`, `${other} DELIVRD`].toSorted())
  expect(world.box.traffic.arrivals.map(({ text }) => text).join('')).toBe(B + C)
})

test('a part that is repeated after its message was accepted is no part of the next one', async () => {
  const [one, two] = [
    { reference: 1, total: 2, number: 1 },
    { reference: 1, total: 2, number: 2 },
  ]
  const ids = [await submitPart(eight, one, A), await submitPart(eight, two, C)]
  await world.pass(3)
  expect(await submitPart(eight, two, C)).toBe(ids[1])
  const next = [await submitPart(eight, one, B), await submitPart(eight, two, C, { registeredDelivery: 0 })]
  await world.pass(3)
  expect(world.box.traffic.arrivals.map(({ text }) => text).join('')).toBe(A + C + B + C)
  expect(client.receipts).toEqual([...ids, next[0]].map((id) => `${id} DELIVRD`))
})

test('a whole message that is repeated at once is sent once, and charged once', async () => {
  const submitBoth = async () => [
    await submitPart(eight, { reference: 1, total: 2, number: 1 }, A),
    await submitPart(eight, { reference: 1, total: 2, number: 2 }, C),
  ]
  const ids = await submitBoth()
  await world.pass(3)
  const before = await world.balances()
  expect(await submitBoth()).toEqual(ids)
  await world.passInSilence(700)
  expect(await world.balances()).toEqual(before)
  expect(client.receipts).toEqual(ids.map((id) => `${id} DELIVRD`))
})

test('a login that takes a reference once takes a long message once, under the same ids, also much later', async () => {
  await smpp.setLogin({ name: 'once', onceByReference: true })
  client = await smpp.bound('once')
  const tlvs = [{ tag: TAGS.userMessageReference, value: Buffer.of(0, 7) }]
  const submitBoth = async (reference: number, text = C) => [
    await submitPart(eight, { reference, total: 2, number: 1 }, A, { tlvs }),
    await submitPart(eight, { reference, total: 2, number: 2 }, text, { tlvs }),
  ]
  const ids = await submitBoth(1)
  await world.passInSilence(700)
  expect(await submitBoth(2)).toEqual(ids)
  expect(await submitPart(eight, { reference: 3, total: 2, number: 2 }, C, { tlvs })).toBe(ids[1])
  await world.passInSilence(700)
  expect(world.box.traffic.arrivals.map(({ text }) => text).join('')).toBe(A + C)
  expect(client.receipts.toSorted()).toEqual(ids.map((id) => `${id} DELIVRD`).toSorted())
  const others = await submitBoth(4, B)
  expect(others[1]).not.toBe(ids[1])
  await world.pass(3)
  expect(world.box.traffic.arrivals.map(({ text }) => text).join('')).toBe(A + C + A + B)
})

const query = (messageId: string) =>
  client.ask<QueryAnswer>({ command: 'query_sm', messageId, source: { ton: 5, npi: 0, digits: 'SMSTest' } })
const cancel = async (messageId: string) => {
  const { source, destination } = submitTo(PHONE)
  return (await client.ask<StatusAnswer>({ command: 'cancel_sm', serviceType: '', messageId, source, destination }))
    .status
}
const [ENROUTE, DELIVERED, DELETED] = [1, 2, 4] as const

test('the id of each part stands for the message, before and after the last part came', async () => {
  const ids = [await submitPart(eight, { reference: 1, total: 2, number: 1 }, A)]
  expect(await query(String(ids[0]))).toMatchObject({ status: STATUS.ok, messageId: ids[0], state: ENROUTE })
  ids.push(await submitPart(eight, { reference: 1, total: 2, number: 2 }, C))
  await world.pass(3)
  await world.stopGateway()
  await world.startGateway()
  client = await smpp.bound()
  for (const id of ids) {
    expect(await query(id)).toMatchObject({ status: STATUS.ok, messageId: id, state: DELIVERED })
    expect(await cancel(id)).toBe(STATUS.cancelFailed)
  }
})

test('a message is cancelled by the id of any of its parts, before and after the last part came', async () => {
  const first = await submitPart(eight, { reference: 1, total: 2, number: 1 }, A)
  expect(await cancel(first)).toBe(STATUS.ok)
  await eventually('the receipt', () => client.receipts.includes(`${first} DELETED`))
  expect(await cancel(first)).toBe(STATUS.cancelFailed)
  const planned = { scheduleTime: '000000001000000R' }
  const ids = [
    await submitPart(eight, { reference: 2, total: 2, number: 1 }, A, planned),
    await submitPart(eight, { reference: 2, total: 2, number: 2 }, C, planned),
  ]
  await eventually('the message', async () => (await cancel(String(ids[1]))) === STATUS.ok)
  expect(await query(String(ids[0]))).toMatchObject({ state: DELETED })
  await world.passInSilence(610)
  expect(client.receipts.toSorted()).toEqual([first, ...ids].map((id) => `${id} DELETED`).toSorted())
  expect(world.box.traffic.arrivals).toEqual([])
})

test('a message that a gateway had not accepted when it ended is accepted by the next one, once', async () => {
  const id = await submitPart(eight, { reference: 1, total: 2, number: 1 }, A)
  const [[part] = []] = await world.gateway.store.oldParts(Number.MAX_SAFE_INTEGER)
  if (part === undefined) throw new Error('no part is stored')
  await world.stopGateway()
  await world.startGateway()
  const second = { ...part, number: 2, partId: (part.partId + 64) as MessageId, text: C }
  await world.gateway.store.keepPart({ ...second, joinedBy: joinedBy(1, 2), once: null })
  client = await smpp.bound()
  await world.pass(15)
  expect(world.box.traffic.arrivals.map(({ text }) => text).join('')).toBe(A + C)
  expect(client.receipts).toEqual([`${id} DELIVRD`, `${second.partId} DELIVRD`])
  expect(await world.gateway.store.oldParts(Number.MAX_SAFE_INTEGER)).toEqual([])
})
