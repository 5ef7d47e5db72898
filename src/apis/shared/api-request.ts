/** One request of any API, as operations get it. */
import { readTraceparent } from '../../domain/network/traceparent.ts'
import type { Bodies, BodyHold } from '../../http/server/body.ts'
import type { ClientAddresses, RequestOrigin } from '../../http/server/client-address.ts'
import type { ClientRequest } from '../../operations/request/client-request.ts'

/** Headers that are part of the request; null if missing. */
export interface RequestHeaders {
  readonly idempotencyKey: string | null
  readonly traceparent: string | null
  readonly authorization: string | null
}

export interface RequestParts extends RequestHeaders {
  readonly mode: ClientRequest['mode']
  readonly body: Buffer
  readonly origin: RequestOrigin
  readonly hold: BodyHold
}

/** Of an API whose requests are translated, and have none of the headers. */
export const NO_HEADERS: RequestHeaders = { idempotencyKey: null, traceparent: null, authorization: null }

export class ApiRequest implements ClientRequest {
  readonly mode: ClientRequest['mode']
  readonly body: Buffer
  readonly idempotencyKey: string | null
  readonly traceparent: string | null
  readonly authorization: string | null
  readonly #origin: RequestOrigin
  readonly #hold: BodyHold
  readonly #bodies: Bodies
  readonly #addresses: ClientAddresses

  constructor(parts: RequestParts, bodies: Bodies, addresses: ClientAddresses) {
    this.mode = parts.mode
    this.body = parts.body
    this.idempotencyKey = parts.idempotencyKey
    this.traceparent = parts.traceparent === null ? null : readTraceparent(parts.traceparent)
    this.authorization = parts.authorization
    this.#origin = parts.origin
    this.#hold = parts.hold
    this.#bodies = bodies
    this.#addresses = addresses
  }

  address(): string | null {
    return this.#addresses.of(this.#origin)
  }

  reserve(bytes: number): boolean {
    this.#hold.replace(this.#hold.size, this.#bodies.addressOf(this.#origin))
    return this.#hold.grow(bytes)
  }
}
