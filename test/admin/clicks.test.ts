/** Operators and users of an account read which addresses are clicked, and when. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ClientAccount } from '../support/client-account.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15' }
const ROBOT = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }

let world: SandboxWorld
let client: ClientAccount
beforeAll(async () => {
  world = await SandboxWorld.start()
  client = await ClientAccount.create(world, 'wren')
  const send = async (address: string, phone: string, extra: object = {}) => {
    const message = { type: 'rcs', rcs_signature: 'RCSTest', rcs_message: `See ${address}`, short_link: true }
    return world.sendOne({ ...message, ...extra, phone })
  }
  const first = await send('https://shop.example/sale?c=1', '491701250001')
  const second = await send('https://shop.example/sale?c=2', '491701250002')
  const other = await send('https://news.example/order/4711000123', '491701250003')
  await world.pass(30)
  await click(first, BROWSER, BROWSER, ROBOT)
  await click(second, BROWSER)
  await world.pass(3_600)
  await click(first, BROWSER)
  await click(other, BROWSER)
})
afterAll(() => world.stop())

async function click(message: number, ...visitors: readonly Record<string, string>[]): Promise<void> {
  const { body } = await world.askAdmin('GET', `/messages/${message}/details`)
  const [link] = body['links'] as readonly { readonly code: string }[]
  for (const headers of visitors) {
    const { status } = await fetch(`${world.gateway.address}/l/${link?.code}`, { headers, redirect: 'manual' })
    expect(status).toBe(302)
  }
  await world.rest()
}

const clicks = async (query = '') => (await world.askAdmin('GET', `/clicks${query}`)).body
const sale = { account: 1, address: 'https://shop.example/sale', clicks: 4, robot_clicks: 1, links: 2 }
const order = { account: 1, address: 'https://news.example/order/*', clicks: 1, robot_clicks: 0, links: 1 }

test('addresses are listed by clicks, without the parts that differ between recipients', async () => {
  const { data, next } = await clicks()
  expect(data).toMatchObject([sale, order])
  expect(next).toBeNull()
  const [{ first_click: first, last_click: last }] = data as [{ first_click: string; last_click: string }]
  expect(Date.parse(last) - Date.parse(first)).toBeGreaterThanOrEqual(3_600_000)
  expect(await clicks('?most=1')).toMatchObject({ data: [sale], next: 1 })
  expect(await clicks('?most=1&after=1')).toMatchObject({ data: [order], next: null })
})

test('they are searched, and selected by day, account and bulk', async () => {
  expect((await clicks('?search=NEWS'))['data']).toMatchObject([order])
  expect((await clicks('?search=none'))['data']).toEqual([])
  expect((await clicks('?account=1'))['data']).toMatchObject([sale, order])
  expect((await clicks(`?account=${client.id}`))['data']).toEqual([])
  expect((await clicks('?bulk=77'))['data']).toEqual([])
  expect((await clicks('?through=2020-01-01'))['data']).toEqual([])
  const wrong = await world.askAdmin('GET', '/clicks?from=2024-01-01')
  expect(wrong).toMatchObject({ status: 422, body: { detail: expect.stringContaining('366 days') } })
})

test('the statistics have the same clicks by hour, and the messages with a click', async () => {
  const { body } = await world.askAdmin('GET', '/statistics?resolution=hour&by=none')
  const lines = body['data'] as readonly Record<string, number>[]
  const figures = lines.map(({ clicks: all, robot_clicks: robots, clicked }) => [all, robots, clicked])
  expect(figures).toEqual([
    [3, 1, 3],
    [2, 0, 0],
  ])
  const operation = await world.post({ auth: world.key, data: [{ type: 'statistics' }] })
  const data = [{ channel: null, clicks: 5, robot_clicks: 1, clicked: 3 }]
  expect(operation.data?.[0]).toMatchObject({ success: true, data })
})

test('a user of an account sees the clicks of the account alone', async () => {
  expect((await client.ask('client-reader', 'GET', '/clicks')).body).toEqual({ data: [], next: null })
  expect((await client.ask('client-reader', 'GET', '/clicks?account=1')).status).toBe(404)
})
