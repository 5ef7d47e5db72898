/** Carriers' webhooks: what is refused before a body is read, and who may take how much memory. */
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { createTelegramCarrier } from '../../src/carriers/telegram/telegram-carrier.ts'
import { createViberCarrier } from '../../src/carriers/viber/viber-carrier.ts'
import { createWhatsAppCarrier } from '../../src/carriers/whatsapp/whatsapp-carrier.ts'
import { ClientAddresses } from '../../src/http/server/client-address.ts'
import { type HttpServer, startHttpServer } from '../../src/http/server/server.ts'
import { createCarrierWebhooks } from '../../src/http/webhooks/carrier-webhooks.ts'
import type { Carrier } from '../../src/ports/carriers/carrier.ts'
import { eventually } from '../support/eventually.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const MIB = 1024 * 1024
const TOKEN = 'a-token-of-our-own'
const TELEGRAM = {
  'x-request-timestamp': String(Math.floor(new VirtualClock().now() / 1_000)),
  'x-request-signature': '0'.repeat(64),
}

let server: HttpServer
let clock: VirtualClock
let sockets: Socket[]
const refused: string[] = []

beforeEach(async () => {
  clock = new VirtualClock()
  const tools = { clock, random: new SeededRandom(), log: new SilentLog(), mayAct: () => true }
  const carriers: Carrier[] = [
    createViberCarrier({ id: 'viber', settings: { serviceId: 1, webhookToken: '0123456789abcdef0123' } }, tools),
    createWhatsAppCarrier(
      {
        id: 'meta',
        settings: {
          wabaId: '1',
          senders: { Shop: '2' },
          accessToken: 'token',
          appSecret: '0123456789abcdef0123456789abcdef',
          verifyToken: 'mine',
        },
      },
      tools,
    ),
    createHttpCarrier(
      {
        id: 'parrot',
        channel: 'sms',
        settings: {
          request: { address: 'https://a.example/send', json: { text: '{{text}}' } },
          answer: { id: 'ours' },
          inbound: { auth: { kind: 'token', token: TOKEN }, from: 'from', to: 'to', text: 'text', id: 'id' },
        },
      },
      tools,
    ),
    createTelegramCarrier(
      { id: 'telegram', settings: { token: 'token', callbackUrl: 'https://p.example/carriers/telegram' } },
      tools,
    ),
  ]
  refused.length = 0
  sockets = []
  server = await startHttpServer({ host: '127.0.0.1', port: 0, clock: tools.clock, log: tools.log })
  server.serve([
    createCarrierWebhooks({
      carrier: (id) => carriers.find((each) => each.id === id),
      onRefused: (id) => refused.push(id),
      clock: tools.clock,
      addresses: new ClientAddresses(['127.0.0.1/32']),
    }),
  ])
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.stop()
})

/** Begins a POST whose body does not end; what is answered is in `got`. */
function begin(
  path: string,
  options: { readonly headers?: string; readonly bytes?: number; readonly length?: number } = {},
) {
  const { headers = '', bytes = 0, length = MIB } = options
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
  const line = { got: '', sent: false }
  sockets.push(socket)
  socket.on('error', () => {}).on('data', (chunk) => (line.got += chunk))
  socket.write(`POST ${path} HTTP/1.1\r\nHost: p\r\n${headers}Content-Length: ${length}\r\n\r\n`)
  socket.write('x'.repeat(bytes), () => (line.sent = true))
  return line
}

test.each([
  ['an unknown carrier', '/carriers/unknown', '', 404],
  ['Viber without the right token', '/carriers/viber/guess', '', 404],
  ['WhatsApp without a signature', '/carriers/meta', '', 401],
  ['WhatsApp with a signature that can be none', '/carriers/meta', 'X-Hub-Signature-256: sha256=1\r\n', 401],
])('%s is refused before the body is read', async (_, path, headers, status) => {
  const line = begin(path, { headers })
  await eventually('the refusal', () => line.got !== '')
  expect(line.got).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(refused).toHaveLength(1)
})

test('one address that fills all memory it may have keeps no other one out', async () => {
  const signature = `X-Hub-Signature-256: sha256=${'ab'.repeat(32)}\r\n`
  const from = (address: string) => ({ headers: `${signature}X-Forwarded-For: ${address}\r\n`, bytes: MIB - 1 })
  const flood = Array.from({ length: 24 }, () => begin('/carriers/meta', from('192.0.2.66')))
  await eventually('the flood to meet its limit', () => flood.some(({ got }) => got.startsWith('HTTP/1.1 503')))
  await eventually('all of it to be sent', () => flood.every(({ sent }) => sent))
  const other = begin('/carriers/meta', from('192.0.2.7'))
  await eventually('the other body to arrive', () => other.sent)
  const body = '{}'
  const answer = await fetch(`${server.address}/carriers/meta`, {
    method: 'POST',
    headers: { 'x-hub-signature-256': `sha256=${'cd'.repeat(32)}`, 'x-forwarded-for': '192.0.2.8' },
    body,
  })
  // Read, but signed by another sender.
  expect([answer.status, await answer.text()]).toEqual([401, 'wrong signature'])
  expect(other.got).toBe('')
})

const SIGNED = `X-Hub-Signature-256: sha256=${'ab'.repeat(32)}\r\n`

test.each([
  ['/carriers/meta', { 'x-hub-signature-256': `sha256=${'ab'.repeat(32)}` }, 3],
  ['/carriers/viber/0123456789abcdef0123', {}, 1],
  [`/carriers/parrot/inbound/${TOKEN}`, {}, 1],
  ['/carriers/telegram', TELEGRAM, 1],
] as const)(
  'a call to %s has the size that its carrier sends, and more is refused before it arrives',
  async (path, headers, mib) => {
    const body = 'x'.repeat(mib * MIB)
    const allowed = await fetch(server.address + path, { method: 'POST', headers, body })
    // Read, and not understood.
    expect(allowed.status).toBeOneOf([400, 401])
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const line = begin(path, { headers: lines.join(''), length: mib * MIB + 1 })
    await eventually('the refusal', () => line.got !== '')
    expect(line.got).toMatch(/^HTTP\/1\.1 413 /)
  },
)

test('a call without a length is refused when it has grown too large', async () => {
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1')
  let got = ''
  sockets.push(socket)
  socket.on('error', () => {}).on('data', (chunk) => (got += chunk))
  socket.write(`POST /carriers/meta HTTP/1.1\r\nHost: p\r\n${SIGNED}Transfer-Encoding: chunked\r\n\r\n`)
  for (let each = 0; each < 4; each += 1) socket.write(`${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`)
  await eventually('the refusal', () => got !== '')
  expect(got).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([
  ['a wrong signature', '/carriers/meta', 401],
  ['a body that is not JSON', '/carriers/viber/0123456789abcdef0123', 400],
])('large bodies of an address are not read any more after 8 MiB with %s in a minute', async (_, path, status) => {
  const post = async (address: string, bytes: number) => {
    const headers = { 'x-hub-signature-256': `sha256=${'ab'.repeat(32)}`, 'x-forwarded-for': address }
    return (await fetch(server.address + path, { method: 'POST', headers, body: 'x'.repeat(bytes) })).status
  }
  const signature = `X-Hub-Signature-256: sha256=${'ab'.repeat(32)}\r\n`
  for (let each = 0; each < 8; each += 1) expect(await post('192.0.2.66', MIB)).toBe(status)
  const next = begin(path, { headers: `${signature}X-Forwarded-For: 192.0.2.66\r\n`, length: 65_537 })
  await eventually('the refusal', () => next.got !== '')
  expect(next.got).toMatch(/^HTTP\/1\.1 429 /)
  expect([await post('192.0.2.66', 65_536), await post('192.0.2.7', MIB)]).toEqual([status, status])
  clock.advance(60_000)
  expect(await post('192.0.2.66', MIB)).toBe(status)
})
