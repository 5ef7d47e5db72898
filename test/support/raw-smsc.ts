/** An SMSC that answers binds and nothing else: a test decides about every further PDU and byte. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Bind, isAnswer, type Pdu, type ResponsePdu } from '../../src/wire/smpp/pdu.ts'
import { PduDecoder } from '../../src/wire/smpp/pdu-decoder.ts'
import { PduWriter } from '../../src/wire/smpp/pdu-writer.ts'
import { eventually } from './eventually.ts'

interface Received {
  readonly pdu: Pdu
  readonly sequence: number
}

export class RawPeer {
  readonly socket: Socket
  readonly received: Received[] = []
  /** Called with every PDU that is not a bind. */
  react: (received: Received) => void = () => {}
  isClosed = false

  constructor(socket: Socket) {
    this.socket = socket
    const decoder = new PduDecoder()
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isClosed = true
    })
    socket.on('data', (chunk: Buffer) =>
      decoder.read(chunk, (decoded) => {
        if (decoded.kind === 'pdu') this.#take(decoded)
      }),
    )
  }

  write(bytes: Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes)
  }

  send(pdu: Pdu, sequence: number): void {
    const writer = new PduWriter()
    writer.write(pdu, sequence)
    this.write(writer.take())
  }

  /** Sends a request and resolves with its answer. */
  async ask(pdu: Pdu, sequence: number): Promise<ResponsePdu> {
    const before = this.received.length
    this.send(pdu, sequence)
    return await eventually(`the answer to ${pdu.command}`, () => {
      const answer = this.received.slice(before).find((each) => each.sequence === sequence && isAnswer(each.pdu))
      return answer?.pdu as ResponsePdu | undefined
    })
  }

  all(command: Pdu['command']): readonly Received[] {
    return this.received.filter(({ pdu }) => pdu.command === command)
  }

  #take(received: Received): void {
    const { pdu, sequence } = received
    if (!pdu.command.startsWith('bind_')) {
      this.received.push(received)
      this.react(received)
      return
    }
    const { systemId } = pdu as Bind
    this.send({ command: 'bind_transceiver_resp', status: 0, systemId, tlvs: [] }, sequence)
  }
}

export class RawSmsc {
  readonly peers: RawPeer[] = []
  /** Called with every new connection. */
  accepted: (peer: RawPeer) => void = () => {}
  readonly #server: Server

  constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => {
      const peer = new RawPeer(socket)
      this.peers.push(peer)
      this.accepted(peer)
    })
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** The newest connection. */
  get peer(): RawPeer {
    const peer = this.peers.at(-1)
    if (peer === undefined) throw new Error('nothing has connected')
    return peer
  }

  async close(): Promise<void> {
    for (const { socket } of this.peers) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
