/** One request of a client, as it arrives. */
export interface ClientRequest {
  /** `sync` waits for calls to ring; `async` returns a request id at once and takes larger batches. */
  readonly mode: 'sync' | 'async'
  readonly body: Buffer
  /** The Idempotency-Key header; null without one. */
  readonly idempotencyKey: string | null
  /** The Authorization header; null without one. */
  readonly authorization: string | null
  /** The valid `traceparent` header; null without one. */
  readonly traceparent: string | null
  /** Client address; null if unknown. Called only for accounts that restrict their networks. */
  address(): string | null
  /** Reserves memory for this much of the answer before it is built; returns false without room. */
  reserve(bytes: number): boolean
}
