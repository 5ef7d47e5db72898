/**
 * A relay between gateways and the SMSC that counts connections and the submits on each of them. Connections of a
 * frozen process are counted apart: no other node can close them, but they must send nothing.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import net, { type AddressInfo, type Socket } from 'node:net'

const SUBMIT_SM = 0x04
const HEAD_BYTES = 8

export interface Aside {
  /** Submits on these connections from now on. */
  count(): () => number
}

interface Tapped {
  readonly port: number
  isAside: boolean
  submits: number
}

export class SmppTap {
  /** When each submit passed, milliseconds. */
  readonly submittedAt: number[] = []
  /** Connections at the same time, without those that were set aside. */
  maxOpen = 0
  /** When there were so many first. */
  maxOpenAt = 0
  readonly #server: net.Server
  readonly #open = new Map<Socket, Tapped>()

  private constructor(smscPort: number) {
    this.#server = net.createServer({ noDelay: true }, (socket) => this.#take(socket, smscPort))
  }

  static async open(smscPort: number): Promise<SmppTap> {
    const tap = new SmppTap(smscPort)
    await new Promise<void>((resolve) => tap.#server.listen(0, '127.0.0.1', resolve))
    return tap
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The connections of a process, which is stopped. None if the system does not say. */
  setAside(pid: number): Aside {
    const ports = portsOf(pid)
    const aside = [...this.#open.values()].filter(({ port }) => ports.has(port))
    for (const each of aside) each.isAside = true
    const sum = () => aside.reduce((total, { submits }) => total + submits, 0)
    return {
      count: () => {
        const before = sum()
        return () => sum() - before
      },
    }
  }

  /** The most submits that passed within so many milliseconds. */
  maxWithin(milliseconds: number): number {
    let most = 0
    let first = 0
    for (const [last, at] of this.submittedAt.entries()) {
      while ((this.submittedAt[first] ?? at) <= at - milliseconds) first += 1
      most = Math.max(most, last - first + 1)
    }
    return most
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#open.keys()) socket.destroy()
    await closed
  }

  #take(socket: Socket, smscPort: number): void {
    const tapped: Tapped = { port: socket.remotePort ?? 0, isAside: false, submits: 0 }
    const smsc = net.connect({ host: '127.0.0.1', port: smscPort, noDelay: true })
    this.#open.set(socket, tapped)
    // Those whose end has arrived with this beginning are read of, and gone, in the second round of the event loop from
    // now.
    setImmediate(() => setImmediate(() => this.#countOpen()))
    const count = frameReader((command) => {
      if (command !== SUBMIT_SM) return
      tapped.submits += 1
      this.submittedAt.push(performance.now())
    })
    socket.on('data', count)
    const end = (): void => {
      this.#open.delete(socket)
      socket.destroy()
      smsc.destroy()
    }
    for (const each of [socket, smsc]) each.on('error', end).on('close', end)
    socket.pipe(smsc).pipe(socket)
  }

  #countOpen(): void {
    const open = [...this.#open.values()].filter(({ isAside }) => !isAside).length
    if (open > this.maxOpen) this.maxOpenAt = performance.now()
    this.maxOpen = Math.max(this.maxOpen, open)
  }
}

/** Calls `report` with the command of each PDU whose header has arrived. */
function frameReader(report: (command: number) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isReported = false
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    while (rest.length >= HEAD_BYTES) {
      if (!isReported) report(rest.readUInt32BE(4))
      const length = rest.readUInt32BE(0)
      isReported = rest.length < length
      if (isReported) return
      rest = rest.subarray(length)
    }
  }
}

/** The local ports of a process's connections, as listed by Linux. */
function portsOf(pid: number): ReadonlySet<number> {
  try {
    const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)))
    const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
    const columns = rows.map((row) => row.trim().split(/\s+/)).filter((row) => sockets.has(`socket:[${row[9]}]`))
    return new Set(columns.map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16)))
  } catch {
    return new Set()
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
