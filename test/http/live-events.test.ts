/** The streams of the live view, apart from what they show. */
import { request } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LiveEvents } from '../../src/http/admin/live-events.ts'
import { LiveSnapshots } from '../../src/http/metrics/live-snapshot.ts'
import { type HttpServer, startHttpServer } from '../../src/http/server/server.ts'
import type { Actor } from '../../src/operations/admin/endpoint/endpoint.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const ANNA: Actor = {
  ...{
    name: 'anna',
    role: 'owner',
    via: 'admin API',
    token: 'laptop',
    expiresAt: null,
    session: null,
    address: null,
    site: null,
    account: null,
  },
}
/** More than a listener may leave unread. */
const LARGE = { filling: 'x'.repeat(300_000) }

let clock: VirtualClock
let server: HttpServer
let taken: number
let live: LiveEvents
/** Streams that the gateway has not closed. */
let streams: number
beforeEach(async () => {
  clock = new VirtualClock()
  taken = 0
  streams = 0
  const take = async () => {
    taken += 1
    return LARGE
  }
  live = new LiveEvents({ clock, snapshots: { restart: () => {}, take } })
  server = await startHttpServer({ host: '127.0.0.1', port: 0, clock, log: new SilentLog() })
  const handle = (...[asked, response]: Parameters<Parameters<typeof server.serve>[0][number]['handle']>) => {
    streams += 1
    response.once('close', () => (streams -= 1))
    live.open(asked, response, () => ANNA)
  }
  server.serve([{ path: '/live', handle }])
})
afterEach(async () => {
  live.stop()
  await server.stop()
})

function listen({ reads }: { readonly reads: boolean }) {
  let bytes = 0
  const asked = request(`${server.address}/live`, { agent: false }, (response) => {
    if (reads) response.on('data', (piece: Buffer) => (bytes += piece.length))
    else response.pause()
    response.on('error', () => {})
  })
  asked.on('error', () => {}).end()
  return { bytes: () => bytes, leave: () => asked.destroy() }
}

test('a listener that does not read is dropped, and the others get every event', async () => {
  const [reader, idle] = [listen({ reads: true }), listen({ reads: false })]
  await eventually('both', () => streams === 2 && reader.bytes() > 0)
  await eventually('the end of the idle one', async () => {
    clock.advance(2_000)
    await turnLoop(20)
    return streams === 1
  })
  await eventually('all events', () => reader.bytes() >= taken * LARGE.filling.length)
  for (const each of [reader, idle]) each.leave()
})

test('nothing is computed while no one listens', async () => {
  const reader = listen({ reads: true })
  await eventually('an event', () => taken === 1 && reader.bytes() > LARGE.filling.length)
  reader.leave()
  await eventually('no timer', () => clock.nextAt() === null)
  expect(taken).toBe(1)
})

test('what the gateway holds is open, while the count of the store is older', async () => {
  let held = 0
  const none = { accepted: [], events: [], ends: [], reports: [] }
  const counts = { open: 0, pendingReports: 0, failedReports: 0, unreadEvents: 0 }
  const snapshots = new LiveSnapshots({
    ...{ clock, node: null, role: 'all', whyNotReady: () => null, totals: () => none as never, carriers: () => [] },
    ...{ messages: () => ({ held, inFlight: 0 }), reports: () => ({ held: 0, inFlight: 0 }) },
    ...{ counts: async () => counts, openAlarms: () => null },
  })
  expect(await snapshots.take()).toMatchObject({ messages: { held: 0, open: 0 } })
  held = 1
  expect(await snapshots.take()).toMatchObject({ messages: { held: 1, open: 1 } })
})
