/**
 * A pooler in front of the PostgreSQL server of a run: a connection gets the session that an earlier one has left, with
 * all of its settings discarded. Starting a session and filling its caches takes a server many times what a test asks
 * of it. Sessions keep the number of their process, so that no client notices the pooler.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Far fewer than the server accepts, for others are in use. */
const MAX_IDLE = 60

/** The last message of a client that closes its connection in order. */
const TERMINATE = Buffer.from('X\0\0\0\x04', 'latin1')
/** Ends a transaction, and what stands before a failed statement. */
const DISCARD = Buffer.concat([Buffer.from('S\0\0\0\x04', 'latin1'), query('ROLLBACK'), query('DISCARD ALL')])
/** The last messages of a session that has discarded everything. */
const DISCARDED = Buffer.from('C\0\0\0\x10DISCARD ALL\0Z\0\0\0\x05I', 'latin1')
/** The server knows the client; what follows, up to the first wait for a statement, greets it. */
const KNOWN = Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1')
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** A connection to the server. */
interface Session {
  readonly socket: Socket
  /** The first message of its client: user, database and settings. */
  readonly asked: Buffer
  /** What the server answered once it knew the client. */
  greeting: Buffer
}

export class PostgresSessions {
  readonly #to: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** The one that was left last comes last. */
  readonly #idle: Session[] = []

  private constructor(to: number) {
    this.#to = to
    this.#server = createServer((client) => this.#take(client))
  }

  /** In front of the server at this port. */
  static async open(to: number): Promise<PostgresSessions> {
    const sessions = new PostgresSessions(to)
    await once(sessions.#server.listen(0, '127.0.0.1'), 'listening')
    return sessions
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(client: Socket): void {
    this.#watch(client)
    client.once('data', (first: Buffer) => {
      const index = this.#idle.findLastIndex(({ asked }) => asked.equals(first))
      const [left] = index === -1 ? [] : this.#idle.splice(index, 1)
      if (left !== undefined) client.write(left.greeting)
      this.#join(client, left ?? this.#begin(first))
    })
  }

  #begin(first: Buffer): Session {
    const socket = connect(this.#to, '127.0.0.1').setNoDelay()
    this.#watch(socket)
    const session = { socket, asked: first, greeting: Buffer.alloc(0) }
    socket.once('end', () => socket.destroy())
    socket.once('close', () => this.#forget(session))
    socket.write(first)
    readGreeting(session)
    return session
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
  }

  #join(client: Socket, session: Session): void {
    const { socket } = session
    client.setNoDelay()
    const answer = (bytes: Buffer) => client.write(bytes)
    const part = () => {
      socket.off('data', answer).off('close', end)
      client.off('data', ask).off('close', end)
    }
    const end = () => {
      part()
      socket.destroy()
      client.destroySoon()
    }
    const ask = (bytes: Buffer) => {
      const isLast = bytes.subarray(-TERMINATE.length).equals(TERMINATE)
      if (!isLast || session.greeting.length === 0) return socket.write(bytes)
      part()
      socket.write(bytes.subarray(0, -TERMINATE.length))
      client.end()
      return this.#leave(session)
    }
    socket.on('data', answer).once('close', end)
    client.on('data', ask).once('close', end)
  }

  /** Keeps it for a later client. */
  #leave(session: Session): void {
    const { socket } = session
    let last = Buffer.alloc(0)
    const read = (bytes: Buffer) => {
      last = Buffer.concat([last, bytes]).subarray(-DISCARDED.length)
      if (!last.equals(DISCARDED)) return
      socket.off('data', read)
      this.#idle.push(session)
      if (this.#idle.length > MAX_IDLE) this.#idle.shift()?.socket.destroy()
    }
    socket.on('data', read)
    socket.write(DISCARD)
  }

  #forget(session: Session): void {
    const index = this.#idle.indexOf(session)
    if (index !== -1) this.#idle.splice(index, 1)
  }
}

function readGreeting(session: Session): void {
  let received = Buffer.alloc(0)
  const read = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    const start = received.indexOf(KNOWN)
    const end = start === -1 ? -1 : received.indexOf(READY, start)
    if (end === -1) return
    session.socket.off('data', read)
    session.greeting = received.subarray(start, end + READY.length)
  }
  session.socket.on('data', read)
}

function query(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`)
  const head = Buffer.from('Q\0\0\0\0', 'latin1')
  head.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
