/** The histograms of times: what each observes, and that it observes each thing once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentedMetrics, labelsInScrape } from '../support/exposed-metrics.ts'
import { useOwnWorld } from '../support/own-world.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { type Scraped, scrape, seriesOf } from '../support/scrape.ts'
import { chainItem, rcsItem, smsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const read = () => scrape(world.gateway.adminAddress)

/** Differences of the counts of a histogram, without those that stayed the same. */
function added(name: string, before: Scraped, after: Scraped): Readonly<Record<string, number>> {
  const old = seriesOf(before, name)
  const differences = Object.entries(seriesOf(after, name)).map(([labels, value]) => [
    labels,
    value - (old[labels] ?? 0),
  ])
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0))
}

test('a chain is observed once as a request, per attempt, as a delivery and per report', async () => {
  const before = await read()
  await world.send(chainItem('491701242002'))
  await world.pass(5)
  const after = await read()
  const counted = (name: string) => added(`posthorn_${name}_count`, before, after)
  expect(counted('request_seconds')).toEqual({ '{operation="send"}': 1 })
  expect(counted('submit_delay_seconds')).toEqual({
    '{channel="rcs",class="transactional"}': 1,
    '{channel="chatapp",class="transactional"}': 1,
    '{channel="sms",class="transactional"}': 1,
  })
  expect(counted('carrier_answer_seconds')).toEqual({
    '{carrier="sandbox-rcs",channel="rcs"}': 1,
    '{carrier="sandbox-chat",channel="chatapp"}': 1,
    '{carrier="sandbox-sms",channel="sms"}': 1,
  })
  expect(counted('delivery_seconds')).toEqual({ '{channel="sms"}': 1 })
  expect(counted('report_delay_seconds')).toEqual({ '{try="first"}': 1 })
  expect(counted('store_commit_seconds')['']).toBeGreaterThan(0)
})

test('a charge and its cost are counted in units of their currencies', async () => {
  await world.askAdmin('PUT', '/costs', { body: { carrier: 'sandbox-rcs', price: 0.02, currency: 'USD' } })
  const before = await read()
  await world.send(rcsItem('491701242000'))
  await world.pass(5)
  const after = await read()
  expect(added('posthorn_charged_total', before, after)).toEqual({ '{channel="rcs",currency="EUR"}': 0.03 })
  expect(added('posthorn_cost_total', before, after)).toEqual({ '{channel="rcs",currency="USD"}': 0.02 })
})

test('a request is observed by the group of its first operation, whatever names the client uses', async () => {
  const before = await read()
  await world.ask([{ type: 'balance' }, { type: 'status', msg_id: '1' }])
  await world.ask([{ type: 'bulk/list' }])
  await world.ask([{ type: 'viber', phone: '491701242000' }])
  await world.ask([{ type: 'no such operation' }])
  await world.ask([])
  await world.post({ auth: 'unknown', data: [{ type: 'balance' }] })
  await world.post('no JSON')
  expect(added('posthorn_request_seconds_count', before, await read())).toEqual({
    '{operation="balance"}': 1,
    '{operation="bulk"}': 1,
    '{operation="send"}': 1,
    '{operation="unknown"}': 2,
    '{operation="refused"}': 2,
  })
})

test('the delay of a planned message is measured from its send time, that of a delivery too', async () => {
  // After an hour RCS needs a new token, for which other tests would wait.
  await useOwnWorld(world, (used) => {
    world = used
  })
  const before = await read()
  const sendAt = new Date(world.clock.now() + 3_600_000).toISOString()
  // By SMS: after an hour RCS would need a new token, which is signed in another thread while the clock moves on.
  await world.send(smsItem('491701251000', { send_at: sendAt }))
  await world.passInSilence(3_590)
  await world.pass(30)
  const after = await read()
  const [submits, deliveries] = ['posthorn_submit_delay_seconds', 'posthorn_delivery_seconds']
  expect(added(`${submits}_count`, before, after)).toEqual({ '{channel="sms",class="bulk"}': 1 })
  expect(added(`${deliveries}_count`, before, after)).toEqual({ '{channel="sms"}': 1 })
  const within = (name: string, labels: string) => added(`${name}_bucket`, before, after)[`{le="60",${labels}}`]
  expect(within(submits, 'channel="sms",class="bulk"')).toBe(1)
  expect(within(deliveries, 'channel="sms"')).toBe(1)
})

test('a report that was repeated is observed apart, with the whole time since its event', async () => {
  // After an hour RCS needs a new token, for which other tests would wait.
  await useOwnWorld(world, (used) => {
    world = used
  })
  const before = await read()
  world.sink.answer = () => ({ status: 500 })
  await world.send(smsItem('491701252000'))
  await world.pass(5)
  world.sink.answer = () => ({ status: 200 })
  await world.passInSilence(900)
  const after = await read()
  expect(added('posthorn_report_delay_seconds_count', before, after)).toEqual({ '{try="again"}': 1 })
  expect(added('posthorn_report_delay_seconds_sum', before, after)['{try="again"}']).toBeGreaterThan(4)
})

test('test messages are not observed beyond their request', async () => {
  const key = await world.askAdmin('POST', `/accounts/${world.accountId}/keys`, { body: { name: 'try', test: true } })
  const before = await read()
  const { key: secret } = key.body as { readonly key: string }
  await world.post({ auth: secret, data: [rcsItem('491701253000')] })
  await world.pass(5)
  const after = await read()
  expect(added('posthorn_request_seconds_count', before, after)).toEqual({ '{operation="send"}': 1 })
  for (const name of ['submit_delay', 'carrier_answer', 'delivery']) {
    expect(added(`posthorn_${name}_seconds_count`, before, after)).toEqual({})
  }
})

test('the page of metrics lists every metric that a gateway exposes, with its type and labels, and no other', async () => {
  await world.post({ auth: 'unknown', data: [] })
  const scraped = await read()
  const listed = documentedMetrics().filter(({ name }) => !isOfCluster(name))
  const exposed = [...scraped.types].filter(([name]) => name.startsWith('posthorn_') && !isOfCluster(name))
  expect(listed.map(({ name, type }) => [name, type]).toSorted()).toEqual(exposed.toSorted())
  const inScrape = labelsInScrape(scraped)
  const seen = listed.flatMap(({ name, type, labels }) => {
    const found = inScrape.get(type === 'histogram' ? `${name}_count` : name)
    return found === undefined ? [] : [{ name, labels, found }]
  })
  expect(seen.length).toBeGreaterThan(20)
  for (const { name, labels, found } of seen) expect(labels, name).toEqual(found)
})

/** Exposed only by nodes of a cluster. */
function isOfCluster(name: string): boolean {
  return name === 'posthorn_node_info' || name === 'posthorn_database_rewound_timestamp_seconds'
}
