/** An operator reads how traffic went: what was asked, taken, delivered, for how much, and how long it took. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printResult } from '../../src/cli/command/write-answer.ts'
import { endpointNamed } from '../../src/operations/admin/endpoints.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { ClientAccount } from '../support/client-account.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const DELIVERED = '491701800100'
const SMS = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'x'.repeat(161) }
const CHAIN = {
  type: 'rcs+sms',
  ...{ rcs_signature: 'RCSTest', rcs_message: 'Hello' },
  ...{ sms_signature: 'SMSTest', sms_message: 'Hello' },
}

const NO_COUNTS = { asked: 0, taken: 0, delivered: 0, read: 0, failed: 0, fallen_back: 0, price: 0 }

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  for (const message of [SMS, SMS, CHAIN]) {
    const body = { message: { ...message, phone: DELIVERED }, test: false }
    expect((await world.askAdmin('POST', '/accounts/1/messages', { body })).status).toBe(200)
  }
  await world.askAdmin('POST', '/accounts/1/messages', { body: { message: { ...SMS, phone: DELIVERED }, test: true } })
  await world.pass(60)
})
afterAll(() => world.stop())

async function lines(query = ''): Promise<readonly Record<string, unknown>[]> {
  const { status, body } = await world.askAdmin('GET', `/statistics${query}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body['data'] as readonly Record<string, unknown>[]
}

describe('statistics', () => {
  test('of today have a line for each channel, without test messages', async () => {
    const found = await lines()
    const sms = found.find(({ channel }) => channel === 'sms')
    expect(sms).toMatchObject({ time: null, account: null, carrier: null, asked: 2, taken: 2, delivered: 2, parts: 4 })
    expect(sms).toMatchObject({ delivered_of_taken: 1, delivered_of_asked: null, currency: 'EUR' })
    expect(found.find(({ channel }) => channel === 'rcs')).toMatchObject({ asked: 1 })
    const [all, ...others] = await lines('?by=none')
    expect(others).toEqual([])
    expect(all).toMatchObject({ asked: 3, delivered: 3, failed: 0, delivered_of_asked: 1 })
    expect(all?.['p50_seconds']).toBeLessThanOrEqual(Number(all?.['p99_seconds']))
  })

  test('add up to the charges of the ledger, with the cost and the margin for roles that may see them', async () => {
    const [all] = await lines('?by=account&account=1')
    const { body } = await world.askAdmin('GET', '/margin?account=1')
    const margins = body['data'] as readonly { readonly revenue: number; readonly channel: string | null }[]
    const revenue = margins.reduce((sum, line) => sum + line.revenue, 0)
    expect(all?.['price']).toBeCloseTo(revenue, 6)
    expect(revenue).toBeGreaterThan(0)
    await world.askAdmin('POST', '/users', { body: { user: 'sue', role: 'support' } })
    const { body: issued } = await world.askAdmin('POST', '/users/sue/tokens', { body: { label: 'laptop' } })
    const { body: seen } = await world.askAdmin('GET', '/statistics?by=none', { token: String(issued['token']) })
    const data = seen['data'] as readonly object[]
    expect(data[0]).toMatchObject({ asked: 3, price: null, cost: null, margin: null, price_without_cost: null })
  })

  test('are grouped and selected by carrier, operator, country, sender and status, by hour and day', async () => {
    const [hour, ...rest] = (await lines('?resolution=hour&by=none')).map(({ time }) => time)
    expect([hour, rest]).toEqual([expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d$/), []])
    const day = String(hour).slice(0, 10)
    const byDay = await lines(`?resolution=day&by=country,sender,status&from=${day}&through=${day}&channel=sms`)
    expect(byDay).toContainEqual(
      expect.objectContaining({ time: day, country: 'DE', sender: 'SMSTest', status: 'DELIVERED', delivered: 2 }),
    )
    const [ofCarrier, ...none] = await lines(`?by=carrier,channel&carrier=${SANDBOX_CARRIERS.sms}&from=${hour}`)
    expect(ofCarrier).toMatchObject({ carrier: SANDBOX_CARRIERS.sms, channel: 'sms', asked: 0, taken: 2 })
    expect(none).toEqual([])
    expect(await lines('?country=FR')).toEqual([])
    expect(await lines('?from=2026-02-01&through=2026-02-02')).toEqual([])
  })

  test('have a line for the first groups, and one for all others', async () => {
    const [first, rest, ...more] = await lines('?by=channel&top=1')
    expect(first).toMatchObject({ channel: 'sms', asked: 2, others: null })
    expect([rest, more]).toMatchObject([{ channel: null, asked: 1, others: 1 }, []])
    const [delivered] = await lines('?by=channel,status&top=1&order=delivered')
    expect(delivered).toMatchObject({ channel: 'sms', status: 'DELIVERED' })
  })

  test('are sorted by any figure, for roles that may see it, and have the total of all lines', async () => {
    const ask = async (query: string) => {
      const { body } = await world.askAdmin('GET', `/statistics?${query}`)
      const { data, total } = body as Readonly<Record<string, readonly Record<string, unknown>[]>>
      return { channels: data?.map(({ channel }) => channel), data, total: total as unknown as Record<string, number> }
    }
    const { channels, data = [], total } = await ask('by=channel&order=price&direction=ascending')
    expect(channels).toEqual(['rcs', 'sms'])
    expect((await ask('by=channel&order=price')).channels).toEqual(['sms', 'rcs'])
    for (const figure of ['asked', 'taken', 'delivered', 'failed', 'parts']) {
      expect(total[figure]).toBe(data.reduce((sum, line) => sum + Number(line[figure]), 0))
    }
    expect(total).toMatchObject({ channel: null, asked: 3, delivered_of_asked: 1, currency: 'EUR' })
    const first = await ask('by=channel&top=1')
    expect(first.total).toEqual(total)
    expect((await ask('country=fr')).total).toBeNull()
    expect((await ask('by=none&resolution=hour&order=asked')).data).toMatchObject([{ asked: 3 }])
    expect((await ask('country=xx&by=channel')).data).toEqual([])
    await world.askAdmin('POST', '/users', { body: { user: 'otto', role: 'operator' } })
    const { body: issued } = await world.askAdmin('POST', '/users/otto/tokens', { body: { label: 'laptop' } })
    const orderBy = async (order: string) =>
      (await world.askAdmin('GET', `/statistics?order=${order}`, { token: String(issued['token']) })).status
    expect([await orderBy('price'), await orderBy('cost'), await orderBy('margin')]).toEqual([200, 422, 422])
  })

  test('have the days of a zone', async () => {
    const [hour = ''] = (await lines('?resolution=hour&by=none')).map(({ time }) => String(time))
    const at = Date.parse(`${hour}:00:00Z`)
    for (const zone of ['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Niue']) {
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at)
      const query = `zone=${encodeURIComponent(zone)}&by=none&resolution=day&from=${day}&through=${day}`
      expect(await lines(`?${query}`)).toMatchObject([{ time: day, asked: 3 }])
    }
  })

  test('are a table with both rates, without the row of reports, which says what the margin leaves out', async () => {
    const { body } = await world.askAdmin('GET', '/statistics?by=operator')
    const data = body['data'] as readonly { readonly operator: string | null; readonly reports_sent: number }[]
    const reports = { ...data[0], operator: null, ...NO_COUNTS, reports_sent: 2 }
    const { hint, ...endpoint } = endpointNamed('showStatistics')
    const [heading, first] = printResult(endpoint, { data: [reports, ...data] }).split('\n')
    expect(heading).toContain('delivered of taken  delivered of asked')
    expect(first).toMatch(/^- {2}.* {2}26201 {2}/)
    const twice = printResult(endpoint, { data: [...data, ...data], total: { ...data[0], asked: 99 } })
    expect(twice.split('\n').at(-1)).toMatch(/^total .* 99 /)
    const about = { isBesideGateway: true }
    const lines = [1.5, null, 2, 0].map((price) => ({ price_without_cost: price, currency: 'EUR' }))
    expect(hint?.({ data: lines } as never, about)).toMatch(
      /^The margin leaves out a price of 1.5 EUR, 2 EUR, whose costs are unknown/,
    )
    expect(hint?.({ data: [{ price_without_cost: 0 }] } as never, about)).toBeNull()
  })

  test('are exported as CSV', async () => {
    const { body } = await world.askAdmin('GET', '/statistics/csv?channel=sms')
    const [heading, line, end] = String(body['csv']).split('\n')
    expect(heading?.split(',').slice(0, 10)).toEqual([
      ...['time', 'account', 'channel', 'carrier', 'operator', 'country', 'sender', 'status', 'asked', 'taken'],
    ])
    expect(line).toMatch(/^,,sms,,,,,,2,2,2,/)
    expect(end).toBe('')
  })

  test.each([
    ['from=2026-13-01', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-11-02&through=2026-11-01', 'from'],
    ['from=2024-01-01&through=2026-01-01', 'from'],
    ['from=2026-01-01&through=2026-03-01&resolution=hour', 'from'],
    ['by=phone', 'by'],
    ['operator=x', 'operator'],
    ['country=Germany', 'country'],
    ['resolution=week', 'resolution'],
    ['top=0', 'top'],
    ['top=1001', 'top'],
    ['order=parts', 'order'],
    ['direction=down', 'direction'],
    ['zone=Europe/Atlantis', 'zone'],
    ['zone=Europe/Berlin&from=2025-06-01&through=2025-06-02', 'from'],
  ])('refuse %s', async (query, field) => {
    const { status, body } = await world.askAdmin('GET', `/statistics?${query}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(body)).toContain(field)
  })

  test('are read by a client with its key, for its own account', async () => {
    const ask = async (fields: object) => {
      const { data = [] } = await world.post({ auth: world.key, data: [{ type: 'statistics', ...fields }] })
      return data[0]
    }
    const all = await ask({})
    expect(all).toMatchObject({ success: true, data: [{ time: null, asked: 3, delivered: 3, currency: 'EUR' }] })
    const [operators] = await lines('?by=account&account=1')
    expect(all?.data).toMatchObject([{ price: operators?.['price'] }])
    const byChannel = await ask({ by: ['channel', 'status'], resolution: 'hour' })
    expect(byChannel?.data).toContainEqual(
      expect.objectContaining({ channel: 'sms', status: 'DELIVERED', delivered: 2 }),
    )
    expect(await ask({ from: '2026-02-30' })).toMatchObject({ success: false, field: 'from' })
    expect(await ask({ from: 'yesterday' })).toMatchObject({ success: false, field: 'from' })
    expect(await ask({ by: ['carrier'] })).toMatchObject({ success: false, field: 'by' })
    expect(JSON.stringify(byChannel)).not.toContain('carrier')
  })
})

test('statistics of a client are those of its account, without carriers and costs', async () => {
  await using other = await SandboxWorld.start()
  await other.sendOne({ ...SMS, phone: DELIVERED })
  const client = await ClientAccount.create(other, 'wren')
  const { status, body } = await client.ask('client-reader', 'GET', '/statistics?by=account,channel')
  expect(status).toBe(200)
  expect(body['data']).not.toHaveLength(0)
  for (const line of body['data'] as readonly object[]) {
    expect(line).toMatchObject({ account: client.id })
    for (const hidden of ['carrier', 'cost', 'margin']) expect(line).not.toHaveProperty(hidden)
  }
  expect((await client.ask('client-reader', 'GET', '/statistics?by=carrier')).status).toBe(422)
  expect((await client.ask('client-reader', 'GET', '/statistics?carrier=a')).status).toBe(400)
  expect((await client.ask('client-reader', 'GET', '/statistics?account=1')).status).toBe(404)
  const csv = await client.ask('client-reader', 'GET', '/statistics/csv')
  expect(String(csv.body['csv'])).not.toContain('margin')
})
