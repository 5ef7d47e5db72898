/** A relay on a loopback port to another port of this machine; it can be opened later. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export class Relay {
  readonly #to: number
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #port = 0

  constructor(to: number) {
    this.#to = to
  }

  /** Chooses the port; connections to it are refused until `open`. */
  async reserve(): Promise<number> {
    this.#port = await freePort()
    return this.#port
  }

  async open(): Promise<void> {
    this.#server = createServer((socket) => {
      const other = connect(this.#to, '127.0.0.1')
      for (const each of [socket, other]) {
        this.#sockets.add(each)
        each.on('error', () => {})
        each.on('close', () => {
          socket.destroy()
          other.destroy()
        })
      }
      socket.pipe(other).pipe(socket)
    }).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server?.close()
  }
}
