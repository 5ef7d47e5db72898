/** A client behind a firewall reads its reports by cursor: each exactly once, across restarts of both sides. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  const { status } = await world.askAdmin('PATCH', `/accounts/${world.accountId}`, { body: { default_hook: 'feed:' } })
  expect(status).toBe(200)
})
afterAll(() => world.stop())

interface Event {
  readonly event_id: string
  readonly cursor: string
  readonly msg_id: number
  readonly status: string
}

/** A program that stores its cursor together with what it made of an event. */
class Client {
  cursor: string | undefined
  readonly processed: Event[] = []

  async page(
    limit: number,
  ): Promise<{ readonly events: readonly Event[]; readonly next: string; readonly more: boolean }> {
    const data = [{ type: 'event/list', after: this.cursor, limit }]
    const response = await fetch(`${world.gateway.address}/api/json.php`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ auth: world.key, data }),
    })
    const {
      data: [result],
    } = (await response.json()) as { data: [{ success: boolean; data: never }] }
    expect(result.success).toBe(true)
    return result.data
  }

  /** Processes at most this many events of a page: then the program dies. */
  async process(limit: number, most = limit): Promise<boolean> {
    const { events, next, more } = await this.page(limit)
    for (const event of events.slice(0, most)) {
      this.processed.push(event)
      this.cursor = event.cursor
    }
    if (most >= events.length) this.cursor = next
    return more
  }

  async processAll(): Promise<void> {
    while (await this.process(10)) {
      // Page by page.
    }
  }
}

/** A send without a hook: the default hook of the account counts. */
const item = (phone: string, hook: string | null = null) => ({ ...rcsItem(phone), hook })
const phones = (count: number) => Array.from({ length: count }, (_, n) => `4917015${String(n).padStart(3, '0')}06`)
const unread = async () => (await world.gateway.store.counts()).unreadEvents

test('every event exactly once, whichever side restarts in between', async () => {
  const client = new Client()
  const reports = world.reports.length
  const ids = await world.send(...phones(20).map((phone) => item(phone)))
  await world.pass(10)
  expect(await client.process(7)).toBe(true)
  // The client dies in the middle of a page, and with it what it had not stored.
  await client.process(10, 3)
  await world.stopGateway()
  await world.startGateway()
  await client.process(10, 0)
  const later = await world.send(...phones(5).map((phone) => item(phone)))
  await world.pass(10)
  await client.processAll()
  await client.processAll()
  const statuses = Object.fromEntries([...ids, ...later].map((id) => [id, [] as string[]]))
  for (const { msg_id: id, status } of client.processed) statuses[id]?.push(status)
  expect(Object.values(statuses)).toEqual(Array(25).fill(['DELIVERED', 'READ']))
  expect(new Set(client.processed.map(({ event_id: id }) => id)).size).toBe(50)
  expect(client.processed).toHaveLength(50)
  expect(world.reports).toHaveLength(reports)
  expect(await unread()).toBe(0)
})

test('a message that names a hook of its own is reported there', async () => {
  const before = world.reports.length
  const id = await world.sendOne(item('491701599800', world.sink.address))
  await world.pass(10)
  expect(world.reports.slice(before).map(({ body }) => body['msg_id'])).toEqual([id])
})
