/** `posting/list` and `statement/get`: what the client sees of the money of its account. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { hashKey, makeKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { itemError, sms } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const list = (fields: object = {}) => bench.ask({ type: 'posting/list', ...fields })
const statement = (month: unknown) => bench.ask({ type: 'statement/get', month })
const thisMonth = () => new Date(bench.clock.now()).toISOString().slice(0, 7)
async function openOther(): Promise<string> {
  const secret = makeKey('live', new SeededRandom())
  const account = { ...OTHER, settings: DEFAULT_ACCOUNT_SETTINGS } as const
  const accountId = await bench.store.change({ kind: 'create account', account })
  if (accountId === null) throw new Error('the store made no account')
  await bench.change({ kind: 'add key', key: buildKey({ hash: hashKey(secret), accountId }) })
  return secret
}

const OTHER = { name: 'Other', currency: 'EUR', state: 'active', hookSecrets: [] } as const

test('postings are listed from the newest on, in pages that overlap nowhere and leave none out', async () => {
  for (let id = 0; id < 5; id += 1) await bench.ask(sms({ id }))
  const { data: all } = await list()
  expect(all.postings.map(({ kind }: { kind: string }) => kind)).toEqual([...Array(5).fill('hold'), 'top-up'])
  expect(all.next).toBeNull()
  const seen: unknown[] = []
  let after: string | null = null
  do {
    const { data: page } = await list({ limit: 2, ...(after === null ? {} : { after }) })
    expect(page.postings.length).toBeLessThanOrEqual(2)
    seen.push(...page.postings)
    after = page.next
  } while (after !== null)
  expect(seen).toEqual(all.postings)
})

test('a posting shows its message and what it is for, and nothing of the operator', async () => {
  const { data } = await bench.ask(sms())
  const { data: found } = await list({ limit: 1 })
  expect(found.postings).toEqual([
    {
      at: new Date(bench.clock.now()).toISOString(),
      kind: 'hold',
      amount: 0.05,
      msg_id: data.msg_id,
      channel: null,
      operator: null,
      parts: null,
      note: null,
    },
  ])
  expect(found.next).toMatch(/^\d+$/)
})

test('another account sees its own postings alone', async () => {
  await bench.ask(sms())
  const secret = await openOther()
  const text = JSON.stringify({
    auth: secret,
    data: [{ type: 'posting/list' }, { type: 'statement/get', month: thisMonth() }],
  })
  const { data } = JSON.parse((await bench.postRaw(text)).text)
  expect(data).toMatchObject([{ data: { postings: [] } }, { data: { opening: 0, charges: 0, payments: [] } }])
})

test('a statement adds up, with the payments of its month', async () => {
  await bench.ask(sms())
  const posting = { accountId: bench.accountId, at: bench.clock.now(), by: 'anna' }
  await bench.change({ kind: 'top up', ...posting, amountMicros: toMicros(2_000_000) })
  await bench.change({ kind: 'correct', ...posting, amountMicros: toMicros(-500_000), note: 'Paid twice' })
  const { data } = await statement(thisMonth())
  expect(data).toMatchObject({ month: thisMonth(), currency: 'EUR', closed: false, charges: 0, lines: [] })
  expect(data.closing).toBe(data.opening + data.top_ups + data.corrections - data.charges)
  const at = new Date(bench.clock.now()).toISOString()
  expect(data.payments).toEqual([
    { at, kind: 'top-up', amount: 2, note: null },
    { at, kind: 'correction', amount: -0.5, note: 'Paid twice' },
  ])
  expect(await list({ limit: 1 })).toMatchObject({ data: { postings: [{ kind: 'correction', amount: -0.5 }] } })
})

test.each([
  [{ after: 'x' }, 'after'],
  [{ after: -1 }, 'after'],
  [{ limit: 0 }, 'limit'],
  [{ limit: 501 }, 'limit'],
])('%o is refused, naming the field', async (fields, field) => {
  expect(await list(fields)).toMatchObject({ success: false, code: 'invalid_field', field })
})

test.each(['2026-13', '2026', 202611, '1999-01', '2026-1', ''])('%o is no month', async (month) => {
  expect(await statement(month)).toMatchObject({ success: false, field: 'month' })
})

test('the statement of a month with very many payments is not longer than other lists', async () => {
  const posting = {
    kind: 'top up',
    accountId: bench.accountId,
    at: bench.clock.now(),
    amountMicros: toMicros(10),
  } as const
  for (let count = 0; count < 2_000; count += 1) await bench.change({ ...posting, note: 'ä'.repeat(500) })
  const { data } = await statement(thisMonth())
  expect(data.top_ups).toBe(0.02)
  expect(data.payments.length).toBeGreaterThan(100)
  expect(JSON.stringify(data).length).toBeLessThan(1_048_576)
})

test('a month that has not begun has no statement, and an earlier one is that of no charges', async () => {
  expect(await statement('2099-01')).toEqual(itemError('month: must not be later than this month'))
  expect(await statement('2020-01')).toMatchObject({ data: { month: '2020-01', charges: 0, lines: [] } })
})

test('both need the scope balance and a live key', async () => {
  const both = [{ type: 'posting/list' }, { type: 'statement/get', month: thisMonth() }]
  const askWith = async (mode: 'live' | 'test', key: object) => {
    const secret = makeKey(mode, new SeededRandom())
    await bench.change({
      kind: 'add key',
      key: buildKey({ hash: hashKey(secret), accountId: bench.accountId, ...key }),
    })
    return JSON.parse((await bench.postRaw(JSON.stringify({ auth: secret, data: both }))).text).data
  }
  const lacks = itemError('type: not allowed with this key, which lacks the scope balance')
  expect(await askWith('live', { scopes: ['send'] })).toEqual([lacks, lacks])
  const test = itemError('type: not allowed with a test key')
  expect(await askWith('test', { test: true, name: 't' })).toEqual([test, test])
})
