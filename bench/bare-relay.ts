/**
 * The least that any gateway on Node does with a message from end to end, in one process: it reads the request, answers
 * it, submits the message over our SMPP session, acknowledges the receipt and posts a signed report over bare sockets.
 * It checks, prices, seals, retries and limits nothing, and believes everything that it reads. With `rows` it first
 * writes as many bare rows as ours, in a thread of its own, with one fsync for all that wait. What it needs bounds what
 * a gateway that does all of that can reach on the same machine.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { systemClock } from '../src/app/system/system-clock.ts'
import type { PeerRequest } from '../src/wire/smpp/outcome.ts'
import { payloadOf, type ShortMessage } from '../src/wire/smpp/pdu.ts'
import { readReceiptText } from '../src/wire/smpp/receipt-text.ts'
import { SmppSession } from '../src/wire/smpp/session.ts'
import { latin1 } from '../src/wire/smpp/tlv.ts'
import { BareWriter } from './bare-writer.ts'

export interface RelaySetup {
  readonly smscPort: number
  readonly rows: boolean
}

interface Send {
  readonly id: number
  readonly phone: number
  readonly sms_signature: string
  readonly sms_message: string
  readonly hook?: string
}

const { smscPort, rows } = JSON.parse(process.argv[2] ?? '') as RelaySetup
const SECRET = Buffer.from('bench-secret-bench')
const HEAD_END = '\r\n\r\n'
/** Rows that ours writes in each turn of a message: accepted, taken, delivered, reported (`bench/cost.ts`). */
const ROWS = { accepted: 6, taken: 3, delivered: 5, reported: 2 } as const
/** As long as a row of ours is on average. */
const TEXT = 'x'.repeat(80)

const writer = rows ? new BareWriter() : null

/** Calls `done` when the rows of a turn are on disk. */
function record(turn: keyof typeof ROWS, done: () => void): void {
  if (writer === null) done()
  else writer.write([ROWS[turn], [TEXT]], done)
}

const sends = new Map<string, Send>()

const smsc = connect({ port: smscPort, host: '127.0.0.1', noDelay: true })
await once(smsc, 'connect')
const session = new SmppSession(
  smsc,
  { requested: (request, sequence) => receive(request, sequence), closed: () => {} },
  { clock: systemClock, window: 1_000_000, peerWindow: 1_000, responseTimeoutMs: 600_000, enquireLinkMs: null },
)
await new Promise<void>((bound) => {
  const bind = { systemId: 'bench', password: 'bench', systemType: '', interfaceVersion: 0x34 }
  const addressRange = { ton: 0, npi: 0, digits: '' }
  session.request({ command: 'bind_transceiver', ...bind, addressRange }, () => bound())
})

function submit(send: Send): void {
  const message: ShortMessage = {
    ...{ command: 'submit_sm', serviceType: '', source: { ton: 5, npi: 0, digits: send.sms_signature } },
    ...{ destination: { ton: 1, npi: 1, digits: String(send.phone) }, esmClass: 0, protocolId: 0, priority: 0 },
    ...{ scheduleTime: '', validityPeriod: '', registeredDelivery: 1, replaceIfPresent: 0, dataCoding: 0 },
    ...{ defaultMessageId: 0, payload: Buffer.from(send.sms_message, 'latin1'), tlvs: [] },
  }
  session.request(message, (outcome) => {
    if (outcome.kind !== 'answered' || !('messageId' in outcome.answer)) throw new Error('a submit_sm was not taken')
    sends.set(outcome.answer.messageId, send)
    record('taken', () => {})
  })
}

function receive(request: PeerRequest, sequence: number): void {
  if (request.command !== 'deliver_sm') throw new Error(`${request.command} was not expected`)
  const { id } = readReceiptText(latin1(payloadOf(request))) ?? { id: '' }
  const send = sends.get(id)
  sends.delete(id)
  record('delivered', () => {
    session.answer(sequence, { command: 'deliver_sm_resp', status: 0, messageId: '', tlvs: [] })
    if (send?.hook !== undefined) post(send, send.hook)
  })
}

/** Connections to the hook without a call. */
const idle: Socket[] = []

function post(send: Send, hook: string): void {
  const { host, port, pathname } = new URL(hook)
  const seconds = String(Math.floor(Date.now() / 1000))
  const body = `{"type":"message.status","id":${send.id},"phone":${send.phone},"status":"DELIVERED","channel":"sms"}`
  const signature = createHmac('sha256', SECRET).update(`rep_${send.id}.${seconds}.${body}`).digest('base64')
  const head =
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\nwebhook-id: rep_${send.id}\r\n` +
    `webhook-timestamp: ${seconds}\r\nwebhook-signature: v1,${signature}\r\ncontent-length: ${body.length}\r\n\r\n`
  const socket = idle.pop() ?? openHook(Number(port))
  socket.write(head + body, 'latin1')
}

function openHook(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('data', () => {
    idle.push(socket)
    record('reported', () => {})
  })
  return socket
}

const server = createServer({ noDelay: true }, (socket) => {
  let unread = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    unread += chunk.toString('latin1')
    const head = unread.indexOf(HEAD_END)
    if (head < 0) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(unread.slice(0, head))?.[1] ?? 0)
    if (unread.length < head + HEAD_END.length + length) return
    const { data } = JSON.parse(unread.slice(head + HEAD_END.length)) as { readonly data: readonly [Send] }
    unread = ''
    const [send] = data
    record('accepted', () => {
      const text = `{"success":true,"data":[{"success":true,"data":{"id":${send.id},"msg_id":65,"data":1,"parts":1}}]}`
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
        'latin1',
      )
      submit(send)
    })
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
