/** A SIP carrier whose peer sends arbitrary bytes: none crash it, block it or occupy a call slot forever. */
import dgram from 'node:dgram'
import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSipCarrier } from '../../src/carriers/sip/sip-carrier.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Submission } from '../../src/ports/carriers/carrier.ts'
import { answerTo } from '../../src/wire/sip/headers.ts'
import { parseSip, type SipMessage, type SipRequest, writeSip } from '../../src/wire/sip/message.ts'
import { SipStream } from '../../src/wire/sip/stream.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { InboxWitness } from '../support/inbox-witness.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const ROUNDS = 12
const PIECES_A_ROUND = 40
const WINDOW = 2

const random = new SeededRandom(31)
const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

type OnRequest = (request: SipRequest, send: (bytes: Uint8Array) => void) => void

/** Resolves with its port. It sends bytes, not messages. */
function startPeer(transport: 'udp' | 'tcp', onRequest: OnRequest): Promise<number> {
  const receive = (message: SipMessage | null, send: (bytes: Uint8Array) => void) => {
    if (message?.kind === 'request') onRequest(message, send)
  }
  if (transport === 'udp') {
    const socket = dgram.createSocket('udp4')
    socket.on('message', (bytes, from) =>
      receive(parseSip(bytes), (answer) => socket.send(answer, from.port, from.address)),
    )
    open.push(async () => void socket.close())
    return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)))
  }
  const server = net.createServer((socket) => {
    const stream = new SipStream()
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const message of stream.push(chunk)) receive(message, (answer) => socket.write(answer))
    })
    open.push(async () => void socket.destroy())
  })
  open.push(async () => void server.close())
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port)),
  )
}

/** A message similar to a valid one of this call, or an unrelated one. */
function garbageAbout(invite: SipRequest): Uint8Array {
  const answers = [100, 180, 200, 302, 401, 407, 486, 503].map((status) => answerTo(invite, status, 'X', 'tag'))
  const requests = ['BYE', 'OPTIONS', 'INVITE', 'CANCEL'].map((method) => ({ ...invite, method }))
  const near = [...answers, ...requests]
  const message = near[random.below(near.length * 2)]
  if (message === undefined) return random.bytes(random.below(400))
  const bytes = writeSip(message)
  for (let change = random.below(6); change >= 0; change -= 1) bytes[random.below(bytes.length)] = random.below(256)
  return bytes.subarray(0, random.below(4) === 0 ? random.below(bytes.length) : bytes.length)
}

function callNumber(attempt: number): Submission {
  return {
    messageId: 640 as MessageId,
    step: 0,
    tenant: 1,
    attempt,
    phone: '447700900100' as Phone,
    sender: '',
    content: { kind: 'call', from: '447700901234', code: '1234' },
    parts: [0],
    lifetimeSeconds: 60,
  }
}

test.each(['udp', 'tcp'] as const)(
  'whatever bytes come over %s, every call has its verdict and the next one rings',
  async (transport) => {
    let hostile = true
    const port = await startPeer(transport, (request, send) => {
      if (hostile) for (let piece = 0; piece < PIECES_A_ROUND; piece += 1) send(garbageAbout(request))
      else if (request.method === 'INVITE') send(writeSip(answerTo(request, 180, 'Ringing', 'tag')))
      else if (request.method !== 'ACK') send(writeSip(answerTo(request, 200, 'OK', 'tag')))
    })
    const clock = new VirtualClock()
    const credentials = { username: 'posthorn', password: 'sesame' }
    const settings = { host: '127.0.0.1', port, transport, window: WINDOW, pingMs: 0, ...credentials }
    const carrier = createSipCarrier({ id: 'trunk', settings }, { clock, random, log: new SilentLog() })
    carrier.start(new InboxWitness())
    open.push(() => settled('the carrier to stop', carrier.stop(), clock))

    for (let round = 1; round <= ROUNDS; round += 1) {
      const verdicts = await settled('the verdict', carrier.submit(callNumber(round)), clock)
      expect(verdicts).toHaveLength(1)
      await turnLoop(20)
    }
    hostile = false
    await eventually('the calls to end', () => carrier.state().inFlight === 0, { clock })
    await eventually('the way to be open', () => carrier.state().up, { clock })
    const calls = Array.from({ length: WINDOW }, (_, index) => carrier.submit(callNumber(ROUNDS + 1 + index)))
    expect(await Promise.all(calls)).toMatchObject(calls.map(() => [{ kind: 'taken' }]))
    expect(carrier.state().links[0]?.protocolErrors).toBeGreaterThan(0)
  },
)
