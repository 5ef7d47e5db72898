/** How much memory request bodies may take: in all, for each client, and whatever the pieces in which they come. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { Bodies, BodyBudget, type BodyRefusal, GrowingBody } from '../../src/http/server/body.ts'
import { ClientAddresses, limitKeyOf, requestOriginOf } from '../../src/http/server/client-address.ts'
import { startHttpServer } from '../../src/http/server/server.ts'
import { eventually } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const KIB = 1024

afterEach(() => vi.restoreAllMocks())

test('one client gets at most a quarter of the room for all its bodies', () => {
  const budget = new BodyBudget(1_000 * KIB)
  const grown = Array.from({ length: 100 }, () => budget.open('192.0.2.1')).filter((hold) => hold.grow(10 * KIB))
  expect(grown).toHaveLength(25)
  expect(budget.open('192.0.2.2').grow(10 * KIB)).toBe(true)
  grown[0]?.release()
  expect(budget.open('192.0.2.1').grow(10 * KIB)).toBe(true)
})

test('large bodies leave a quarter of the room to small ones', () => {
  const budget = new BodyBudget(1_000 * KIB)
  const large = [1, 2, 3, 4].map((client) => budget.open(`192.0.2.${client}`))
  expect(large.map((hold) => hold.grow(200 * KIB))).toEqual([true, true, true, false])
  expect(large.map((hold) => hold.grow(40 * KIB))).toEqual([true, true, true, true])
  expect(budget.open('192.0.2.9').grow(65 * KIB)).toBe(false)
  expect(budget.open('192.0.2.9').grow(64 * KIB)).toBe(true)
})

test('bodies that are still arriving leave room to requests that arrive whole, whatever the number of addresses', () => {
  const budget = new BodyBudget(1_000 * KIB)
  const arriving = Array.from({ length: 100 }, (_, each) => budget.open(`192.0.2.${each}`)).filter((hold) =>
    hold.grow(10 * KIB),
  )
  expect(arriving).toHaveLength(87)
  expect(budget.open(null).grow(60 * KIB)).toBe(true)
})

test('the room in use is what was taken and not released, in any order', () => {
  const act = fc.record({ hold: fc.nat(9), bytes: fc.integer({ min: 0, max: 300 * KIB }), release: fc.boolean() })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const budget = new BodyBudget(1_000 * KIB)
      const holds = Array.from({ length: 10 }, (_, each) => budget.open(each === 9 ? null : `192.0.2.${each % 3}`))
      for (const { hold, bytes, release } of acts) {
        if (release) holds[hold]?.release()
        else holds[hold]?.grow(bytes)
        expect(budget.bytes).toBe(holds.reduce((sum, { size }) => sum + size, 0))
        expect(budget.bytes).toBeLessThanOrEqual(1_000 * KIB)
      }
      for (const each of holds) each.release()
      expect(budget.bytes).toBe(0)
      expect(budget.open('192.0.2.1').grow(250 * KIB)).toBe(true)
    }),
  )
})

test('a body is put together in a few pieces of memory, also when it comes byte by byte', () => {
  const allocations = vi.spyOn(Buffer, 'allocUnsafe')
  const text = Buffer.from('0123456789abcdef'.repeat(16 * KIB))
  const body = new GrowingBody()
  for (let at = 0; at < text.length; at += 1) body.append(text.subarray(at, at + 1))
  expect(body.bytes.equals(text)).toBe(true)
  expect(allocations.mock.calls.length).toBeLessThan(20)
  const allocated = allocations.mock.calls.reduce((sum, [size]) => sum + size, 0)
  expect(allocated).toBeLessThan(4 * text.length)
})

test('a request keeps its memory until it has been processed, although the client has left', async () => {
  const clock = new VirtualClock()
  const bodies = new Bodies({ maxBytes: 160 * KIB, clock, addresses: new ClientAddresses([]) })
  const processed = Promise.withResolvers<void>()
  const received: (number | BodyRefusal)[] = []
  const server = await startHttpServer({ host: '127.0.0.1', port: 0, clock, log: new SilentLog() })
  let closed = 0
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    response.on('close', () => (closed += 1))
    const limits = { hold: bodies.open(requestOriginOf(request)), maxBytes: 100 * KIB }
    await bodies.read(request, response, limits, async (body) => {
      received.push(typeof body === 'string' ? body : body.length)
      if (received.length === 1) await processed.promise
      response.end()
    })
  }
  server.serve([{ path: '/', handle }])
  const send = () => {
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
    const size = 100 * KIB
    socket.write(
      `POST / HTTP/1.1\r\nHost: p\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n${'x'.repeat(size)}`,
    )
    return socket.on('error', () => {}).resume()
  }
  const gone = send()
  await eventually('the first body', () => received.length === 1)
  gone.resetAndDestroy()
  await eventually('the end of its connection', () => closed === 1)
  await once(send(), 'close')
  expect(received).toEqual([100 * KIB, 'busy'])
  processed.resolve()
  await eventually('room again', async () => {
    await once(send(), 'close')
    return received.at(-1) === 100 * KIB && received.length > 2
  })
  await server.stop()
})

test('a client is known by its address, with IPv6 by its network', () => {
  expect(limitKeyOf('192.0.2.1')).toBe('192.0.2.1')
  expect(limitKeyOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(limitKeyOf('2001:db8:1:2:3:4:5:6')).toBe(limitKeyOf('2001:db8:1:2::1'))
  expect(limitKeyOf('2001:db8:1:2::1')).not.toBe(limitKeyOf('2001:db8:1:3::1'))
  expect(limitKeyOf('fe80::1%eth0')).toBe('fe80::')
  expect(limitKeyOf(null)).toBe('')
})

test('one client address has so many connections and no more, but for a proxy of ours', async () => {
  const setup = {
    host: '127.0.0.1',
    port: 0,
    clock: new VirtualClock(),
    log: new SilentLog(),
    connectionsPerAddress: 2,
  }
  const counted = await startHttpServer(setup)
  const behindProxy = await startHttpServer({ ...setup, trustedProxies: ['127.0.0.0/8'] })
  for (const server of [counted, behindProxy]) server.serve([])
  const sockets: Socket[] = []
  const dial = (address: string) => {
    const line = { closed: false, got: '' }
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.on('error', () => {}).on('close', () => (line.closed = true))
    socket.on('data', (chunk) => (line.got += chunk))
    socket.write('GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n')
    sockets.push(socket)
    return line
  }
  for (const [server, refused] of [
    [counted, 1],
    [behindProxy, 0],
  ] as const) {
    const lines = []
    for (let each = 0; each < 3; each += 1) {
      const line = dial(server.address)
      lines.push(line)
      await eventually('an answer or a refusal', () => line.closed || line.got !== '')
    }
    expect(lines.filter(({ got }) => got === '')).toHaveLength(refused)
  }
  sockets[0]?.destroy()
  await eventually('room for another one', async () => {
    const line = dial(counted.address)
    await eventually('an answer or a refusal', () => line.closed || line.got !== '')
    return line.got !== ''
  })
  for (const socket of sockets) socket.destroy()
  await Promise.all([counted.stop(), behindProxy.stop()])
})
