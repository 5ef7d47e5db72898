/** The traffic class of a message: what its operation, its key and its request say, and who may ask for which. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { classOf } from '../../src/domain/message/message.ts'
import type { TrafficClass } from '../../src/domain/message/traffic-class.ts'
import { hashKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { PHONE, sms } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
  for (const priority of ['otp', 'transactional', 'bulk'] as const) {
    const key = buildKey({ hash: hashKey(priority), accountId: bench.accountId, name: priority, priority })
    await bench.change({ kind: 'add key', key })
  }
})
afterEach(() => bench.stop())

const verify = () => ({ type: 'verify/start', phone: PHONE, channels: ['sms'], sms_signature: 'SMSTest' })
const later = () => ({ send_at: new Date(bench.clock.now() + 3_600_000).toISOString() })

async function askWith(auth: string, item: object) {
  const { text } = await bench.postRaw(JSON.stringify({ auth, data: [item] }))
  return JSON.parse(text).data[0] as { readonly success: boolean; readonly error: string; readonly data: object }
}

/** Sends it under a key; returns the class of the message and where it comes from, or the error. */
async function send(auth: string, item: object): Promise<string> {
  const { success, error, data } = await askWith(auth, item)
  if (!success) return error
  const id = Object.entries(data).find(([name]) => name === 'msg_id' || name === 'verify_id')?.[1] as MessageId
  const [message] = await bench.store.loadMessages([id])
  if (message === undefined) throw new Error(`there is no message ${id}`)
  return `${classOf(message)} by ${message.journey.priority?.by ?? 'operation'}`
}

const refusedAbove = (highest: TrafficClass) => `priority: at most ${highest} with this key`

test('without a priority of the key, the operation says the class, and a request asks for one up to transactional', async () => {
  expect(await send(KEY, sms())).toBe('transactional by operation')
  expect(await send(KEY, verify())).toBe('otp by operation')
  expect(await send(KEY, sms(later()))).toBe('bulk by operation')
  expect(await send(KEY, sms({ priority: 'bulk' }))).toBe('bulk by request')
  expect(await send(KEY, sms({ ...later(), priority: 'transactional' }))).toBe('transactional by request')
  expect(await send(KEY, sms({ priority: 'otp' }))).toBe(refusedAbove('transactional'))
  for (const priority of ['high', 1, ['otp'], '{{class}}'])
    expect(await send(KEY, sms({ priority }))).toBe('priority: must be one of otp, transactional, bulk')
})

test('a key gives its class to everything but mailings, and requests may ask for less', async () => {
  expect(await send('otp', sms())).toBe('otp by key')
  expect(await send('otp', verify())).toBe('otp by key')
  expect(await send('otp', sms(later()))).toBe('bulk by operation')
  expect(await send('otp', sms({ ...later(), priority: 'otp' }))).toBe('otp by request')
  expect(await send('otp', sms({ priority: 'bulk' }))).toBe('bulk by request')
  expect(await send('transactional', verify())).toBe('transactional by key')
  expect(await send('bulk', sms())).toBe('bulk by key')
  expect(await send('bulk', sms({ priority: 'transactional' }))).toBe(refusedAbove('bulk'))
})

test('a bulk asks when it is created, and its lines cannot change that', async () => {
  const create = (auth: string, priority: string) => {
    const { phone: _, id: __, ...message } = sms({ priority })
    return askWith(auth, { type: 'bulk/create', message })
  }
  for (const priority of ['otp', 'transactional'])
    expect(await create(KEY, priority)).toMatchObject({ error: refusedAbove('bulk') })
  expect(await create(KEY, '{{class}}')).toMatchObject({ error: 'priority: must be one of otp, transactional, bulk' })
  expect(await create(KEY, 'bulk')).toMatchObject({ success: true })
  expect(await create('otp', 'transactional')).toMatchObject({ success: true })
  expect(await create('otp', 'otp')).toMatchObject({ error: refusedAbove('transactional') })
})

test('what a send would cost depends on no priority, and a key may ask for the price of what it may send', async () => {
  const price = (priority: string) => askWith(KEY, { ...sms({ priority }), type: 'price', send_type: 'sms' })
  expect(await price('bulk')).toMatchObject({ success: true })
  expect(await price('otp')).toMatchObject({ error: refusedAbove('transactional') })
})
