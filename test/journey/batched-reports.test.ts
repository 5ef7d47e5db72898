/** An account that asks for several reports in one POST: from its setting to its hook, across a restart. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
beforeEach(async () => {
  await set({ reports_per_post: 50, report_wait_ms: 1_000 })
})
afterAll(() => world.stop())

const set = (body: object) => world.askAdmin('PATCH', `/accounts/${world.accountId}`, { body })

/** Numbers whose messages are delivered, or delivered and then read. */
const phones = (count: number, end: '00' | '06') =>
  Array.from({ length: count }, (_, index) => `4917012${String(index).padStart(3, '0')}${end}`)

test('an operator sets it within its limits, and sees it', async () => {
  for (const [body, status, error] of [
    [{ reports_per_post: 1_001 }, 422, 'reports_per_post: must be a whole number from 1 to 1000'],
    [{ reports_per_post: 0 }, 400, 'reports_per_post'],
    [{ report_wait_ms: 5_001 }, 422, 'report_wait_ms: must be a whole number from 0 to 5000'],
  ] as const) {
    const refused = await set(body)
    expect(refused.status).toBe(status)
    expect(JSON.stringify(refused.body)).toContain(error)
  }
  const { body } = await set({ reports_per_post: 40, report_wait_ms: 2_000 })
  expect(body).toMatchObject({ reports_per_post: 40, report_wait_ms: 2_000 })
})

test('each report arrives once, in the order of its message, in few POSTs', async () => {
  const [reportsBefore, callsBefore] = [world.reports.length, world.sink.calls.length]
  const ids = await world.send(
    ...phones(60, '00').map((phone) => rcsItem(phone)),
    ...phones(60, '06').map((phone) => rcsItem(phone)),
  )
  await world.pass(10)
  const statuses = Object.fromEntries(ids.map((id) => [id, [] as unknown[]]))
  const reports = world.reports.slice(reportsBefore)
  for (const { body } of reports) statuses[String(body['msg_id'])]?.push(body['status'])
  expect(Object.values(statuses)).toEqual([...Array(60).fill(['DELIVERED']), ...Array(60).fill(['DELIVERED', 'READ'])])
  expect(new Set(reports.map(({ id }) => id)).size).toBe(180)
  // Far less than 180: at least one for each message of which two reports arrived.
  expect(world.sink.calls.length - callsBefore).toBeLessThan(20)
  await world.stories(ids)
})

test('reports that wait for others when the gateway stops are posted after its next start', async () => {
  await set({ report_wait_ms: 5_000 })
  const before = world.reports.length
  const ids = await world.send(...phones(3, '00').map((phone) => rcsItem(phone)))
  await world.pass(2)
  expect(world.reports).toHaveLength(before)
  await world.stopGateway()
  await world.startGateway()
  await world.pass(6)
  expect(world.reports.slice(before).map(({ body }) => body['msg_id'])).toEqual(expect.arrayContaining([...ids]))
  expect(world.reports).toHaveLength(before + ids.length)
})

test('once it is off again, each report is posted alone, as an object', async () => {
  await set({ reports_per_post: 1 })
  const before = world.sink.calls.length
  await world.send(...phones(3, '00').map((phone) => rcsItem(phone)))
  await world.pass(2)
  const calls = world.sink.calls.slice(before)
  expect(calls.map(({ body }) => body[0])).toEqual(['{', '{', '{'])
  expect(calls.map(({ headers }) => headers['posthorn-reports'])).toEqual([undefined, undefined, undefined])
})
