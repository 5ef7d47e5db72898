/** Long lists of costs and prices are found by number, country, network and time, in pages and as a file. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

const DAY_MS = 86_400_000
/** Costs per line of the sheet: networks of one MCC. */
const NETWORKS = 60

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  const networks = Array.from({ length: NETWORKS }, (_, index) => String(index + 100)).join(' ')
  const csv = `MCC;MNC;Price\n262;02;0.05\n208;${networks};0.04\n`
  await ask('POST', '/carriers/sandbox-sms/cost-sheets', { csv, skip_wrong: true })
  const cost = { carrier: 'sandbox-sms', price: 0.03 }
  await ask('PUT', '/costs', { ...cost, prefix: '49', until: dayAfter(1) })
  await ask('PUT', '/costs', { ...cost, prefix: '49', from: dayAfter(1), until: dayAfter(100) })
  await ask('PUT', '/costs', { ...cost, prefix: '49', from: dayAfter(100) })
  await ask('PUT', '/costs', { ...cost, prefix: '4930', category: '-marketing' })
  await ask('PUT', '/costs', { ...cost, carrier: 'sandbox-rcs' })
  world.clock.advance(2 * DAY_MS)
})
afterAll(() => world.stop())

const dayAfter = (days: number) => new Date(world.clock.now() + days * DAY_MS).toISOString().slice(0, 10)
async function ask(method: string, path: string, body?: object) {
  const reply = await world.askAdmin(method, path, body === undefined ? {} : { body })
  expect(reply.status).toBe(200)
  return reply.body
}
/** The prefixes or operators of the costs, in the order of the list. */
async function found(query: string): Promise<readonly string[]> {
  const { data } = await ask('GET', `/costs?carrier=sandbox-sms&${query}`)
  return (data as readonly { prefix: string; operator: string | null }[]).map((each) => each.operator ?? each.prefix)
}

test('a cost is found by leading digits, by country in two languages, by network and by category', async () => {
  expect(await found('search=4930')).toEqual(['4930'])
  expect(await found('search=%2B49 30')).toEqual(['4930'])
  expect(await found('search=262')).toEqual(['26202'])
  expect(await found('search=262-02')).toEqual(['26202'])
  for (const country of ['DE', 'germany', 'Deutschl']) {
    expect(await found(`search=${country}&valid_at=now`)).toEqual(['26202', '49', '4930'])
  }
  expect(await found('search=vodafone')).toEqual(['26202'])
  expect(await found('search=MARKETING')).toEqual(['4930'])
  expect(await found('search=Atlantis')).toEqual([])
})

test('costs that ended, that are valid and that are for later are apart', async () => {
  for (const [state, from] of [
    ['past', null],
    ['present', dayAfter(-1)],
    ['planned', dayAfter(98)],
  ]) {
    const { data, count } = await ask('GET', `/costs?search=49&state=${state}`)
    const [first] = (data as readonly { prefix: string; from: string | null }[]).filter(({ prefix }) => prefix === '49')
    expect({ count, from: first?.from }).toEqual({ count: state === 'present' ? 2 : 1, from })
  }
  expect((await world.askAdmin('GET', '/costs?state=future')).status).toBe(400)
})

test('pages of a long list say how long it is, and together are the list', async () => {
  const { data, next, count } = await ask('GET', '/costs?search=France')
  expect({ rows: (data as readonly unknown[]).length, next, count }).toEqual({ rows: 50, next: 50, count: NETWORKS })
  const rest = await ask('GET', '/costs?search=France&after=50')
  expect(rest).toMatchObject({ next: null, count: NETWORKS })
  expect(new Set([data, rest['data']].flat().map((each) => JSON.stringify(each))).size).toBe(NETWORKS)
})

test('the file has what the filters leave, holds no formulas, and is a sheet that changes nothing', async () => {
  const { csv } = await ask('GET', '/costs/csv?carrier=sandbox-sms&search=Germany&state=present')
  expect(String(csv).split('\n')).toEqual([
    'carrier,category,country,prefix,mccmnc,network,price,currency,from,until',
    `sandbox-sms,,DE,,26202,Vodafone,0.05,,${dayAfter(-2)},`,
    `sandbox-sms,,DE,49,,,0.03,,${dayAfter(-1)},${dayAfter(98)}`,
    "sandbox-sms,'-marketing,DE,4930,,,0.03,,,",
    '',
  ])
  const german = await ask('GET', '/costs/csv?carrier=sandbox-sms&search=26202')
  const again = { csv: german['csv'], dry_run: true }
  expect(await ask('POST', '/carriers/sandbox-sms/cost-sheets', again)).toMatchObject({ effects: { unchanged: 1 } })
})

test('prices of all owners have the same filters, in the list and in the file', async () => {
  const price = { channel: 'sms', currency: 'EUR', price: 0.07 }
  await ask('PUT', '/price-groups/secret', {})
  for (const owner of [{}, { group: 'secret' }, { account: 1 }]) {
    await ask('PUT', '/prices', { ...price, ...owner, operator: '26202', from: dayAfter(50) })
  }
  const filters = 'search=Vodafone&channel=sms&state=planned'
  for (const owner of ['', '&group=secret', '&account=1']) {
    expect(await ask('GET', `/prices?${filters}${owner}`)).toMatchObject({ data: [{ operator: '26202' }], count: 1 })
    expect((await ask('GET', `/tariff?currency=EUR&${filters}${owner}`))['csv']).toBe(
      `channel,prefix,operator,from,until,price\nsms,,26202,${dayAfter(50)},,0.07\n`,
    )
  }
  await ask('POST', '/price-group-moves', { accounts: [1], group: 'secret' })
  expect(await ask('GET', `/accounts/1/prices?${filters}`)).toMatchObject({ count: 3 })
  // Users of an account see the group's prices, but must not find out its name.
  expect(await ask('GET', '/accounts/1/prices?search=secret')).toMatchObject({ count: 0 })
})
