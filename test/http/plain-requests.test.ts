/**
 * The fast path for plain requests cannot be seen: whatever comes over a connection, in whatever pieces, is answered as
 * the server answers without it.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { Bodies } from '../../src/http/server/body.ts'
import { ClientAddresses, requestOriginOf } from '../../src/http/server/client-address.ts'
import { type PlainPath, plainOriginOf, writePlainHead } from '../../src/http/server/plain-head.ts'
import { type HttpRoute, type HttpServer, startHttpServer } from '../../src/http/server/server.ts'
import { eventually } from '../support/eventually.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const MAX_BODY_BYTES = 2_000

let taken = 0
const answerTo = (body: Buffer, key: string | null): string => JSON.stringify({ received: body.toString(), key })
const bodies = new Bodies({ maxBytes: 1e9, clock: systemClock, addresses: new ClientAddresses([]) })
const head = writePlainHead(200, ['Content-Type', 'application/json'])
const plainPost: PlainPath = {
  body: { maxBytes: MAX_BODY_BYTES, open: (request) => bodies.open(plainOriginOf(request)) },
  answer: async ({ body, hold, headers }) => {
    taken += 1
    return { head, text: answerTo(body, headers.get('idempotency-key') || null), release: () => hold?.release() }
  },
}
const ordinary: HttpRoute = {
  path: '/in',
  handle: (request, response) =>
    bodies.read(request, response, { hold: bodies.open(requestOriginOf(request)), maxBytes: 1_000_000 }, (body) => {
      const key = request.headers['idempotency-key']
      const text = answerTo(Buffer.from(body), typeof key === 'string' && key !== '' ? key : null)
      response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))])
      response.end(text)
    }),
}

/** Answers a GET with its target and agent; late, if the target asks for it. */
const page = (target: string, agent: unknown) => `${target} ${String(agent ?? '')}\n`
const getHeaders = ['Cache-Control', 'no-store', 'Content-Type', 'text/plain']
const plainGet: PlainPath = {
  body: null,
  answer: ({ target, headers }) => {
    taken += 1
    const answer = {
      head: writePlainHead(203, getHeaders),
      text: page(target, headers.get('user-agent')),
      release: null,
    }
    return target.includes('late') ? Promise.resolve(answer) : answer
  },
}
const ordinaryGet: HttpRoute = {
  path: '/l/',
  methods: ['GET'],
  handle: ({ headers }, response, target) => {
    const text = page(target, headers['user-agent'])
    response.writeHead(203, [...getHeaders, 'Content-Length', String(text.length)])
    response.end(text)
  },
}
const fastRoutes = [
  { ...ordinary, plain: plainPost },
  { ...ordinaryGet, plain: plainGet },
]

let fast: HttpServer
let plain: HttpServer

beforeAll(async () => {
  const setup = { host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() }
  fast = await startHttpServer(setup)
  plain = await startHttpServer(setup)
  fast.serve(fastRoutes)
  plain.serve([ordinary, ordinaryGet])
})

afterAll(() => Promise.all([fast.stop(), plain.stop()]))

/** Sends the pieces one after the other and hangs up; what was answered, without the time of day. */
function talk(server: HttpServer, pieces: readonly Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port: Number(new URL(server.address).port), host: '127.0.0.1', noDelay: true })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(answersOf(Buffer.concat(chunks).toString())))
    const send = (index: number): void => {
      const piece = pieces[index]
      if (piece === undefined) socket.end()
      else socket.write(piece, () => setImmediate(() => send(index + 1)))
    }
    send(0)
  })
}

/** All answers without what depends on the time of day and on the connection. */
function answersOf(text: string): string {
  return text.replaceAll(/(?<=\n)(?:Date|Connection|Keep-Alive): [^\r]*\r\n/g, '')
}

/** Status and body of each answer. */
function bodiesOf(text: string): string {
  return text.replaceAll(/HTTP\/1\.1 (\d+)[^\r]*\r\n(?:[^\r]+\r\n)*\r\n/g, '<$1>')
}

const post = (body: string, headers: readonly string[] = [], path = '/in'): string => {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [`POST ${path} HTTP/1.1`, 'Host: p', 'Content-Type: application/json', ...headers, length, '', body].join(
    '\r\n',
  )
}

const get = (rest = 'a', headers: readonly string[] = []): string =>
  [`GET /l/${rest} HTTP/1.1`, 'Host: p', ...headers, '', ''].join('\r\n')

const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [0, ...places.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length]
  return at.slice(1).flatMap((end, index) => (end > (at[index] ?? 0) ? [bytes.subarray(at[index], end)] : []))
}

const body = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.integer({ min: 1, max: 2 * MAX_BODY_BYTES }).map((length) => 'x'.repeat(length)),
)
const rest = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
const requests = fc.oneof(
  { weight: 4, arbitrary: rest.map((text) => get(text)) },
  rest.map((text) => get(`late${text}`, ['User-Agent: Firefox/140', 'Accept: */*', 'Cookie: a=b; c="d"'])),
  fc.constantFrom(
    get('a', ['Content-Length: 0']),
    `${get('a', ['Content-Length: 3'])}abc`,
    get('a', ['User-Agent: Größe']),
    'HEAD /l/a HTTP/1.1\r\nHost: p\r\n\r\n',
    'GET /late HTTP/1.1\r\nHost: p\r\n\r\n',
    'GET http://p/l/a HTTP/1.1\r\nHost: p\r\n\r\n',
  ),
  { weight: 6, arbitrary: body.map((text) => post(text)) },
  body.map((text) => post(text, ['Idempotency-Key: k-1', 'X-Other: a, b'])),
  body.map((text) => post(text, ['x-empty:', 'Idempotency-Key:   '])),
  fc.constant('GET /in HTTP/1.1\r\nHost: p\r\n\r\n'),
  fc.constant('GET /elsewhere HTTP/1.1\r\nHost: p\r\n\r\n'),
  body.map((text) => post(text, [], '/in?x=1')),
  body.map((text) => post(text, ['Expect: 100-continue'])),
  body.map((text) => {
    const size = Buffer.byteLength(text).toString(16)
    return `POST /in HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n${text}\r\n0\r\n\r\n`
  }),
)

/** A client sends the same head again and again. */
const repeated = fc.tuple(requests, fc.integer({ min: 1, max: 3 })).map(([text, times]) => text.repeat(times))

test('requests of every kind, in any pieces, are answered as without the fast way', async () => {
  const before = taken
  await fc.assert(
    fc.asyncProperty(
      fc.array(repeated, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (list, places) => {
        const pieces = cut(Buffer.from(list.join('')), places)
        const [withIt, without] = await Promise.all([talk(fast, pieces), talk(plain, pieces)])
        expect(withIt).toBe(without)
      },
    ),
    { numRuns: 150 },
  )
  expect(taken).toBeGreaterThan(before + 50)
})

test.each([
  [
    'two lengths',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x',
  ],
  [
    'a length and chunks',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  ],
  [
    'a length with a sign',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: +2\r\n\r\n{}',
  ],
  ['no host', 'POST /in HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'],
  [
    'two hosts',
    'POST /in HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'a folded header',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n x\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'a space before the colon',
    'POST /in HTTP/1.1\r\nHost: p\r\nContent-Length : 2\r\nContent-Type: application/json\r\n\r\n{}',
  ],
  ['bare line feeds', 'POST /in HTTP/1.1\nHost: p\nContent-Type: application/json\nContent-Length: 2\n\n{}'],
  ['an old version', 'POST /in HTTP/1.0\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'],
  [
    'a GET with a body',
    'GET /l/a HTTP/1.1\r\nHost: p\r\nContent-Length: 34\r\n\r\nGET /l/b HTTP/1.1\r\nHost: smuggled\r\n\r\n',
  ],
  ['a GET with chunks', 'GET /l/a HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a GET with two lengths', 'GET /l/a HTTP/1.1\r\nHost: p\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello'],
  ['a GET without host', 'GET /l/a HTTP/1.1\r\n\r\n'],
  ['a GET without headers but one of spaces', 'GET /l/a HTTP/1.1\r\n Host: p\r\n\r\n'],
  ['a GET with two hosts', 'GET /l/a HTTP/1.1\r\nHost: p\r\nhost: q\r\n\r\n'],
  [
    'a GET that closes',
    'GET /l/a HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\nGET /l/b HTTP/1.1\r\nHost: p\r\n\r\n',
  ],
  ['a GET that closes as to proxies', 'GET /l/a HTTP/1.1\r\nHost: p\r\nProxy-Connection: close\r\n\r\n'],
  ['a GET for another protocol', 'GET /l/a HTTP/1.1\r\nHost: p\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ['a GET of an old version', 'GET /l/a HTTP/1.0\r\nHost: p\r\n\r\n'],
  ['a GET of no version', 'GET /l/a\r\n\r\n'],
  ['a GET with a space in its path', 'GET /l/a b HTTP/1.1\r\nHost: p\r\n\r\n'],
  ['a GET with two spaces', 'GET  /l/a HTTP/1.1\r\nHost: p\r\n\r\n'],
  ['a GET with a space at the end', 'GET /l/a HTTP/1.1 \r\nHost: p\r\n\r\n'],
  ['a GET with a control character', 'GET /l/a\x00b HTTP/1.1\r\nHost: p\r\n\r\n'],
  ['a GET with a letter beyond ASCII', 'GET /l/\xe4 HTTP/1.1\r\nHost: p\r\n\r\n'],
  ['a GET in small letters', 'get /l/a HTTP/1.1\r\nHost: p\r\n\r\n'],
  ['a GET with bare line feeds', 'GET /l/a HTTP/1.1\nHost: p\n\n'],
  ['a GET with a bare line feed', 'GET /l/a HTTP/1.1\r\nHost: p\nX: y\r\n\r\n'],
  ['a GET with a null in a header', 'GET /l/a HTTP/1.1\r\nHost: p\r\nX: a\x00b\r\n\r\n'],
  ['a GET with a head of five kilobytes', `GET /l/a HTTP/1.1\r\nHost: p\r\nX: ${'y'.repeat(5_000)}\r\n\r\n`],
  ['noise', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a head without end', `POST /in HTTP/1.1\r\nHost: p\r\nX: ${'y'.repeat(20_000)}`],
])('%s is left to Node to judge', async (_, text) => {
  const before = taken
  const bytes = [Buffer.from(text, 'latin1')]
  const [withIt, without] = await Promise.all([talk(fast, bytes), talk(plain, bytes)])
  expect(withIt).toBe(without)
  expect(taken).toBe(before)
})

test.each([
  ['on the fast path', [], 1],
  ['through Node', ['TE: trailers'], 1],
  ['through Node, as one of more than are read in a turn', ['TE: trailers'], 200],
])('a request that has arrived when the server stops is answered, %s', async (_, headers, clients) => {
  const stopping = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  stopping.serve(fastRoutes)
  const open = async () => {
    const socket = connect({ port: Number(new URL(stopping.address).port), host: '127.0.0.1', noDelay: true })
    const received = { text: '' }
    socket.setEncoding('utf8').on('data', (text: string) => {
      received.text += text
    })
    socket.write(post('one', headers))
    await once(socket, 'data')
    return { socket, received, ended: once(socket, 'close') }
  }
  const connections = await Promise.all(Array.from({ length: clients }, open))
  // All in one turn of the event loop: the server has them, and has not read them.
  for (const { socket } of connections) socket.write(post('two', headers))
  await stopping.stop()
  for (const { received, ended } of connections) {
    await ended
    expect(bodiesOf(received.text)).toBe('<200>{"received":"one","key":null}<200>{"received":"two","key":null}')
  }
})

test('a server that will stop still serves all clients, and closes each connection after its next answer', async () => {
  const leaving = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  leaving.serve(fastRoutes)
  const open = async () => {
    const socket = connect({ port: Number(new URL(leaving.address).port), host: '127.0.0.1' })
    const received = { text: '' }
    socket.setEncoding('utf8').on('data', (text: string) => {
      received.text += text
    })
    await once(socket, 'connect')
    return { socket, received, ended: once(socket, 'close') }
  }
  const [kept, idle] = [await open(), await open()]
  kept.socket.write(post('one'))
  await once(kept.socket, 'data')
  leaving.giveNotice()
  kept.socket.write(post('two'))
  await kept.ended
  expect(bodiesOf(kept.received.text)).toBe('<200>{"received":"one","key":null}<200>{"received":"two","key":null}')
  expect(kept.received.text.match(/Connection: \S+/g)).toEqual(['Connection: keep-alive', 'Connection: close'])
  const late = await open()
  late.socket.write(post('three'))
  await late.ended
  expect(bodiesOf(late.received.text)).toBe('<200>{"received":"three","key":null}')
  await leaving.stop()
  await idle.ended
})

test('an answer of many megabytes arrives whole, and so does the one to the request behind it', async () => {
  const long = 'x'.repeat(30_000_000)
  const generous = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  const answer: PlainPath['answer'] = async ({ body, hold }) => {
    const text = body.toString() === 'long' ? JSON.stringify(long) : JSON.stringify(body.toString())
    return { head, text, release: () => hold?.release() }
  }
  generous.serve([{ ...ordinary, plain: { ...plainPost, answer } }])
  const socket = connect({ port: Number(new URL(generous.address).port), host: '127.0.0.1' })
  // Nothing of the answer is read before all of it must wait.
  socket.pause()
  socket.write(Buffer.concat([Buffer.from(post('long')), Buffer.from(post('short'))]))
  await once(socket, 'connect')
  let size = 0
  let tail = ''
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-200)
      if (tail.endsWith('"short"')) resolve()
    })
  })
  socket.resume()
  await Promise.race([answered, once(socket, 'close')])
  expect(tail).toContain('"short"')
  expect(size).toBeGreaterThan(long.length)
  socket.destroy()
  await generous.stop()
})

test('thousands of GETs in one piece are answered in their order', async () => {
  const count = 5_000
  const bytes = Buffer.from(Array.from({ length: count }, (_, index) => get(String(index))).join(''))
  const answers = await talk(fast, [bytes])
  const targets = [...answers.matchAll(/\/l\/(\d+)/g)].map(([, index]) => Number(index))
  expect(targets).toEqual(Array.from({ length: count }, (_, index) => index))
})

test('a client that reads no answers gets no further ones until it does', async () => {
  const [count, length] = [1_500, 20_000]
  let answered = 0
  const generous = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  const answer: PlainPath['answer'] = () => {
    answered += 1
    return { head: writePlainHead(200, getHeaders), text: 'x'.repeat(length), release: null }
  }
  generous.serve([{ ...ordinaryGet, plain: { body: null, answer } }, ordinary])
  const socket = connect({ port: Number(new URL(generous.address).port), host: '127.0.0.1' })
  socket.pause()
  socket.write(get('a').repeat(count))
  await eventually('the first answer', () => answered > 0)
  // Another connection is served by then.
  expect(await talk(generous, [Buffer.from(post('other'))])).toContain('other')
  expect(answered).toBeLessThan(count / 2)
  socket.resume()
  await eventually('all answers', () => answered === count)
  socket.destroy()
  await generous.stop()
})

test('a GET whose head stalls is cut off, and a connection without one stays', async () => {
  const clock = new VirtualClock()
  const patient = await startHttpServer({ host: '127.0.0.1', port: 0, clock, log: new SilentLog() })
  patient.serve(fastRoutes)
  const open = () => connect({ port: Number(new URL(patient.address).port), host: '127.0.0.1', noDelay: true })
  const [slow, quick] = [open(), open()]
  let closed = false
  slow.on('error', () => {}).on('close', () => (closed = true))
  slow.resume().write(get().slice(0, -2))
  await eventually('the slow one to be cut off', () => closed, { clock })
  quick.write(get('late'))
  const [answer] = (await once(quick, 'data')) as [Buffer]
  expect(answer.toString()).toContain('/l/late')
  quick.destroy()
  await patient.stop()
})

test('after notice, a connection ends with its next answer, and what was sent behind it is not taken', async () => {
  const leaving = await startHttpServer({ host: '127.0.0.1', port: 0, clock: systemClock, log: new SilentLog() })
  leaving.serve(fastRoutes)
  const before = taken
  const socket = connect({ port: Number(new URL(leaving.address).port), host: '127.0.0.1' })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.write(get('one'))
  await once(socket, 'data')
  leaving.giveNotice()
  const ended = once(socket, 'close')
  socket.write(get('two') + get('three'))
  await ended
  expect(bodiesOf(received)).toBe('<203>/l/one \n<203>/l/two \n')
  expect(received.match(/Connection: \S+/g)).toEqual(['Connection: keep-alive', 'Connection: close'])
  expect(taken).toBe(before + 2)
  await leaving.stop()
})
