/** A client creates hooks by the API: each gets the reports that it asks for, signed with a secret of its own. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { HookSink } from '../support/hook-sink.ts'
import { type ReceivedReport, readReports } from '../support/received-report.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

/** A hook of the client, and the server behind it. */
interface OwnHook {
  readonly id: number
  readonly secret: string
  readonly sink: HookSink
}

let world: SandboxWorld
let hooks: OwnHook[] = []
const sinks: HookSink[] = []
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterEach(async () => {
  // Changes of an operator are not limited.
  for (const { id } of hooks) {
    const { status } = await world.askAdmin('DELETE', `/accounts/${world.accountId}/client-hooks/${id}`)
    expect(status).toBe(200)
  }
  // The gateway follows.
  if (hooks.length > 0) await list()
  hooks = []
})
afterAll(async () => {
  for (const sink of sinks) await sink.close()
  await world.stop()
})

async function askOne(item: object): Promise<Readonly<Record<string, unknown>>> {
  const { data: [result] = [] } = await world.ask([item])
  expect(result).toMatchObject({ success: true })
  return result?.data ?? {}
}

async function create(fields: object = {}): Promise<OwnHook> {
  const sink = await HookSink.open(world.clock)
  sinks.push(sink)
  const { hook_id: id, secret } = await askOne({ type: 'hook/create', hook: sink.address, ...fields })
  const hook = { id: Number(id), secret: String(secret), sink }
  hooks.push(hook)
  return hook
}

const list = async () =>
  (await askOne({ type: 'hook/list' })) as unknown as readonly Readonly<Record<string, unknown>>[]

/** What the hook received, each verified with its own secret. */
function received({ sink, secret }: OwnHook): readonly ReceivedReport[] {
  return sink.calls.flatMap((call) => readReports(call, secret))
}
const types = (hook: OwnHook) => received(hook).map(({ body }) => body['type'])
const statuses = (hook: OwnHook) => received(hook).map(({ body }) => body['status'])

test('each hook gets the reports of its types, in their order, under ids of their own', async () => {
  const [all, clicks] = [await create(), await create({ events: ['link.clicked'], description: 'statistics' })]
  expect(await list()).toMatchObject([
    { hook_id: all.id, hook: all.sink.address, events: null, description: null, stopped: false },
    { hook_id: clicks.id, events: ['link.clicked'], description: 'statistics', old_secret_until: null },
  ])
  const { data } = await world.ask([{ ...rcsItem('491701234506') }])
  await world.pass(5)
  const id = data?.[0]?.data['msg_id']
  expect(received(all).map(({ body }) => [body['msg_id'], body['status']])).toEqual([
    [id, 'DELIVERED'],
    [id, 'READ'],
  ])
  expect(new Set(received(all).map((report) => report.id)).size).toBe(2)
  expect(types(clicks)).toEqual([])
})

test('the default hook gets its report besides, and a message with a hook of its own is reported there only', async () => {
  const hook = await create()
  const set = (defaultHook: string | null) =>
    world.askAdmin('PATCH', `/accounts/${world.accountId}`, { body: { default_hook: defaultHook } })
  await set(world.sink.address)
  const before = world.reports.length
  await world.ask([rcsItem('491701234500')])
  await world.pass(3)
  expect(world.reports.slice(before)).toHaveLength(1)
  expect(received(hook)).toHaveLength(1)
  await world.ask([{ ...rcsItem('491701234500'), hook: `${world.sink.address}?own` }])
  await world.pass(3)
  expect(world.reports.slice(before)).toHaveLength(2)
  expect(received(hook)).toHaveLength(1)
  // The feed is a default hook like others.
  await set('feed:')
  await world.ask([rcsItem('491701234500')])
  await world.pass(3)
  expect(await askOne({ type: 'event/list' })).toMatchObject({ events: [{ status: 'DELIVERED' }] })
  expect(received(hook)).toHaveLength(2)
  await set(null)
})

test('a hook that is down holds up no other, and catches up in order', async () => {
  const [down, up] = [await create(), await create()]
  down.sink.answer = () => ({ status: 503 })
  for (let count = 0; count < 8; count += 1) await world.ask([rcsItem(`491701234${count}06`)])
  await world.pass(10)
  expect(statuses(up).filter((status) => status === 'READ')).toHaveLength(8)
  expect(down.sink.calls.length).toBeGreaterThan(0)
  down.sink.answer = () => ({ status: 200 })
  const failed = down.sink.calls.length
  await world.pass(120)
  const after = received(down).slice(failed)
  expect(new Set(after.map(({ id }) => id)).size).toBe(16)
  const ofMessage = Map.groupBy(after, ({ body }) => body['msg_id'])
  for (const reports of ofMessage.values()) {
    expect(reports.map(({ body }) => body['status'])).toEqual(['DELIVERED', 'READ'])
  }
})

test('a test report is posted to one hook, whatever its types are', async () => {
  const [tested, other] = [await create({ events: ['balance.low'] }), await create()]
  const { webhook_id: id } = await askOne({ type: 'hook/test', hook_id: tested.id })
  await world.pass(2)
  expect(received(tested)).toMatchObject([{ id, body: { type: 'hook.test', hook_id: tested.id } }])
  expect(received(other)).toEqual([])
})

test('after a rotation the old secret signs as well', async () => {
  const hook = await create()
  const { secret } = await askOne({ type: 'hook/rotate', hook_id: hook.id })
  const rotated = { ...hook, secret: String(secret) }
  await world.ask([rcsItem('491701234500')])
  await world.pass(3)
  expect(received(hook)).toEqual(received(rotated))
  expect(await list()).toMatchObject([{ old_secret_until: expect.stringMatching(/^\d{4}-/) }])
})

test('an answer of 410 stops that hook only, until it is updated', async () => {
  const [gone, other] = [await create(), await create()]
  gone.sink.answer = () => ({ status: 410 })
  await world.ask([rcsItem('491701234506')])
  await world.pass(5)
  expect(gone.sink.calls).toHaveLength(1)
  expect(statuses(other)).toEqual(['DELIVERED', 'READ'])
  expect(await list()).toMatchObject([{ stopped: true }, { stopped: false }])
  const { body } = await world.askAdmin('GET', `/client-hooks?account=${world.accountId}`)
  expect(body).toMatchObject({
    data: [
      { account: world.accountId, hook: gone.id, address: gone.sink.address, events: null, stopped: true },
      { hook: other.id, stopped: false },
    ],
  })
  gone.sink.answer = () => ({ status: 200 })
  expect(await askOne({ type: 'hook/update', hook_id: gone.id })).toMatchObject({ stopped: false, events: null })
  await askOne({ type: 'hook/replay', hook: gone.sink.address })
  await world.pass(5)
  expect(statuses(gone).slice(1)).toEqual(['DELIVERED', 'READ'])
})

test('reports that wait for a deleted hook are given up', async () => {
  const hook = await create()
  hook.sink.answer = () => ({ status: 503 })
  const { data } = await world.ask([rcsItem('491701234500')])
  await world.pass(2)
  await askOne({ type: 'hook/delete', hook_id: hook.id })
  hooks = []
  expect(await list()).toEqual([])
  await world.pass(60)
  const { reports } = await world.trace(Number(data?.[0]?.data['msg_id']) as never)
  expect(reports).toMatchObject([{ state: 'failed', detail: 'not sent: the hook was deleted' }])
  const before = hook.sink.calls.length
  await world.ask([rcsItem('491701234500')])
  await world.pass(3)
  expect(hook.sink.calls).toHaveLength(before)
})

test('a hook that another process deletes gets nothing a second later', async () => {
  const hook = await create()
  const change = { kind: 'delete', id: hook.id } as const
  const about = { kind: 'change hook', accountId: world.accountId, at: world.clock.now(), key: null } as const
  await world.operate(async (store) => void (await store.change({ ...about, change })))
  hooks = []
  await world.pass(1)
  await world.ask([rcsItem('491701234500')])
  await world.pass(3)
  expect(hook.sink.calls).toEqual([])
})

test('hooks and their secrets survive a restart', async () => {
  const hook = await create({ events: ['message.status'] })
  await world.stopGateway()
  await world.startGateway()
  await world.ask([rcsItem('491701234500')])
  await world.pass(3)
  expect(received(hook)).toHaveLength(1)
  expect(await list()).toMatchObject([{ hook_id: hook.id, events: ['message.status'] }])
})
