/**
 * A relay on loopback between a store and its database that can cut connections at a commit, refuse new ones, or go
 * silent.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** As PostgreSQL's protocol has it: a plain query with this text. */
const COMMIT = Buffer.from('COMMIT\0')

interface Pair {
  readonly near: Socket
  readonly far: Socket
}

export class BadWire {
  readonly port: number
  /** What happens to the next connections that commit, one each. */
  readonly cuts: ('before the commit' | 'after the commit')[] = []
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #isShut = false
  #isMute = false

  private constructor(server: Server) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
  }

  static async open(toPort: number): Promise<BadWire> {
    let wire: BadWire | null = null
    const server = createServer({ noDelay: true }, (near) => wire?.pass(near, toPort))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    wire = new BadWire(server)
    return wire
  }

  /** Refuses new connections until `unshut`; existing ones stay. */
  shut(): void {
    this.#isShut = true
  }

  unshut(): void {
    this.#isShut = false
  }

  /** Drops all bytes from now on, without closing connections. */
  hush(): void {
    this.#isMute = true
  }

  cut(): void {
    for (const { near, far } of this.#pairs) {
      near.destroy()
      far.destroy()
    }
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  pass(near: Socket, toPort: number): void {
    if (this.#isShut) {
      near.destroy()
      return
    }
    if (this.#isMute) {
      near.on('error', () => {}).resume()
      return
    }
    const far = connect({ port: toPort, host: '127.0.0.1', noDelay: true })
    const pair = { near, far }
    this.#pairs.add(pair)
    let isDeaf = false
    for (const each of [near, far]) each.on('error', () => {})
    const over = () => {
      near.destroy()
      far.destroy()
      this.#pairs.delete(pair)
    }
    near.on('close', over)
    far.on('close', over)
    near.on('data', (bytes) => {
      if (this.#isMute) return
      const cut = bytes.includes(COMMIT) ? this.cuts.shift() : undefined
      if (cut === 'before the commit') return over()
      // The server executes it; its answer is lost.
      if (cut === 'after the commit') {
        isDeaf = true
        near.destroySoon()
        near.removeAllListeners('close')
        far.end(bytes)
        return
      }
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (!isDeaf && !this.#isMute) near.write(bytes)
    })
  }
}
