/**
 * Reads request bodies in bounded memory: bounded in total and per client address, with a reserve for small bodies, so
 * that neither one client nor large bodies exclude others. A refused body is still read up to a limit, because a client
 * that is disconnected while writing never sees the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../ports/system/clock.ts'
import { ArrivalWatch } from './arrival-watch.ts'
import { type ClientAddresses, limitKeyOf, type RequestOrigin } from './client-address.ts'

/** Larger bodies leave a quarter of the memory to small ones. */
const SMALL_BYTES = 64 * 1024
const ROOM_FOR_LARGE = 0.75
/** Arriving bodies leave an eighth to requests that arrive complete, so stalled clients cannot exclude them. */
const ROOM_FOR_ARRIVING = 0.875
/** Share of the memory for the bodies of one client address, and its minimum. */
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

  /** Bytes reserved at present. */
  get bytes(): number {
    return this.#bytes
  }

  /** Opens an empty reservation for one body. `address` is null for a body that arrived complete. */
  open(address: string | null): BodyHold {
    return new BodyHold(this, address)
  }

  /** Returns false, reserving nothing, without room. */
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

  /** Reserves even without room. */
  add({ size, address }: BodyHold): void {
    this.#bytes += size
    if (address !== null) this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + size)
  }

  /** Whether anything is reserved for an address. */
  get isShared(): boolean {
    return this.#byAddress.size > 0
  }

  /** Whether the address has used up its share. */
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

/** The reservation of one body, until it is released. */
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

  /** Returns false, reserving nothing, without room. */
  grow(bytes: number): boolean {
    if (!this.#budget.take(bytes, this)) return false
    this.#size += bytes
    return true
  }

  /** Reserves bytes of an answer that the client has not read yet, for this address. */
  replace(bytes: number, address: string): void {
    this.#budget.giveBack(this)
    this.#address = address
    this.#size = bytes
    this.#budget.add(this)
  }

  /** Releases everything; may be called repeatedly. */
  release(): void {
    this.#budget.giveBack(this)
    this.#size = 0
  }
}

/** Collects a body in one buffer that doubles as it fills, so that tiny chunks cost no more than large ones. */
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

  /** Returns the body without copying it. */
  get bytes(): Buffer {
    return this.#bytes.length === this.#size ? this.#bytes : this.#bytes.subarray(0, this.#size)
  }
}

/** Bytes read and discarded after a refusal, before the connection is closed. */
const MAX_DISCARDED = 16 * 1024 * 1024

export type BodyRefusal = 'too large' | 'busy'

interface BodyLimits {
  /** Grows with the body. */
  readonly hold: BodyHold
  readonly maxBytes: number
}

/** Reads the bodies of one server. */
export class Bodies {
  readonly #budget: BodyBudget
  readonly #watch: ArrivalWatch
  readonly #addresses: ClientAddresses

  /** `maxBytes`: maximum of all bodies read or answered at one time. */
  constructor(options: { readonly maxBytes: number; readonly clock: Clock; readonly addresses: ClientAddresses }) {
    this.#budget = new BodyBudget(options.maxBytes)
    this.#watch = new ArrivalWatch(options.clock)
    this.#addresses = options.addresses
  }

  /** Reserves memory for the body of a request from this client; null for one that arrived complete. */
  open(origin: RequestOrigin | null): BodyHold {
    return this.#budget.open(origin === null ? null : this.addressOf(origin))
  }

  /** Returns the address whose share a request counts for. */
  addressOf(origin: RequestOrigin): string {
    return limitKeyOf(this.#addresses.of(origin))
  }

  /** Whether the client has used up its share, by arriving bodies and unread answers. */
  isFull(origin: RequestOrigin): boolean {
    return this.#budget.isShared && this.#budget.isFull(this.addressOf(origin))
  }

  /**
   * Calls `answer` with the body, or with the reason as soon as it is refused; not if the request breaks off or stalls.
   * The reservation is released once the answer is there and the response has ended, also if the client did not wait.
   */
  async read(
    request: IncomingMessage,
    response: ServerResponse,
    limits: BodyLimits,
    answer: (body: Buffer | BodyRefusal) => void | Promise<void>,
  ): Promise<void> {
    const { promise: closed, resolve: close } = Promise.withResolvers<null>()
    response.on('close', () => close(null))
    try {
      const body = await this.#collect(request, closed, limits)
      if (body !== null) await answer(body)
      await closed
    } finally {
      limits.hold.release()
    }
  }

  /** Returns null if the response closes first. */
  #collect(request: IncomingMessage, closed: Promise<null>, { hold, maxBytes }: BodyLimits) {
    const { promise, resolve } = Promise.withResolvers<Buffer | BodyRefusal | null>()
    const body = new GrowingBody()
    const arrival = this.#watch.begin(request.socket)
    const end = (result: Buffer | BodyRefusal | null): void => {
      request.off('data', take).off('end', finish)
      arrival.end()
      resolve(result)
    }
    const refuse = (refusal: BodyRefusal): void => {
      end(refusal)
      discardBody(request)
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
    const finish = (): void => end(body.bytes)
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      refuse('too large')
      return promise
    }
    request.on('data', take).on('end', finish)
    void closed.then(end)
    return promise
  }
}

/** Whether the body has a Content-Encoding, of which none is supported. */
export function isEncoded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return !['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase())
}

/** Reads the rest of a body and discards it. */
export function discardBody(request: IncomingMessage): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_DISCARDED) request.socket.destroy()
  })
}
