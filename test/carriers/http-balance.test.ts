/** The balance of our account at a generic HTTP carrier: asked in turn, shown, and never in the way of messages. */
import { afterEach, expect, test } from 'vitest'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import { carrierBalanceConditions } from '../../src/domain/alarms/alarm-conditions.ts'
import type { DoubleAnswer } from '../../src/simulator/server/http-double.ts'
import { eventually } from '../support/eventually.ts'
import { HttpUpstream } from '../support/http-upstream.ts'

const NOW = Date.UTC(2026, 0, 1)

let upstream: HttpUpstream | null = null

afterEach(async () => {
  await upstream?.stop()
  upstream = null
})

/** @param answers to the requests of the balance, in turn; the last one stays. */
async function begin(balance: object, ...answers: readonly DoubleAnswer[]) {
  const left = [...answers]
  const started = await HttpUpstream.start(
    (address) => ({
      request: { address: `${address}/send`, json: { text: '{{text}}' } },
      answer: { id: 'ours' },
      balance: {
        request: { method: 'GET', address: `${address}/balance`, auth: { kind: 'bearer', token: 'T' } },
        amount: { path: 'data.balance' },
        currency: { path: 'data.currency' },
        low: 5.5,
        ...balance,
      },
    }),
    ({ path }) => (path === '/balance' ? ((left.length > 1 ? left.shift() : left[0]) ?? OK) : OK),
  )
  upstream = started
  const asked = () => started.seen.filter(({ path }) => path === '/balance')
  const balanceOf = () => started.carrier.balance?.()
  const { parts, carrier } = started
  return { parts, carrier, asked, balanceOf, send: started.send.bind(started) }
}

const OK = { status: 200, body: '{}' }
const has = (balance: unknown, currency?: unknown): DoubleAnswer => ({
  status: 200,
  body: JSON.stringify({ data: { balance, currency } }),
})

test('is asked at the start and every ten minutes', async () => {
  const { balanceOf, asked, parts } = await begin({}, has('12.50', 'EUR'), has(3, 'EUR'))
  await eventually('the first answer', () => balanceOf()?.amount === '12.50')
  expect(balanceOf()).toEqual({ amount: '12.50', currency: 'EUR', at: NOW, low: 5.5, error: null })
  expect(asked()).toMatchObject([{ method: 'GET', headers: { authorization: 'Bearer T' } }])
  parts.clock.advance(599_999)
  expect(asked()).toHaveLength(1)
  parts.clock.advance(1)
  await eventually('the second answer', () => balanceOf()?.amount === '3')
  expect(balanceOf()).toMatchObject({ at: NOW + 600_000 })
})

test('is asked now if an operator wants it, at most every five seconds, and then in turn again', async () => {
  const { asked, balanceOf, parts, carrier } = await begin({}, has('12.50'), has('9'), has('8'))
  await eventually('the first answer', () => balanceOf()?.amount === '12.50')
  expect(await carrier.askBalance?.()).toMatchObject({ amount: '12.50' })
  parts.clock.advance(5_000)
  const both = await Promise.all([carrier.askBalance?.(), carrier.askBalance?.()])
  expect(both).toMatchObject([{ amount: '9' }, { amount: '9' }])
  expect(asked()).toHaveLength(2)
  parts.clock.advance(595_000)
  expect(asked()).toHaveLength(2)
  parts.clock.advance(5_000)
  await eventually('the next answer', () => balanceOf()?.amount === '8')
  expect(asked()).toHaveLength(3)
})

test('may be a word of a text, without a currency', async () => {
  const body = '{"UserData":{"balance":"KES 1785.50"}}'
  const amount = { pattern: '"balance":"[A-Z][A-Z][A-Z] ([\\d.]+)"' }
  const { balanceOf } = await begin({ amount, currency: { pattern: '"balance":"([A-Z]+)' } }, { status: 200, body })
  await eventually('the answer', () => balanceOf()?.amount === '1785.50')
  expect(balanceOf()).toMatchObject({ currency: 'KES' })
})

test.each<[string, DoubleAnswer, string]>([
  ['a refusal', { status: 401, body: '{"data":{"balance":1}}' }, 'HTTP 401'],
  ['an error page', { status: 200, body: '<html>' }, 'HTTP 200 without an amount'],
  ['a word', has('unlimited'), 'HTTP 200 without an amount'],
  ['a number with other digits', has('1.234,50'), 'HTTP 200 without an amount'],
  ['an endless number', has('9'.repeat(40)), 'HTTP 200 without an amount'],
])('keeps the last amount after %s, and messages are sent on', async (_name, answer, error) => {
  const { balanceOf, carrier, send, parts } = await begin({ every: 60 }, has('-2'), answer)
  await eventually('the first answer', () => balanceOf()?.amount === '-2')
  parts.clock.advance(60_000)
  await eventually('the error', () => balanceOf()?.error !== null)
  expect(balanceOf()).toMatchObject({ amount: '-2', at: NOW, error: expect.stringContaining(error) })
  expect(carrier.state()).toMatchObject({ up: true, lastError: null })
  const { verdicts } = await send({})
  expect(verdicts).toMatchObject([{ kind: 'taken' }])
  const { lines } = parts.log
  expect(lines.filter(({ line }) => line === 'the balance at the carrier is unknown')).toHaveLength(1)
})

test('is not asked any more after the carrier has stopped, nor without settings', async () => {
  const { carrier, asked, balanceOf, parts } = await begin({}, has(1))
  await eventually('the first answer', () => balanceOf()?.amount === '1')
  await carrier.stop()
  parts.clock.advance(3_600_000)
  expect(asked()).toHaveLength(1)
})

test.each([
  [{ every: 59 }, 'balance.every: should be a whole number of seconds from 60'],
  [{ low: -1 }, 'balance.low: should be a number'],
  [{ low: '5' }, 'balance.low: should be a number'],
  [{ amount: {} }, 'balance.amount.path: should be text'],
  [{ request: { address: 'x' } }, 'balance.request.address: should be an http or https address'],
])('needs settings: %j', (change, complaint) => {
  const request = { address: 'https://a.example/' }
  const balance = { request, amount: { path: 'a' }, ...change }
  expect(() => readHttpSettings({ request, answer: { id: 'ours' }, balance })).toThrow(complaint)
})

test('opens an alarm below the limit, unless the carrier is drained or the balance is unknown', () => {
  const carrier = { id: 'up', draining: false, balance: { amount: '5.49', currency: 'EUR', low: 5.5 } }
  const detail = '5.49 EUR are left at the carrier, less than 5.5'
  expect(carrierBalanceConditions([carrier])).toEqual([
    { kind: 'balance_low', subject: 'carrier up', severity: 'critical', detail },
  ])
  const { balance } = carrier
  const others = [
    { ...carrier, draining: true },
    { ...carrier, balance: null },
    ...[
      { ...balance, amount: '5.50' },
      { ...balance, amount: null },
      { ...balance, low: null },
    ].map((each) => ({ ...carrier, balance: each })),
  ]
  expect(carrierBalanceConditions(others)).toEqual([])
})
