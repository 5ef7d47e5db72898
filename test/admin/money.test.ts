/**
 * Finance's day over the admin API: prices, money in and out, credit, statements, the margin, the check of the book.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useOwnWorld } from '../support/own-world.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let finance: string
beforeAll(async () => {
  world = await SandboxWorld.start()
  await world.askAdmin('POST', '/users', { body: { user: 'flora', role: 'finance' } })
  const issued = await world.askAdmin('POST', '/users/flora/tokens', { body: { label: 'office' } })
  finance = String(issued.body['token'])
})
afterAll(() => world.stop())

const ask = (method: string, path: string, body?: object) =>
  world.askAdmin(method, path, { token: finance, ...(body === undefined ? {} : { body }) })
const account = () => `/accounts/${world.accountId}`
const month = () => new Date(world.clock.now()).toISOString().slice(0, 7)

test('a cost ends when the next one begins, and one that is over is not set', async () => {
  const cost = { carrier: 'sandbox-sms', prefix: '49', price: 0.03 }
  const next = { ...cost, price: 0.04, from: '2030-01-01' }
  await ask('PUT', '/costs', cost)
  expect(await ask('PUT', '/costs', next)).toMatchObject({
    status: 422,
    body: {
      detail: expect.stringContaining('the cost of sandbox-sms 49… from 2030-01-01 overlaps with the one at all'),
    },
  })
  expect(await ask('PUT', '/costs', { ...next, end_previous: true })).toMatchObject({
    status: 200,
    body: { ...next, operator: null, category: null, until: null },
  })
  expect((await ask('GET', '/costs')).body['data']).toMatchObject([
    { price: 0.03, from: null, until: '2030-01-01' },
    { price: 0.04, from: '2030-01-01', until: null },
  ])
  expect(await ask('PUT', '/costs', { ...cost, prefix: '1', until: '2001-01-01' })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'until', detail: 'must be later than now; to remove a cost: posthorn cost remove' }] },
  })
  const { body } = await world.askAdmin('GET', '/audit?most=2')
  expect(body['data']).toMatchObject([
    { subject: 'cost of sandbox-sms 49…', after: { price: 0.04, from: '2030-01-01' } },
    { subject: 'cost of sandbox-sms 49…', before: { until: null }, after: { until: '2030-01-01' } },
  ])
  for (const from of ['', '&from=2030-01-01']) {
    expect((await ask('DELETE', `/costs?carrier=sandbox-sms&prefix=49${from}`)).status).toBe(204)
  }
})

describe('prices', () => {
  const price = { channel: 'sms', currency: 'EUR', prefix: '49', price: 0.055, from: '2030-01-01' }

  test('are set, listed, and removed by the same key', async () => {
    const set = { ...price, operator: null, until: null, account: null }
    expect(await ask('PUT', '/prices', price)).toMatchObject({ status: 200, body: set })
    const again = await ask('PUT', '/prices', { ...price, from: '2031-01-01' })
    expect(again).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('overlaps with the one from') },
    })
    await ask('PUT', '/prices', { ...price, from: '2031-01-01', end_previous: true })
    const { body } = await ask('GET', '/prices?channel=sms&currency=EUR')
    expect(body['data']).toMatchObject([
      { prefix: '', price: 0.05 },
      { prefix: '49', from: '2030-01-01', until: '2031-01-01' },
      { prefix: '49', from: '2031-01-01', until: null },
    ])
    for (const from of ['2030-01-01', '2031-01-01']) {
      const query = `channel=sms&currency=EUR&prefix=49&from=${from}`
      expect((await ask('DELETE', `/prices?${query}`)).status).toBe(204)
    }
    expect(await ask('DELETE', '/prices?channel=sms&currency=EUR&prefix=49')).toMatchObject({
      status: 422,
      body: { detail: 'there is no such price' },
    })
  })

  test('are read a page at a time', async () => {
    const first = (await ask('GET', '/prices?most=3')).body
    const rest = (await ask('GET', `/prices?most=3&after=${first['next']}`)).body
    expect([first['data'], rest['data']]).toMatchObject([{ length: 3 }, { length: 3 }])
    expect(rest['next']).toBeNull()
  })

  test('are exported in pieces, whole and in order, however many they are', async () => {
    const before = String((await ask('GET', '/tariff?currency=EUR')).body['csv'])
    const prefixes = Array.from({ length: 5_000 }, (_, index) => String(1_000_000 + index))
    const added = prefixes.map((prefix) => `sms,${prefix},,,,0.05\n`).join('')
    expect((await ask('PUT', '/tariff', { currency: 'EUR', csv: before + added })).body).toMatchObject({
      prices: 5_006,
    })
    const response = await fetch(`${world.gateway.adminAddress}/admin/v1/tariff?currency=EUR`, {
      headers: { authorization: `Bearer ${finance}` },
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'transfer-encoding': 'chunked',
      'cache-control': 'no-store',
    })
    const { csv } = (await response.json()) as { csv: string }
    expect(
      csv
        .split('\n')
        .filter((line) => line.startsWith('sms,1'))
        .sort(),
    ).toEqual(added.split('\n').slice(0, -1))
    const { body } = await world.askAdmin('GET', '/configuration')
    const prices = body['prices'] as { prefix: string }[]
    expect(prices.map(({ prefix }) => prefix).filter((prefix) => prefix.startsWith('1'))).toEqual(prefixes)
    const restored = await ask('PUT', '/tariff', { currency: 'EUR', csv: before, confirm: true })
    expect(restored.body).toMatchObject({ applied: true, prices: 6, removed: 5_000 })
  })

  test('go as files, and are copied onto an account at a percentage', async () => {
    const csv = String((await ask('GET', '/tariff?currency=EUR')).body['csv'])
    expect(csv.split('\n')[0]).toBe('channel,prefix,operator,from,until,price')
    const same = (await ask('PUT', '/tariff', { currency: 'EUR', csv })).body
    expect(same).toEqual({ applied: true, prices: 6, added: 0, changed: 0, removed: 0, difference: [] })
    expect((await ask('POST', `${account()}/tariff-copies`, { percent: 90 })).body).toMatchObject({ prices: 6 })
    const own = (await ask('GET', `/prices?account=${world.accountId}&channel=rcs`)).body
    expect(own['data']).toMatchObject([{ price: 0.027, account: world.accountId }])
    const refused = await ask('POST', `${account()}/tariff-copies`, { percent: 90 })
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('has prices of its own') } })
    await ask('PUT', '/tariff', { currency: 'EUR', account: world.accountId, csv: 'channel,price\n', confirm: true })
    const wrong = await ask('PUT', '/tariff', { currency: 'EUR', csv: 'channel,price\nsms,1\nfax,1\n' })
    expect(wrong).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/^line 3: the channel must/) } })
  })
})

describe('a refund', () => {
  test('gives back what a message was charged, with a reason, by finance alone', async () => {
    const sent = await world.sendOne(rcsItem('491701234500'))
    await world.pass(2)
    const path = `/messages/${sent}/refunds`
    const before = Number((await ask('GET', `${account()}/balance`)).body['available'])
    expect(await ask('POST', path, { amount: 0.01, note: 'late' })).toMatchObject({ status: 200 })
    expect(await ask('POST', path, { amount: 5, note: 'late' })).toMatchObject({
      status: 422,
      body: { detail: 'amount: only 0.02 of the charge is left to refund' },
    })
    const { body } = await ask('POST', path, { note: 'a complaint' })
    expect(Number(body['available'])).toBeCloseTo(before + 0.03, 6)
    const { body: trace } = await world.askAdmin('GET', `/messages/${sent}`)
    expect(trace['timeline']).toContainEqual(expect.objectContaining({ event: 'refund', detail: '0.02 EUR' }))
    const { body: details } = await world.askAdmin('GET', `/messages/${sent}/details`)
    expect(details['postings']).toContainEqual(expect.objectContaining({ kind: 'refund', amount: 0.01 }))
    const statement = (await ask('GET', `${account()}/statements/${month()}`)).body
    expect(statement).toMatchObject({ corrections: 0.03, refunds: 0.03 })
    const postings = (await ask('GET', `${account()}/postings?most=2`)).body['data']
    expect(postings).toMatchObject([
      { kind: 'refund', amount: 0.02, message: sent, note: 'a complaint' },
      { kind: 'refund' },
    ])
    const { data } = (await world.ask([{ type: 'posting/list', limit: 1 }])) as { data: readonly object[] }
    expect(data).toMatchObject([{ data: { postings: [{ kind: 'correction', amount: 0.02, msg_id: sent }] } }])
    expect((await ask('POST', path, {})).status).toBe(400)
    expect((await ask('POST', '/messages/99999999/refunds', { note: 'x' })).status).toBe(404)
  })
})

describe('money', () => {
  test('topping up, correcting and credit: every posting names its user', async () => {
    const { body: made } = await world.askAdmin('POST', '/accounts', { body: { name: 'Bakery' } })
    const bakery = `/accounts/${made['account']}`
    const toppedUp = await ask('POST', `${bakery}/top-ups`, { amount: 250.5, note: 'transfer 4711' })
    expect(toppedUp).toMatchObject({ status: 200, body: { available: 250.5, credit_limit: 0 } })
    const corrected = await ask('POST', `${bakery}/corrections`, { amount: -250.5, note: 'booked twice' })
    expect(corrected.body).toMatchObject({ available: 0 })
    expect((await ask('PUT', `${bakery}/credit-limit`, { credit_limit: 12.5 })).body).toMatchObject({
      ...{ available: 0, credit_limit: 12.5 },
    })
    const { body } = await ask('GET', `${bakery}/postings`)
    expect(body['data']).toMatchObject([
      { kind: 'correction', amount: -250.5, by: 'flora', note: 'booked twice', message: null },
      { kind: 'top-up', amount: 250.5, by: 'flora', note: 'transfer 4711' },
    ])
    const audit = await world.askAdmin(
      'GET',
      `/audit?subject=${encodeURIComponent(`money of account ${made['account']}`)}`,
    )
    expect(audit.body['data']).toMatchObject([
      { action: 'setCreditLimit', before: { credit_limit: 0 }, after: { credit_limit: 12.5 } },
      { action: 'correct', after: { correction: -250.5, note: 'booked twice' } },
      { action: 'topUp', after: { top_up: 250.5, note: 'transfer 4711' } },
    ])
  })

  test('is not moved twice by a request that is repeated', async () => {
    const topUp = () =>
      world.askAdmin('POST', `${account()}/top-ups`, {
        token: finance,
        body: { amount: 1 },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await topUp(), await topUp()]
    expect(second.body).toEqual(first.body)
    await ask('POST', `${account()}/corrections`, { amount: -1, note: 'a trial' })
  })

  test.each([
    ['POST', 'top-ups', { amount: '5' }, 400, 'some fields are invalid'],
    ['POST', 'top-ups', { amount: 0.0000001 }, 422, 'amount: must be a decimal number'],
    [
      'POST',
      'top-ups',
      { amount: -1 },
      422,
      'amount: must be greater than 0; posthorn account correct takes money away',
    ],
    ['POST', 'corrections', { amount: 1 }, 400, 'some fields are invalid'],
    ['POST', 'corrections', { amount: 1, note: '' }, 400, 'some fields are invalid'],
    ['POST', 'corrections', { amount: -5000, note: 'x' }, 422, 'has less than that to spend'],
    ['PUT', 'credit-limit', { credit_limit: -1 }, 400, 'some fields are invalid'],
    ['GET', 'statements/2026-1', undefined, 400, 'some fields are invalid'],
    ['GET', 'statements/2026-01?zone=Mars', undefined, 422, 'zone: must be a time zone'],
    ['GET', 'statements/2026-01/csv?zone=%2B05:30', undefined, 400, 'some fields are invalid'],
  ])('%s %s %j is refused and moves nothing', async (method, path, body, status, detail) => {
    const before = (await ask('GET', `${account()}/balance`)).body
    expect(await ask(method, `${account()}/${path}`, body)).toMatchObject({
      status,
      body: { detail: expect.stringContaining(detail) },
    })
    expect((await ask('GET', `${account()}/balance`)).body).toEqual(before)
  })

  test('is for finance, and its prices too', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'otto', role: 'operator' } })
    const { token } = (await world.askAdmin('POST', '/users/otto/tokens', { body: { label: 'office' } })).body
    const asOperator = (method: string, path: string, body: object) =>
      world.askAdmin(method, path, { token: String(token), body })
    expect((await asOperator('POST', `${account()}/top-ups`, { amount: 1 })).status).toBe(403)
    expect((await asOperator('PUT', '/prices', {})).status).toBe(403)
    expect((await asOperator('PUT', `${account()}/credit-limit`, { credit_limit: 1 })).status).toBe(403)
  })
})

test('a statement and the margin say what was sent, and the book is right', async () => {
  const [shared, token] = [world, finance]
  await useOwnWorld(shared, (used) => {
    world = used
    finance = used === shared ? token : used.adminToken
  })
  await ask('POST', `${account()}/top-ups`, { amount: 250.5, note: 'transfer 4711' })
  await ask('POST', `${account()}/corrections`, { amount: -250.5, note: 'booked twice' })
  await ask('PUT', '/costs', { carrier: 'sandbox-rcs', price: 0.02 })
  await ask('PUT', '/costs', { carrier: 'sandbox-sms', prefix: '49', price: 0.031, currency: 'USD' })
  expect((await ask('GET', '/costs')).body['data']).toMatchObject([
    { carrier: 'sandbox-rcs', prefix: '', price: 0.02, currency: null },
    { carrier: 'sandbox-sms', prefix: '49', price: 0.031, currency: 'USD' },
  ])
  await world.send(rcsItem('491701234500'), rcsItem('491701234501'), chainItem('491701234502'))
  await world.pass(2)
  const charges = { messages: 1, parts: 1, operator: '26201', operator_name: 'T-Mobile' }
  const statement = (await ask('GET', `${account()}/statements/${month()}`)).body
  expect(statement).toMatchObject({
    ...{ account: world.accountId, currency: 'EUR', month: month(), closed: false, opening: 0 },
    ...{ top_ups: 1250.5, corrections: -250.5, charges: 0.08, closing: 999.92 },
    lines: [
      { channel: 'rcs', amount: 0.03, ...charges },
      { channel: 'sms', amount: 0.05, ...charges },
    ],
  })
  const operators = { csv: 'prefix,operator,name\n4917,26201,Example Mobile\n', confirm: true }
  expect((await world.askAdmin('PUT', '/operators', { body: operators })).status).toBe(200)
  const named = (await ask('GET', `${account()}/statements/${month()}`)).body
  expect(named['lines']).toMatchObject([{ operator_name: 'Example Mobile' }, { operator_name: 'Example Mobile' }])
  const { csv } = (await ask('GET', `${account()}/statements/${month()}/csv`)).body
  const lines = String(csv).trim().split('\n')
  const amounts = lines.slice(1).map((line) => Number(line.split(',')[8]))
  expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(999.92, 6)
  expect(lines.at(-1)).toBe(`${month()},${world.accountId},closing balance,,,,,,999.92,EUR,,UTC`)
  expect(lines).toContain(`${month()},${world.accountId},charge,,sms,26201,1,1,-0.05,EUR,,UTC`)

  const inKolkata = `${account()}/statements/${month()}?zone=Asia/Kolkata`
  const closing = { zone: 'Asia/Kolkata', charges: 0.08, closing: 999.92 }
  expect((await ask('GET', inKolkata)).body).toMatchObject(closing)
  const inKolkataCsv = `${account()}/statements/${month()}/csv?zone=Asia/Kolkata`
  expect(String((await ask('GET', inKolkataCsv)).body['csv']).trim()).toMatch(/,999\.92,EUR,,Asia\/Kolkata$/)

  expect((await ask('GET', `/margin?from=${month()}`)).body['data']).toEqual([
    {
      ...{ account: world.accountId, channel: 'rcs', carrier: 'sandbox-rcs', messages: 1, parts: 1 },
      ...{ revenue: 0.03, currency: 'EUR', cost: 0.02, cost_currency: 'EUR', margin: 0.01 },
    },
    {
      ...{ account: world.accountId, channel: 'sms', carrier: 'sandbox-sms', messages: 1, parts: 1 },
      ...{ revenue: 0.05, currency: 'EUR', cost: 0.031, cost_currency: 'USD', margin: null },
    },
  ])
  const errors = [{ field: 'from', detail: 'must be at most 24 months before the end' }]
  expect(await ask('GET', '/margin?from=2024-10&through=2026-10')).toMatchObject({ status: 422, body: { errors } })
  expect((await ask('GET', '/margin?from=2024-11&through=2026-10')).status).toBe(200)
  expect((await ask('GET', '/ledger/faults')).body).toEqual({ data: [] })
})

test('money on hold is summed up by currency, over all accounts or of one', async () => {
  const add = (body: object) => world.askAdmin('POST', '/accounts', { body })
  const inDollars = (await add({ name: 'Dollars', currency: 'USD' })).body['account']
  const closed = (await add({ name: 'Gone', currency: 'CHF' })).body['account']
  await world.askAdmin('POST', `/accounts/${closed}/closing`, { body: { name: 'Gone' } })
  const euros = (held: number, accounts: number) => ({ currency: 'EUR', held, accounts })
  const dollars = { currency: 'USD', held: 0, accounts: 0 }
  const holds = async (query = '') => (await ask('GET', `/ledger/holds${query}`)).body
  expect(await holds()).toEqual({ data: [euros(0, 0), dollars] })

  const other = (await add({ name: 'Other' })).body['account']
  const send_at = new Date(world.clock.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z')
  await world.send(rcsItem('491701270001', { send_at }), rcsItem('491701270002', { send_at }))
  expect(await holds()).toEqual({ data: [euros(0.06, 1), dollars] })
  expect(await holds(`?account=${world.accountId}`)).toEqual({ data: [euros(0.06, 1)] })
  expect(await holds(`?account=${other}`)).toEqual({ data: [euros(0, 0)] })
  expect(await holds(`?account=${inDollars}`)).toEqual({ data: [dollars] })
  expect(await holds(`?account=${closed}`)).toEqual({ data: [{ currency: 'CHF', held: 0, accounts: 0 }] })
  expect((await ask('GET', '/ledger/holds?account=999')).status).toBe(404)
  await world.askAdmin('POST', '/users', { body: { user: 'sue', role: 'support' } })
  const { token } = (await world.askAdmin('POST', '/users/sue/tokens', { body: { label: 'office' } })).body
  expect((await world.askAdmin('GET', '/ledger/holds', { token: String(token) })).status).toBe(403)
})
