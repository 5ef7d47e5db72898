/** A tap on a TCP connection: forwards bytes in both directions and records them as a capture file for Wireshark. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The ports in the capture, whatever the real ones are. */
const PORTS = { client: 40_000, server: 2_775 } as const
const LINK_RAW_IP = 101
const MAX_BYTES = 1_400

interface Side {
  readonly from: number
  readonly to: number
  sequence: number
}

export class WireTap {
  readonly #packets: Buffer[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((client) => this.#join(client))
  readonly #target: number
  #connections = 0

  constructor(target: number) {
    this.#target = target
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** One libpcap packet for each chunk. */
  write(path: string): void {
    const head = Buffer.alloc(24)
    head.writeUInt32LE(0xa1b2c3d4, 0)
    head.writeUInt16LE(2, 4)
    head.writeUInt16LE(4, 6)
    head.writeUInt32LE(65_535, 16)
    head.writeUInt32LE(LINK_RAW_IP, 20)
    writeFileSync(path, Buffer.concat([head, ...this.#packets]))
  }

  #join(client: Socket): void {
    const server = connect({ port: this.#target, host: '127.0.0.1', noDelay: true })
    const port = PORTS.client + this.#connections
    this.#connections += 1
    this.#pass(client, server, { from: port, to: PORTS.server, sequence: 1 })
    this.#pass(server, client, { from: PORTS.server, to: port, sequence: 1 })
  }

  #pass(source: Socket, target: Socket, side: Side): void {
    this.#sockets.add(source)
    source.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += MAX_BYTES) this.#note(side, bytes.subarray(at, at + MAX_BYTES))
      target.write(bytes)
    })
    source.on('error', () => target.destroy())
    source.on('close', () => target.destroy())
  }

  #note(side: Side, bytes: Buffer): void {
    const packet = Buffer.alloc(16 + 40)
    const length = 40 + bytes.length
    packet.writeUInt32LE(this.#packets.length, 0)
    packet.writeUInt32LE(length, 8)
    packet.writeUInt32LE(length, 12)
    packet.writeUInt8(0x45, 16)
    packet.writeUInt16BE(length, 18)
    packet.writeUInt8(64, 24)
    packet.writeUInt8(6, 25)
    packet.set([127, 0, 0, 1], 28)
    packet.set([127, 0, 0, 1], 32)
    packet.writeUInt16BE(side.from, 36)
    packet.writeUInt16BE(side.to, 38)
    packet.writeUInt32BE(side.sequence, 40)
    packet.writeUInt8(0x50, 48)
    packet.writeUInt8(0x18, 49)
    packet.writeUInt16BE(65_535, 50)
    side.sequence += bytes.length
    this.#packets.push(packet, bytes)
  }
}
