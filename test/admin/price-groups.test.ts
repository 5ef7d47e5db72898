/** Finance gives accounts the prices of a group, from a day on and after a preview. Clients see no groups. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { smsItem } from '../support/send-items.ts'

let world: SandboxWorld
let finance: string
let own: string
let shop: number
beforeAll(async () => {
  world = await SandboxWorld.start()
  const issue = async (user: string, body: object) => {
    const created = await world.askAdmin('POST', '/users', { body: { user, ...body } })
    const { body: made } = created
    const issued = await world.askAdmin('POST', `/users/${made['user']}/tokens`, { body: { label: 'office' } })
    return String(issued.body['token'])
  }
  finance = await issue('flora', { role: 'finance' })
  own = await issue('clara', { role: 'client-reader', account: world.accountId })
  shop = Number((await ask('POST', '/accounts', { name: 'Shop', currency: 'EUR' }, null)).body['account'])
})
afterAll(() => world.stop())

const ask = (method: string, path: string, body?: object, token: string | null = finance) =>
  world.askAdmin(method, path, { ...(token === null ? {} : { token }), ...(body === undefined ? {} : { body }) })

/** A time so many seconds from now, as it is shown. */
const inSeconds = (count: number) => `${new Date(world.clock.now() + count * 1_000).toISOString().slice(0, 19)}Z`

test('a group gets prices, accounts move to it, pay its prices and leave it, and it is removed', async () => {
  await accountsMove()
  await ownPricesWin()
  await clientsSeePrices()
  await groupIsRemoved()
})

/** A group gets prices, accounts move to it from a day on, and pay its prices from then on. */
async function accountsMove() {
  expect(await ask('PUT', '/price-groups/retail', { new: true })).toMatchObject({ body: { group: 'retail' } })
  expect(await ask('PUT', '/price-groups/retail', { new: true })).toMatchObject({ status: 422 })
  const copy = { currency: 'EUR', percent: 200 }
  expect(await ask('POST', '/price-groups/retail/tariff-copies', copy)).toMatchObject({ body: { applied: true } })
  await ask('PUT', '/prices', { channel: 'sms', currency: 'EUR', prefix: '49', group: 'retail', price: 0.07 })

  const move = { accounts: [world.accountId, shop], group: 'retail', from: inSeconds(30) }
  const preview = await ask('POST', '/price-group-moves', { ...move, dry_run: true })
  expect(preview.body).toMatchObject({
    applied: false,
    accounts: [
      { account: world.accountId, before: null, until: null, changed: expect.any(Number) },
      { account: shop, name: 'Shop' },
    ],
  })
  const changes = (preview.body['accounts'] as { changes: object[] }[])[0]?.changes
  expect(changes).toHaveLength(5)
  expect(changes).toContainEqual(expect.objectContaining({ old_price: 0.05, new_price: 0.1 }))
  expect((await ask('GET', '/price-group-memberships')).body['data']).toEqual([])
  expect(await ask('GET', '/prices?group=retail&most=1')).toMatchObject({ body: { currencies: ['EUR'] } })
  expect(await ask('GET', '/price-groups?search=AIL')).toMatchObject({ body: { data: [{ group: 'retail' }] } })
  expect(await ask('GET', '/price-groups?search=vip')).toMatchObject({ body: { data: [] } })
  expect(await ask('POST', '/price-group-moves', move)).toMatchObject({ status: 200, body: { applied: true } })
  expect((await ask('GET', '/price-groups')).body['data']).toMatchObject([{ group: 'retail', accounts: 0, later: 2 }])
  expect((await ask('GET', '/price-groups/retail/accounts')).body['data']).toMatchObject([
    { account: world.accountId, from: move.from, until: null },
    { account: shop, name: 'Shop' },
  ])

  const charged = async () => {
    const [id] = await world.send(smsItem('491701234500'))
    await world.pass(2)
    return (await world.askAdmin('GET', `/messages/${id}`)).body['price']
  }
  const before = await charged()
  await world.pass(30)
  expect([before, await charged()]).toEqual([0.05, 0.07])
  expect((await ask('GET', '/price-groups')).body['data']).toMatchObject([{ group: 'retail', accounts: 2, later: 0 }])
  const paid = `/accounts/${world.accountId}/prices?channel=sms`
  expect((await ask('GET', paid)).body['data']).toMatchObject([
    { prefix: '', group: 'retail' },
    { prefix: '49', price: 0.07 },
  ])
}

/** What an account has of its own goes before its group, and an account can leave it. */
async function ownPricesWin() {
  await ask('PUT', '/prices', { channel: 'sms', currency: 'EUR', prefix: '49', account: shop, price: 0.01 })
  const moved = await ask('POST', '/price-group-moves', { accounts: [shop], group: null, dry_run: true })
  const [first] = moved.body['accounts'] as { before: string; changes: { channel: string; prefix: string }[] }[]
  expect(first).toMatchObject({ before: 'retail' })
  expect(first?.changes).not.toContainEqual(expect.objectContaining({ channel: 'sms', prefix: '49' }))
  const from = inSeconds(600)
  await ask('POST', '/price-group-moves', { accounts: [shop], from })
  const stays = async (query: string) =>
    (await ask('GET', `/price-group-memberships?account=${shop}${query}`)).body['data']
  expect(await stays('&state=planned')).toEqual([{ account: shop, from, until: null, group: null, state: 'planned' }])
  expect(await stays('&state=present')).toMatchObject([{ group: 'retail', until: from }])
  expect(await stays('&state=past')).toEqual([])
  expect((await ask('GET', '/price-groups/retail/accounts')).body['data']).toMatchObject([
    {},
    { account: shop, until: from },
  ])
  expect((await ask('DELETE', `/price-group-memberships?account=${shop}&from=${from}`)).status).toBe(204)
  expect((await ask('GET', '/price-groups/retail/accounts')).body['data']).toMatchObject([
    {},
    { account: shop, until: null },
  ])
}

/** Users of an account see what they pay, but nothing of groups. */
async function clientsSeePrices() {
  const { body } = await ask('GET', `/accounts/${world.accountId}/prices?channel=sms`, undefined, own)
  expect(body['data']).toMatchObject([
    { prefix: '', price: 0.1 },
    { prefix: '49', price: 0.07 },
  ])
  expect(JSON.stringify(body)).not.toContain('retail')
  expect(await ask('GET', '/prices?group=retail', undefined, own)).toMatchObject({ status: 400 })
  expect(await ask('GET', '/tariff?currency=EUR&group=retail', undefined, own)).toMatchObject({ status: 400 })
  for (const path of ['/price-groups', '/price-groups/retail/accounts', '/price-group-memberships']) {
    expect((await ask('GET', path, undefined, own)).status).toBe(403)
  }
}

test.each([
  ['a group of no such name', { accounts: [1], group: 'vip' }, 'there is no price group vip'],
  ['an account that does not exist', { accounts: [4711] }, 'there is no account 4711'],
  ['a time that is over', { accounts: [1], from: '2001-01-01' }, 'from: must not be in the past'],
])('%s is refused', async (_, move, says) => {
  const { status, body } = await ask('POST', '/price-group-moves', move)
  expect(status).toBeGreaterThanOrEqual(404)
  expect(body['detail']).toContain(says)
})

test('a price is for an account or for a group, and groups have plain names', async () => {
  const price = { channel: 'sms', currency: 'EUR', group: 'retail', account: shop, price: 1 }
  expect((await ask('PUT', '/prices', price)).body).toMatchObject({ errors: [{ field: 'group' }] })
  expect((await ask('PUT', '/price-groups/No%20Group', {})).body).toMatchObject({ errors: [{ field: 'group' }] })
})

test('a preview has the general prices that a move uncovers or covers, by network and longer prefix', async () => {
  const { body: made } = await ask('POST', '/accounts', { name: 'Export', currency: 'USD' }, null)
  const account = Number(made['account'])
  const set = (price: number, numbers: object) =>
    ask('PUT', '/prices', { channel: 'sms', currency: 'USD', price, ...numbers })
  for (const group of ['flat', 'network']) await ask('PUT', `/price-groups/${group}`, {})
  await set(0.031, { group: 'flat' })
  await set(0.062, { group: 'network', operator: '26201' })
  await set(0.05, {})
  await set(0.09, { operator: '26202' })
  await set(0.04, { prefix: '4915' })
  await set(0.02, { account, prefix: '4366' })
  const changesOf = async (group: string) => {
    const move = { accounts: [account], group, dry_run: true }
    const { body } = await ask('POST', '/price-group-moves', move)
    const [moved] = body['accounts'] as { changed: number; changes: Record<string, unknown>[] }[]
    expect(moved?.changed).toBe(moved?.changes.length)
    return moved?.changes.map(({ prefix, operator, old_price: old, new_price: now }) => [prefix, operator, old, now])
  }
  expect(await changesOf('flat')).toEqual([
    ['', null, 0.05, 0.031],
    ['4915', null, 0.04, 0.031],
    ['', '26202', 0.09, 0.031],
  ])
  await ask('POST', '/price-group-moves', { accounts: [account], group: 'flat' })
  await world.pass(1)
  expect(await changesOf('network')).toEqual([
    ['', null, 0.031, 0.05],
    ['4915', null, 0.031, 0.04],
    ['', '26201', 0.031, 0.062],
    ['', '26202', 0.031, 0.09],
  ])
})

/** A group is removed with its prices once no account belongs to it, now or later. */
async function groupIsRemoved() {
  const refused = await ask('DELETE', '/price-groups/retail')
  expect(refused.body['detail']).toBe(
    `accounts belong to the price group retail, now or later: ${world.accountId}, ${shop}; move them first`,
  )
  await world.pass(1)
  await ask('POST', '/price-group-moves', { accounts: [world.accountId, shop] })
  const { body } = await world.askAdmin('GET', '/configuration')
  expect(body).toMatchObject({ price_groups: [{ group: 'retail' }], price_group_memberships: { length: 4 } })
  expect((await ask('DELETE', '/price-groups/retail')).status).toBe(204)
  expect((await ask('GET', `/accounts/${world.accountId}/prices?channel=sms`)).body['data']).toMatchObject([
    { prefix: '', group: null, price: 0.05 },
  ])
  const applied = await world.askAdmin('PUT', '/configuration', {
    body: {
      configuration: {
        price_groups: body['price_groups'],
        price_group_memberships: body['price_group_memberships'],
        prices: body['prices'],
      },
    },
  })
  expect(applied.body).toMatchObject({ applied: true })
  expect((await ask('GET', '/price-groups')).body['data']).toMatchObject([{ group: 'retail', accounts: 0 }])
  const { out } = await world.askAdmin('GET', '/audit?most=100').then(({ body: log }) => ({ out: JSON.stringify(log) }))
  expect(out).toContain(`price group of account ${shop} from `)
}
