/** How much a client may ask for. Every bound of the client's side of Posthorn stands here, with its unit and default. */
export interface Limits {
  /** Operations in one request on the synchronous path. */
  readonly syncOperations: number
  /** Operations in one request on the asynchronous path. */
  readonly asyncOperations: number
  readonly bodyBytes: number
  /** What the requests that run at one time may take, 16 KiB each and their bodies; beyond it they are turned away. */
  readonly allBodiesBytes: number
  /** Objects and arrays inside each other, the envelope counted as the first. */
  readonly jsonDepth: number
  readonly idempotencyKeyCharacters: number
  /** Operations that list something, in one request: their answers can be much longer than what asks for them. */
  readonly listsInRequest: number
  /** Operations that create or delete an SMS template, in one request: they are decided one after the other. */
  readonly templateChangesInRequest: number
  /** SMS templates in one list. */
  readonly templatesListed: number
  /** SMS templates of one account, and the bytes that their texts take in the database. */
  readonly templatesKept: number
  readonly templateBytesKept: number
  /** How long an answer is remembered under its Idempotency-Key. */
  readonly idempotencySeconds: number
  /** Bytes that the answers of one account under its Idempotency-Keys may take in the database. */
  readonly idempotencyBytes: number

  readonly lifetimeMinSeconds: number
  readonly lifetimeMaxSeconds: number
  readonly lifetimeDefaultSeconds: number
  /** Parts of one SMS text. */
  readonly smsParts: number
  readonly shortLinkSeconds: number
  /** How far ahead a send may be planned. */
  readonly sendAheadSeconds: number

  /** Operations a second with the test keys of an account, which cost nothing. */
  readonly testOperationsPerSecond: number

  /** On the synchronous path a call must ring within this time, or it has failed. */
  readonly callAnswerSeconds: number
  /** The same on the asynchronous path, where nobody waits for it. */
  readonly callLifetimeSeconds: number
  /** A code is not given to the same phone again within this time. */
  readonly callCodeSeconds: number
  /** Calls by one account to one phone within an hour. */
  readonly callsPerHourToPhone: number
}

export const DEFAULT_LIMITS: Limits = {
  syncOperations: 1_000,
  asyncOperations: 10_000,
  bodyBytes: 8 * 1024 * 1024,
  allBodiesBytes: 256 * 1024 * 1024,
  jsonDepth: 32,
  idempotencyKeyCharacters: 255,
  listsInRequest: 10,
  templateChangesInRequest: 1_000,
  templatesListed: 200,
  templatesKept: 2_000,
  templateBytesKept: 4 * 1024 * 1024,
  idempotencySeconds: 24 * 3600,
  idempotencyBytes: 1024 * 1024 * 1024,

  lifetimeMinSeconds: 60,
  lifetimeMaxSeconds: 1_209_600,
  lifetimeDefaultSeconds: 172_800,
  smsParts: 10,
  shortLinkSeconds: 30 * 24 * 3600,
  sendAheadSeconds: 35 * 24 * 3600,

  testOperationsPerSecond: 20,

  callAnswerSeconds: 10,
  callLifetimeSeconds: 20,
  callCodeSeconds: 600,
  callsPerHourToPhone: 5,
}
