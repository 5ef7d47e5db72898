/** Limits on client requests: every limit of the client API, with its unit and default. */
export interface Limits {
  /** Operations in one request on the synchronous path. */
  readonly syncOperations: number
  /** Operations in one request on the asynchronous path. */
  readonly asyncOperations: number
  readonly bodyBytes: number
  /** Maximum size of concurrent requests, 16 KiB each plus their bodies; more are refused. */
  readonly allBodiesBytes: number
  /** Nested objects and arrays; the envelope is the first. */
  readonly jsonDepth: number
  readonly idempotencyKeyCharacters: number
  /** Operations in one request that list something: their answers can be much longer than the request. */
  readonly listsInRequest: number
  /** Operations in one request that create or delete an SMS template: they run one after the other. */
  readonly templateChangesInRequest: number
  /** SMS templates in one list. */
  readonly templatesListed: number
  /** SMS templates of one account, and the bytes of their texts in the database. */
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
  /** How far ahead a send may be scheduled. */
  readonly sendAheadSeconds: number

  /** Operations per second with the test keys of an account, which are free. */
  readonly testOperationsPerSecond: number

  /** On the synchronous path a call must ring within this time, or it fails. */
  readonly callAnswerSeconds: number
  /** The same on the asynchronous path, where no client waits for it. */
  readonly callLifetimeSeconds: number
  /** A code is not given to the same phone again within this time. */
  readonly callCodeSeconds: number
  /** Calls by one account to one phone within an hour. */
  readonly callsPerHourToPhone: number
  /** Verifications of one phone by one account within an hour. */
  readonly verifyPerHourToPhone: number
  /** Verifications for one address of an end user by one account within an hour. */
  readonly verifyPerHourFromAddress: number

  /** Short links and unsubscribe links of all messages of one request: each is a row. */
  readonly linksInRequest: number
  /** Lookups per second of one account. A request may have more: the next one waits for longer. */
  readonly lookupsPerSecond: number
  /** Lookups in one request. */
  readonly lookupsInRequest: number
  /** A lookup that no service has answered within this time fails. */
  readonly lookupAnswerSeconds: number
  /** Numbers of one request whose operators are looked up before it is routed, and how long that may take. */
  readonly numbersResolved: number
  readonly resolveMs: number
  /** The same of one account per second. A request may have more: the next ones look nothing up for longer. */
  readonly routingLookupsPerSecond: number
  /** Messages per second of all bulks of one account: those that run share it in proportion to their paces. */
  readonly bulkPace: number
}

/** What the values of an account are read with. */
export interface ReadingRules extends Limits {
  /** Time zone of times without an offset; absent if they are refused. */
  readonly timeZone?: string
  /** Country of phones without a country code; absent if they are refused. */
  readonly nationalCountry?: string
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
  verifyPerHourToPhone: 5,
  verifyPerHourFromAddress: 10,

  linksInRequest: 20_000,
  lookupsPerSecond: 20,
  lookupsInRequest: 100,
  lookupAnswerSeconds: 5,
  numbersResolved: 500,
  resolveMs: 500,
  routingLookupsPerSecond: 20,
  bulkPace: 1_000,
}
