import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { IDLE_MS } from '../../src/http/hooks/hook-connections.ts'
import { createHookPost } from '../../src/http/hooks/post-hook.ts'
import type { HookPost } from '../../src/ports/hooks/hook-post.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { callTo } from '../support/hook-call.ts'
import {
  HOOK_CERTIFICATE,
  HOOK_CERTIFICATE_KEY,
  HOOK_RSA_CERTIFICATE,
  HOOK_RSA_CERTIFICATE_KEY,
} from '../support/hook-certificate.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const clock = new VirtualClock()
const endings: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function openHookPost(setup: { readonly maxConnections?: number } = {}): HookPost {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const hookPost = createHookPost({ clock, allow: ['127.0.0.0/8'], resolve, ...setup })
  endings.push(() => hookPost.stop())
  return hookPost
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Of a hook in a private network that the operator allows, whatever is wrong there. */
const NO_ANSWER = { kind: 'failed', reason: 'no HTTP answer from this address, which is not public' }

const openHook = (listener: RequestListener) => listen(createServer(listener))

test('the answer is the status; what comes with it is thrown away', async () => {
  const port = await openHook((_, response) => response.writeHead(202).end('thanks'))
  const answer = await openHookPost().post(callTo(`http://127.0.0.1:${port}/`))
  expect(answer).toEqual({ kind: 'answered', status: 202, retryAfterMs: null })
})

test('connections are used again', async () => {
  const ports = new Set<number | undefined>()
  const port = await openHook((request, response) => {
    ports.add(request.socket.remotePort)
    request.resume().on('end', () => response.end())
  })
  const hookPost = openHookPost()
  const call = callTo(`http://127.0.0.1:${port}/`)
  for (let count = 0; count < 20; count += 1) await hookPost.post(call)
  // The next call may come a moment before the connection of the last is free again.
  expect(ports.size).toBeLessThanOrEqual(2)
})

test('answers in chunks keep the connection', async () => {
  const ports = new Set<number | undefined>()
  const port = await openHook((request, response) => {
    ports.add(request.socket.remotePort)
    response.write('one')
    request.resume().on('end', () => response.end('two'))
  })
  const hookPost = openHookPost()
  const call = callTo(`http://127.0.0.1:${port}/`)
  for (let count = 0; count < 10; count += 1) expect(await hookPost.post(call)).toMatchObject({ status: 200 })
  expect(ports.size).toBeLessThanOrEqual(2)
})

test.each([
  ['closes its connections without saying so', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', true],
  ['answers twice', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'.repeat(2), false],
])('a hook that %s gets each call on a connection of its own', async (_, answer, closes) => {
  const calls: number[] = []
  const server = createTcpServer((socket) => {
    const index = calls.push(0) - 1
    socket.on('error', () => {})
    socket.on('data', () => {
      calls[index] = (calls[index] ?? 0) + 1
      if (closes) socket.end(answer)
      else socket.write(answer)
    })
  })
  const port = await listen(server)
  const hookPost = openHookPost()
  for (let count = 0; count < 10; count += 1) {
    expect(await hookPost.post(callTo(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'answered', status: 200 })
  }
  expect(calls).toEqual(Array.from({ length: 10 }, () => 1))
})

test('a hook that sends data without a request loses its connection, and gets the next call on another one', async () => {
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  })
  const port = await listen(server)
  const hookPost = openHookPost()
  const call = callTo(`http://127.0.0.1:${port}/`)
  expect(await hookPost.post(call)).toMatchObject({ status: 200 })
  sockets[0]?.write('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n')
  await eventually('the connection to be closed', () => sockets[0]?.destroyed)
  expect(await hookPost.post(call)).toMatchObject({ status: 200 })
  expect(sockets.length).toBe(2)
})

test('a body in any language arrives whole, on IPv6 as on IPv4', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      bodies.push(`${request.headers.host} ${request.method} ${request.url} ${body}`)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
  endings.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const hookPost = createHookPost({ clock, allow: ['::1/128'], resolve: async () => [] })
  endings.push(() => hookPost.stop())
  const body = `{"text":"zażółć 😀 ${'ё'.repeat(100_000)}"}`
  const call = { ...callTo(`http://[::1]:${port}/a path?q=ż#x`), body }
  expect(await hookPost.post(call)).toMatchObject({ status: 200 })
  expect(bodies).toEqual([`[::1]:${port} POST /a%20path?q=%C5%BC ${body}`])
})

test('idle connections are bounded in all: those of the hook that was called longest ago are closed first', async () => {
  const open = new Set<Socket>()
  const server = createServer((request, response) => {
    open.add(request.socket.once('close', () => open.delete(request.socket)))
    response.writeHead(200, { 'keep-alive': 'timeout=600' }).end()
  })
  const port = await listen(server)
  const hookPost = openHookPost({ maxConnections: 3 })
  const post = (host: number) => hookPost.post(callTo(`http://hook-${host}.example:${port}/`))
  for (let host = 1; host <= 5; host += 1) expect(await post(host)).toMatchObject({ kind: 'answered' })
  await eventually('the oldest to be closed', () => open.size === 3)
  const before = new Set(open)
  // The newest are open still, and used again.
  for (let host = 3; host <= 5; host += 1) await post(host)
  expect(open).toEqual(before)
})

test('a call to a hook does not keep its other connections open', async () => {
  const open = new Set<Socket>()
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    open.add(request.socket.once('close', () => open.delete(request.socket)))
    response.setHeader('keep-alive', 'timeout=600')
    if (request.url === '/slow') waiting.push(response)
    else response.end()
  })
  // The hook itself closes none.
  server.keepAliveTimeout = 0
  const port = await listen(server)
  const hookPost = openHookPost({ maxConnections: 4 })
  const post = (host: number, path: string) => hookPost.post(callTo(`http://hook-${host}.example:${port}${path}`))
  // Each of these hooks has a call in progress, and an idle connection besides.
  const slow: Promise<unknown>[] = []
  for (const host of [1, 2]) {
    slow.push(post(host, '/slow'))
    await eventually('the slow call', () => waiting.length === host)
    await post(host, '/')
  }
  expect(open.size).toBe(4)
  for (const host of [3, 4]) await post(host, '/')
  await eventually('the idle ones to be closed', () => open.size === 4)
  for (const response of waiting) response.end()
  expect(await Promise.all(slow)).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }])
})

/** Answers when the test says so. */
async function openPatientHook() {
  const sockets = new Set<Socket>()
  const waiting: ServerResponse[] = []
  const port = await openHook((request, response) => {
    sockets.add(request.socket)
    waiting.push(response)
  })
  const answerAll = () => {
    for (const response of waiting.splice(0)) response.end()
  }
  return { address: `http://127.0.0.1:${port}/`, sockets, waiting, answerAll }
}

test('calls of a burst share 64 connections', async () => {
  const hook = await openPatientHook()
  const hookPost = openHookPost()
  const answers = Array.from({ length: 150 }, () => hookPost.post(callTo(hook.address)))
  for (const count of [64, 64, 22]) {
    await eventually('the next calls', () => hook.waiting.length === count)
    hook.answerAll()
  }
  expect(await Promise.all(answers)).toEqual(answers.map(() => ({ kind: 'answered', status: 200, retryAfterMs: null })))
  expect(hook.sockets.size).toBe(64)
})

test('calls to a hook that answers slowly wait for a connection for 50 ms, those to others not at all', async () => {
  const [slow, other] = [await openPatientHook(), await openPatientHook()]
  const hookPost = openHookPost()
  const post = (hook: typeof slow, count: number) =>
    Array.from({ length: count }, () => hookPost.post(callTo(hook.address)))
  const first = post(slow, 64)
  await eventually('the first calls', () => slow.waiting.length === 64)
  const further = [...post(slow, 10), ...post(other, 1)]
  await eventually('the call to the other hook', () => other.waiting.length === 1)
  clock.advance(49)
  await turnLoop()
  expect(slow.waiting.length).toBe(64)
  clock.advance(1)
  await eventually('the others', () => slow.waiting.length === 74)
  for (const hook of [slow, other]) hook.answerAll()
  expect(await Promise.all([...first, ...further])).toHaveLength(75)
})

test('calls that never end keep others from waiting again and again', async () => {
  const waiting: ServerResponse[] = []
  const port = await openHook((request, response) => {
    if (request.url === '/slow') waiting.push(response)
    else response.end()
  })
  const hookPost = openHookPost()
  const post = (path: string) => hookPost.post(callTo(`http://127.0.0.1:${port}${path}`))
  const slow = Array.from({ length: 64 }, () => post('/slow'))
  await eventually('the slow calls', () => waiting.length === 64)
  const first = post('/')
  await turnLoop()
  clock.advance(50)
  expect(await first).toMatchObject({ status: 200 })
  for (let count = 0; count < 10; count += 1) expect(await post('/')).toMatchObject({ status: 200 })
  for (const response of waiting) response.end()
  expect(await Promise.all(slow)).toHaveLength(64)
})

test('a call that failed while it waited for a connection is not sent', async () => {
  const hook = await openPatientHook()
  const hookPost = openHookPost()
  const answers = Array.from({ length: 65 }, () => hookPost.post(callTo(hook.address)))
  await eventually('the first calls', () => hook.waiting.length === 64)
  await hookPost.stop()
  clock.advance(50)
  await turnLoop()
  expect(hook.waiting.length).toBe(64)
  const failed = { kind: 'failed', reason: 'the gateway is stopping' }
  expect(await Promise.all(answers)).toEqual(answers.map(() => failed))
})

test('a hook cannot have its connection kept open: idle ones are closed after ten seconds', async () => {
  const open = new Set<Socket>()
  const port = await openHook((request, response) => {
    open.add(request.socket.once('close', () => open.delete(request.socket)))
    response.writeHead(200, { 'keep-alive': 'timeout=600' }).end()
  })
  const hookPost = openHookPost()
  await hookPost.post(callTo(`http://127.0.0.1:${port}/`))
  expect(open.size).toBe(1)
  const before = clock.monotonic()
  await eventually('the connection to be closed', () => open.size === 0, { clock })
  expect(clock.monotonic() - before).toBeLessThanOrEqual(IDLE_MS + 1_000)
  expect(IDLE_MS).toBe(10_000)
})

test('an account connects to four unknown hooks with TLS at a time', async () => {
  const open: Socket[] = []
  let [most, count] = [0, 0]
  const port = await listen(
    createTcpServer((socket) => {
      open.push(socket.on('error', () => {}))
      count += 1
      most = Math.max(most, open.length)
    }) as Server,
  )
  const hookPost = openHookPost()
  const calls = Array.from({ length: 12 }, (_, host) => hookPost.post(callTo(`https://h${host}.example:${port}/`)))
  await eventually('the first connections', () => count >= 4)
  // A call that began after them has ended: further connections would have come by then.
  const plain = await openHook((_, response) => response.end())
  for (let call = 0; call < 3; call += 1) await hookPost.post(callTo(`http://127.0.0.1:${plain}/`))
  expect(count).toBe(4)
  while (count < 12) {
    open.shift()?.destroy()
    await eventually('the next connection', () => open.length > 0)
  }
  for (const socket of open) socket.destroy()
  expect(await Promise.all(calls)).toMatchObject(calls.map(() => ({ kind: 'failed' })))
  expect(most).toBe(4)
})

test('connections for calls that waited count for the account that made them', async () => {
  const silent = await listen(createTcpServer(() => {}) as Server)
  let connections = 0
  const other = await listen(createTcpServer(() => (connections += 1)) as Server)
  const hookPost = openHookPost()
  const post = (account: number, port: number) => hookPost.post(callTo(`https://hook.example:${port}/`, { account }))
  const calls = Array.from({ length: 100 }, () => post(1, silent))
  calls.push(post(2, silent))
  await turnLoop()
  clock.advance(50)
  await turnLoop()
  calls.push(post(2, other))
  await eventually('the connection of the other account', () => connections === 1)
  await hookPost.stop()
  expect(await Promise.all(calls)).toMatchObject(calls.map(() => ({ kind: 'failed' })))
})

test('a hook whose answer does not end counts as answered, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>()
  const port = await openHook((request, response) => {
    request.socket.on('close', () => closed.resolve())
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  })
  const answer = await openHookPost().post(callTo(`http://127.0.0.1:${port}/`))
  expect(answer).toMatchObject({ kind: 'answered', status: 200 })
  await closed.promise
})

test('a hook that begins its answer and never ends it has answered after ten seconds', async () => {
  const port = await openHook((_, response) => response.writeHead(200).write('to be continued'))
  const hookPost = openHookPost()
  const posted = hookPost.post(callTo(`http://127.0.0.1:${port}/`))
  expect(await settled('the answer', posted, clock)).toMatchObject({ kind: 'answered', status: 200 })
})

test('a hook that says nothing has failed after ten seconds', async () => {
  const port = await openHook(() => {})
  const hookPost = openHookPost()
  const posted = hookPost.post(callTo(`http://127.0.0.1:${port}/`))
  expect(await settled('the answer', posted, clock)).toEqual(NO_ANSWER)
})

test.each(['http://127.0.0.1', 'https://127.0.0.1', 'http://hook.example', 'https://hook.example'])(
  'a closed port inside, at %s, looks like one where something else listens',
  async (origin) => {
    const closed = createTcpServer()
    const port = await listen(closed)
    await new Promise((resolve) => closed.close(resolve))
    expect(await openHookPost().post(callTo(`${origin}:${port}/`))).toEqual(NO_ANSWER)
    const reset = await listen(createTcpServer((socket) => socket.on('error', () => {}).resetAndDestroy()))
    expect(await openHookPost().post(callTo(`${origin}:${reset}/`))).toEqual(NO_ANSWER)
  },
)

test('of a public hook, the failure is named', async () => {
  const resolve = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }))
  const hookPost = createHookPost({ clock, allow: ['127.0.0.0/8'], resolve })
  endings.push(() => hookPost.stop())
  expect(await hookPost.post(callTo('https://hook.example/'))).toEqual({
    kind: 'failed',
    reason: 'the host has no public address',
  })
})

test.each(['http://127.0.0.1:25/', 'https://hook.example:5432/', 'http://[::1]:22/'])(
  'a hook that was stored before its port was refused is not called: %s',
  async (address) => {
    const reason = 'must not have the port of a service other than HTTP'
    expect(await openHookPost().post(callTo(address))).toEqual({ kind: 'forbidden', reason })
  },
)

test.each([
  'SSH-2.0-OpenSSH_9.6\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 10\r\ncontent-length: 20\r\n\r\n',
  `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  '\0\0\0',
  '',
])('a hook that speaks no HTTP has failed', async (bytes) => {
  const server = createTcpServer((socket) => socket.on('error', () => {}).end(bytes, 'latin1'))
  const port = await listen(server)
  const answer = await openHookPost().post(callTo(`http://127.0.0.1:${port}/`))
  expect(answer).toEqual(NO_ANSWER)
})

test('calls under way when the gateway stops have failed', async () => {
  const port = await openHook(() => {})
  const hookPost = openHookPost()
  const posted = hookPost.post(callTo(`http://127.0.0.1:${port}/`))
  await hookPost.stop()
  expect(await posted).toEqual({ kind: 'failed', reason: 'the gateway is stopping' })
  const late = await hookPost.post(callTo(`http://127.0.0.1:${port}/`))
  expect(late.kind).toBe('failed')
})

test('a certificate must be trusted and be for the name in the address', async () => {
  const server = createTlsServer({ cert: HOOK_CERTIFICATE, key: HOOK_CERTIFICATE_KEY }, (_, response) => response.end())
  const port = await listen(server)
  const post = (host: string) => openHookPost().post(callTo(`https://${host}:${port}/`))
  expect(await post('hook.example')).toEqual(NO_ANSWER)

  const usual = getCACertificates('default')
  endings.push(() => setDefaultCACertificates(usual))
  setDefaultCACertificates([...usual, HOOK_CERTIFICATE])
  expect(await post('hook.example')).toMatchObject({ kind: 'answered', status: 200 })
  expect(await post('other.example')).toEqual(NO_ANSWER)
})

test.each([
  ['TLS 1.2', { maxVersion: 'TLSv1.2', dhparam: 'auto', ciphers: 'DHE-RSA-AES128-GCM-SHA256' }],
  ['TLS 1.3', { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe3072' }],
] as const)('a hook cannot ask for Diffie-Hellman of a size that it chooses: %s', async (_, settings) => {
  const identity = { cert: HOOK_RSA_CERTIFICATE, key: HOOK_RSA_CERTIFICATE_KEY }
  const port = await listen(createTlsServer({ ...identity, ...settings }, (_, response) => response.end()))
  const usual = getCACertificates('default')
  endings.push(() => setDefaultCACertificates(usual))
  setDefaultCACertificates([...usual, HOOK_RSA_CERTIFICATE])
  expect(await openHookPost().post(callTo(`https://hook.example:${port}/`))).toEqual(NO_ANSWER)
})
