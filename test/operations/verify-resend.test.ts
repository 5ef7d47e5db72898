/** `verify/resend`: what is planned, counted and refused. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { advance } from '../../src/domain/journey/journey.ts'
import { hashKey, makeKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { itemError, PHONE, rcs } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const start = (fields: object = {}) => ({ type: 'verify/start', phone: PHONE, sms_signature: 'SMSTest', ...fields })
const resend = (verify_id: unknown, fields: object = {}) => ({ type: 'verify/resend', verify_id, ...fields })

/** Starts a verification whose SMS a carrier has taken. */
async function begin(fields: object = {}): Promise<MessageId> {
  const id = (await bench.ask(start(fields))).data.verify_id as MessageId
  await take(id)
  return id
}

async function take(id: MessageId): Promise<void> {
  const [message] = await bench.store.loadMessages([id])
  const verdicts = [{ kind: 'taken', ref: `sms-${id}`, part: 0 }] as const
  const answered = { kind: 'answered', step: 0, carrierId: 'sms', verdicts, anotherLeft: false, jitter: 0 } as const
  const turn = message && advance(message, { ...answered, at: bench.clock.now() })
  if (turn) await bench.store.record([{ turn, held: false, reportsHeld: false, clickedCode: null }])
}

test('a repeat has the sender, the text and the operator of the first, and no report of its own', async () => {
  const id = await begin({ text: 'Shop: {code}' })
  const result = await bench.ask(resend(id, { id: 'again' }))
  const [first, again] = bench.outbox.taken
  expect(result).toMatchObject({ success: true, data: { id: 'again', verify_id: id, msg_id: again?.id, price: 0.05 } })
  expect(again).toMatchObject({ phone: first?.phone, operator: first?.operator, journey: { repeats: id } })
  expect(again?.plan[0]).toMatchObject({ sender: 'SMSTest', content: first?.plan[0]?.content })
  expect(again?.journey.verification).toBeUndefined()
})

test('a code that no carrier has yet is not sent twice', async () => {
  const { data } = await bench.ask(start())
  expect(await bench.ask(resend(data.verify_id))).toEqual(
    itemError('The code is on its way to a carrier, try again later'),
  )
  expect(bench.outbox.taken).toHaveLength(1)
})

test('a request under one key is executed once, also if its answer was lost', async () => {
  const id = await begin()
  const headers = { 'Idempotency-Key': 'again-17' }
  const first = await bench.ask(resend(id), { headers })
  expect(await bench.ask(resend(id), { headers })).toEqual(first)
  expect(bench.outbox.taken).toHaveLength(2)
})

test('of a request that was lost the next channel follows once', async () => {
  const id = (await bench.ask(start({ channels: ['call', 'rcs', 'sms'], rcs_signature: 'RCSTest' }))).data.verify_id
  const headers = { 'Idempotency-Key': 'again-18' }
  const accept = bench.store.accept.bind(bench.store)
  bench.store.accept = () => Promise.reject(new Error('the connection was lost'))
  expect(await bench.post([resend(id)], { headers })).toMatchObject({ success: false })
  bench.store.accept = accept
  expect(await bench.ask(resend(id), { headers })).toMatchObject({ data: { msg_id: id, channel: 'rcs' } })
  expect((await bench.store.loadMessages([id]))[0]?.journey.step).toBe(1)
})

test('without money it is refused, and the verification stays as it is', async () => {
  const poor = await startClientBench({ balanceMicros: 50_000 })
  const rich = bench
  bench = poor
  const id = await begin()
  expect(await bench.ask(resend(id))).toEqual(itemError('Insufficient funds'))
  expect((await bench.store.loadMessages([id]))[0]?.journey.verification).toMatchObject({ state: 'pending' })
  bench = rich
  await poor.stop()
})

test('it counts as another verification of the phone, and the fourth of one code is refused', async () => {
  const id = await begin()
  const { data } = await bench.post(Array.from({ length: 4 }, () => resend(id)))
  expect(data[2]).toMatchObject({ success: true })
  expect(data[3]).toEqual(itemError('verify_id: this code was sent again too often, start another verification'))
  expect(await bench.ask(start())).toMatchObject({ success: true })
  expect(await bench.ask(start())).toMatchObject({
    error: 'phone: too many verifications of this number, try again later',
  })
})

test('a sender that was taken away sends no code again', async () => {
  const id = await begin()
  const sender = approvedSender(bench.accountId, 'sms', 'SMSTest')
  await bench.change({ kind: 'set sender', sender: { ...sender, state: 'rejected' } })
  expect(await bench.ask(resend(id))).toMatchObject({ success: false, error: 'Error in Alpha-name' })
})

test('only a verification of the account and of the mode of the key is sent again, with the scope otp', async () => {
  const id = await begin()
  const sent = (await bench.ask(rcs())).data.msg_id
  const notFound = itemError('Verification not found')
  expect(await bench.ask(resend(sent))).toEqual(notFound)
  expect(await bench.ask(resend(64))).toEqual(notFound)
  expect(await bench.ask(resend('x'))).toMatchObject({ success: false, field: 'verify_id' })
  const askWith = async (key: object) => {
    const secret = makeKey('live', new SeededRandom())
    await bench.change({
      kind: 'add key',
      key: buildKey({ hash: hashKey(secret), accountId: bench.accountId, ...key }),
    })
    return JSON.parse((await bench.postRaw(JSON.stringify({ auth: secret, data: [resend(id)] }))).text).data[0]
  }
  expect(await askWith({ test: true, name: 't' })).toEqual(notFound)
})

test('a test key has its code sent again for nothing', async () => {
  const secret = makeKey('test', new SeededRandom())
  await bench.change({
    kind: 'add key',
    key: buildKey({ hash: hashKey(secret), accountId: bench.accountId, test: true, name: 't' }),
  })
  const ask = async (item: object) =>
    JSON.parse((await bench.postRaw(JSON.stringify({ auth: secret, data: [item] }))).text).data[0]
  const id = (await ask(start())).data.verify_id
  await take(id)
  expect(await ask(resend(id))).toMatchObject({ data: { verify_id: id, channel: 'sms', price: 0 } })
  expect(bench.outbox.taken.at(-1)).toMatchObject({ test: true, journey: { heldMicros: 0 } })
})
