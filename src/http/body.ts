/**
 * Request bodies in bounded memory: bounded in all, for each client address, and with a reserve for small bodies, so that
 * neither one client nor large bodies keep the others out. A body that is refused is still read, to a bound, because a
 * client that is cut off while it writes never sees the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../ports/clock.ts'
import { ArrivalWatch } from './arrival-watch.ts'
import { type ClientAddresses, type RequestOrigin, shareOf } from './client-address.ts'

/** Larger bodies leave a quarter of all room to those that are not. */
const SMALL_BYTES = 64 * 1024
const ROOM_FOR_LARGE = 0.75
/** Bodies that are still arriving leave an eighth to requests that arrive whole: no number of stalled senders keeps them out. */
const ROOM_FOR_ARRIVING = 0.875
/** What the bodies of one client address may take of all room, and what they may take in any case. */
const ROOM_FOR_ADDRESS = 0.25
const MIN_FOR_ADDRESS = 2 * SMALL_BYTES

export class BodyBudget {
  readonly #maxBytes: number
  readonly #addressBytes: number
  readonly #byAddress = new Map<string, number>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#addressBytes = Math.max(maxBytes * ROOM_FOR_ADDRESS, MIN_FOR_ADDRESS)
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes
  }

  /** Room for one body, nothing yet. `address` is null for a body that has arrived whole and is answered at once. */
  open(address: string | null): BodyHold {
    return new BodyHold(this, address)
  }

  /** False, and nothing is taken, when there is no room for so much more. */
  take(bytes: number, { size, address }: BodyHold): boolean {
    const total = this.#bytes + bytes
    if (total > this.#maxBytes * roomFor(size + bytes, address)) return false
    if (address !== null) {
      const held = (this.#byAddress.get(address) ?? 0) + bytes
      if (held > this.#addressBytes) return false
      this.#byAddress.set(address, held)
    }
    this.#bytes = total
    return true
  }

  /** What has to be held in any case, whether there is room or not. */
  add({ size, address }: BodyHold): void {
    this.#bytes += size
    if (address !== null) this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + size)
  }

  /** Whether anything is held for an address. */
  get isShared(): boolean {
    return this.#byAddress.size > 0
  }

  /** Whether the address holds all that it may. */
  isFull(address: string): boolean {
    return (this.#byAddress.get(address) ?? 0) >= this.#addressBytes
  }

  giveBack({ size, address }: BodyHold): void {
    this.#bytes -= size
    if (address === null) return
    const held = (this.#byAddress.get(address) ?? 0) - size
    if (held > 0) this.#byAddress.set(address, held)
    else this.#byAddress.delete(address)
  }
}

function roomFor(size: number, address: string | null): number {
  if (size > SMALL_BYTES) return ROOM_FOR_LARGE
  return address === null ? 1 : ROOM_FOR_ARRIVING
}

/** What one body takes of the budget, until it is released. */
export class BodyHold {
  #address: string | null
  readonly #budget: BodyBudget
  #size = 0

  constructor(budget: BodyBudget, address: string | null) {
    this.#budget = budget
    this.#address = address
  }

  get address(): string | null {
    return this.#address
  }

  get size(): number {
    return this.#size
  }

  /** False, and nothing is taken, when there is no room. */
  grow(bytes: number): boolean {
    if (!this.#budget.take(bytes, this)) return false
    this.#size += bytes
    return true
  }

  /** From now on so many bytes are held, for this address: an answer that its client has not read yet. */
  replace(bytes: number, address: string): void {
    this.#budget.giveBack(this)
    this.#address = address
    this.#size = bytes
    this.#budget.add(this)
  }

  /** Gives all of it back; again and again is as good as once. */
  release(): void {
    this.#budget.giveBack(this)
    this.#size = 0
  }
}

/** The pieces of a body in one piece of memory, which doubles as it fills: pieces of a byte cost no more than large ones. */
export class GrowingBody {
  #bytes: Buffer = Buffer.alloc(0)
  #size = 0

  get size(): number {
    return this.#size
  }

  append(chunk: Buffer): void {
    const size = this.#size + chunk.length
    if (this.#size === 0) {
      this.#bytes = chunk
    } else {
      if (size > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#bytes.length))
        this.#bytes.copy(larger, 0, 0, this.#size)
        this.#bytes = larger
      }
      chunk.copy(this.#bytes, this.#size)
    }
    this.#size = size
  }

  /** All of it, without a copy. */
  get bytes(): Buffer {
    return this.#bytes.length === this.#size ? this.#bytes : this.#bytes.subarray(0, this.#size)
  }
}

/** Bytes read and thrown away after a refusal; then the connection is cut. */
const MAX_DISCARDED = 16 * 1024 * 1024

export type BodyRefusal = 'too large' | 'busy'

/** Reads the bodies of one server's requests. */
export class Bodies {
  readonly #budget: BodyBudget
  readonly #watch: ArrivalWatch
  readonly #addresses: ClientAddresses

  /** `maxBytes`: of all bodies that are read or answered at one time. */
  constructor(options: { readonly maxBytes: number; readonly clock: Clock; readonly addresses: ClientAddresses }) {
    this.#budget = new BodyBudget(options.maxBytes)
    this.#watch = new ArrivalWatch(options.clock)
    this.#addresses = options.addresses
  }

  /** Room for the body of a request from there; null for one that has arrived whole. */
  open(origin: RequestOrigin | null): BodyHold {
    return this.#budget.open(origin === null ? null : this.addressOf(origin))
  }

  /** Whose budget a request from there is charged to. */
  addressOf(origin: RequestOrigin): string {
    return shareOf(this.#addresses.of(origin))
  }

  /** Whether the client there holds all that it may: bodies that arrive, and answers that it has not read. */
  isFull(origin: RequestOrigin): boolean {
    return this.#budget.isShared && this.#budget.isFull(this.addressOf(origin))
  }

  /**
   * Calls `done` once: with the body, or with why it is refused as soon as that is known. Not at all when it breaks off or
   * stops arriving. What it takes is released when the response ends.
   */
  read(
    request: IncomingMessage,
    response: ServerResponse,
    { hold, maxBytes }: { readonly hold: BodyHold; readonly maxBytes: number },
    done: (body: Buffer | BodyRefusal) => void,
  ): void {
    const body = new GrowingBody()
    const arrival = this.#watch.begin(request.socket)
    const refuse = (refusal: BodyRefusal): void => {
      request.off('data', take).off('end', finish)
      arrival.end()
      discardBody(request)
      done(refusal)
    }
    const take = (chunk: Buffer): void => {
      if (body.size + chunk.length > maxBytes) {
        refuse('too large')
      } else if (hold.grow(chunk.length)) {
        arrival.progress(chunk.length)
        body.append(chunk)
      } else {
        refuse('busy')
      }
    }
    const finish = (): void => {
      arrival.end()
      done(body.bytes)
    }
    request.on('data', take).on('end', finish)
    response.on('close', () => {
      arrival.end()
      hold.release()
    })
  }
}

/** Reads what is left of a body and keeps nothing of it. */
export function discardBody(request: IncomingMessage): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_DISCARDED) request.socket.destroy()
  })
}
