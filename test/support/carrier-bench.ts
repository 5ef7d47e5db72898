/** The real delivery and store between carriers that do as a test says, under a clock that it turns. */
import { sharedLimits } from '../../src/carriers/shared-limits.ts'
import { Delivery } from '../../src/delivery/delivery.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import { beginJourney, type Message, type Step, tenantOf } from '../../src/domain/message/message.ts'
import { beginVerification } from '../../src/domain/message/verification.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { NO_HOOKS } from '../../src/domain/reports/client-hook.ts'
import type { Route } from '../../src/domain/routing/route.ts'
import type { Carrier, Inbox, Submission } from '../../src/ports/carriers/carrier.ts'
import type { RoutingChange } from '../../src/ports/changes/routing-change.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { approveSender, buildAccount, buildMessage, buildStep } from './build-message.ts'
import { turnLoop } from './eventually.ts'
import { memoryDatabase } from './memory-database.ts'
import { SeededRandom } from './seeded-random.ts'
import { SilentLog } from './silent-log.ts'
import { TEST_KEYS } from './test-keys.ts'
import { VirtualClock } from './virtual-clock.ts'

/** An SMS carrier in the hand of a test: at first it is up and takes everything. */
export class ScriptedCarrier implements Carrier {
  readonly channel = 'sms'
  readonly window = 10
  readonly submissions: Submission[] = []
  up = true
  answer: (part: number, submission: Submission) => Verdict | Promise<Verdict>
  readonly id: string
  inbox: Inbox | null = null
  stopped = 0
  /** How long its connections take to close. */
  closed: Promise<void> = Promise.resolve()

  constructor(id: string) {
    this.id = id
    this.answer = (part, { messageId }) => ({ kind: 'taken', ref: `${id}-${messageId}-${part}` })
  }

  start(inbox: Inbox): void {
    this.inbox = inbox
  }

  submit(submission: Submission): Promise<readonly Verdict[]> {
    this.submissions.push(submission)
    return Promise.all(submission.parts.map((part) => this.answer(part, submission)))
  }

  state() {
    return { up: this.up, since: 0, inFlight: 0, lastError: null, lastErrorAt: null, throughput: null, links: [] }
  }

  async stop(): Promise<void> {
    this.stopped += 1
    await this.closed
  }

  /** Answers so from now on. */
  says(kind: 'unreachable' | 'unclear' | 'slow'): void {
    this.answer = () => ({ kind, reason: `${this.id} is ${kind}`, retryAfterMs: null })
  }

  takes(): void {
    this.answer = (part, { messageId }) => ({ kind: 'taken', ref: `${this.id}-${messageId}-${part}` })
  }
}

interface SmsOptions {
  readonly content?: Step['content']
  /** All of SMS, and each changed by the options. */
  readonly steps?: number
  readonly parts?: number
  readonly lifetimeSeconds?: number
  readonly sendAt?: number | null
  readonly accountId?: AccountId
  /** All of them are left to the store, as by a node that only takes requests. */
  readonly waits?: boolean
  /** Milliseconds: until when the code in the text can be checked. */
  readonly verifiedUntil?: number
}

interface BenchOptions {
  readonly maxHeld?: number
  readonly maxKept?: number
  readonly maxParked?: number
  readonly down?: readonly string[]
  /** By carrier; carriers with a common one get each other's receipts. */
  readonly receiptOrigins?: Readonly<Record<string, readonly string[]>>
  /** What delivery is given for the store. */
  readonly wrap?: (store: Store) => Store
  /** For carriers that are not in the hand of the test: what they need, and how they are made. */
  readonly before?: (clock: VirtualClock) => Promise<void>
  readonly createCarrier?: (id: string, clock: VirtualClock) => Carrier
}

export class CarrierBench {
  readonly clock = new VirtualClock()
  readonly carriers = new Map<string, ScriptedCarrier>()
  readonly log = new SilentLog()
  readonly store: Store
  delivery: Delivery
  readonly #options: BenchOptions
  #directory: Directory
  #counter = 0

  private constructor(store: Store, directory: Directory, options: BenchOptions) {
    this.store = store
    this.#directory = directory
    this.#options = options
    this.delivery = this.#deliver()
  }

  #deliver(): Delivery {
    const { maxHeld = 1_000, maxKept = 100, maxParked, wrap = (store) => store, createCarrier } = this.#options
    return new Delivery({
      sharedLimits,
      receiptOrigins: ({ id }) => this.#options.receiptOrigins?.[id] ?? [],
      store: wrap(this.store),
      hookPost: { post: async () => ({ kind: 'answered', status: 200, retryAfterMs: null }), stop: async () => {} },
      directory: () => this.#directory,
      hooksOf: () => NO_HOOKS,
      lookup: { operatorOf: () => null },
      clock: this.clock,
      random: new SeededRandom(),
      log: this.log,
      createCarrier: ({ id }) => createCarrier?.(id, this.clock) ?? this.carrier(id),
      currency: 'EUR',
      onTurn: () => {},
      refresh: async () => {},
      limits: { maxHeld, maxKept, ...(maxParked === undefined ? {} : { maxParked }) },
    })
  }

  /**
   * Carriers in the order of their priority, all for every number. Those in `down` are not up when the gateway starts.
   */
  static async start(ids: readonly string[], options: BenchOptions = {}): Promise<CarrierBench> {
    const database = memoryDatabase()
    const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true, database })
    const account = buildAccount()
    await store.change({ kind: 'create account', account })
    await approveSender(store, account.id)
    await store.change({ kind: 'top up', accountId: account.id, amountMicros: toMicros(1_000_000_000), at: 0 })
    for (const [priority, id] of ids.entries()) {
      await store.change({ kind: 'set carrier', carrier: { id, channel: 'sms', kind: 'scripted', settings: {} } })
      await store.change({ kind: 'set route', route: buildRoute(id, { priority }) })
    }
    const bench = new CarrierBench(store, new Directory(await store.loadDirectory()), options)
    await options.before?.(bench.clock)
    for (const id of options.down ?? []) bench.carrier(id).up = false
    bench.delivery.start()
    await bench.rest()
    return bench
  }

  /** The gateway stops, and another one starts on what it leaves. */
  async restart(): Promise<void> {
    await this.delivery.stop()
    this.delivery = this.#deliver()
    this.delivery.start()
    await this.rest()
  }

  /** One more account with money. */
  async account(): Promise<AccountId> {
    const { id: _, ...account } = buildAccount({ name: `Client ${this.#counter}` })
    const accountId = (await this.store.change({ kind: 'create account', account } as never)) as AccountId
    await this.store.change({ kind: 'top up', accountId, amountMicros: toMicros(1_000_000_000), at: 0 })
    return accountId
  }

  carrier(id: string): ScriptedCarrier {
    const carrier = this.carriers.get(id) ?? new ScriptedCarrier(id)
    this.carriers.set(id, carrier)
    return carrier
  }

  /** An operator changes something, and the gateway looks. */
  async change(...changes: readonly RoutingChange[]): Promise<void> {
    for (const change of changes) await this.store.change(change)
    this.#directory = new Directory(await this.store.loadDirectory(), this.#directory)
    this.delivery.refresh()
    await this.rest()
  }

  /**
   * Accepts SMS of so many parts, to be sent at once or at a time, milliseconds; all of one account, in one request.
   */
  async send(
    count = 1,
    { sendAt = null, steps = 1, accountId, waits: all = false, verifiedUntil, ...change }: SmsOptions = {},
  ) {
    const messages: Message[] = []
    for (let index = 0; index < count; index += 1) {
      this.#counter += 1
      const plan = Array.from({ length: steps }, () => buildStep('sms', { lifetimeSeconds: 60, ...change }))
      const now = this.clock.now()
      const verification = verifiedUntil === undefined ? {} : { verification: beginVerification(verifiedUntil) }
      const journey = beginJourney(plan, now, { sendAt, ...verification })
      const owner = accountId === undefined ? {} : { accountId }
      messages.push(buildMessage({ counter: this.#counter, plan, createdAt: now, journey, ...owner }))
    }
    const { pump } = this.delivery
    const items = messages.map((message) => {
      const waits = all || sendAt !== null || !pump.hasRoom('sms', tenantOf(message))
      return { kind: 'message', message, waits, links: [], uniqueId: false } as const
    })
    const sender = messages[0]?.accountId as AccountId
    await this.store.accept({ accountId: sender, now: this.clock.now(), idempotency: null, items })
    const held = items.flatMap(({ message, waits }) => (waits ? [] : message))
    pump.take(held, held.length === items.length ? null : (sendAt ?? this.clock.now()))
    await this.rest()
    return messages.map(({ id }) => id)
  }

  /** `a taken`, in order, of all that was recorded of a message. */
  async timeline(id: Message['id']): Promise<readonly string[]> {
    const trace = await this.store.trace(id)
    return (trace?.timeline ?? []).map(({ kind, carrierId }) => `${carrierId} ${kind}`)
  }

  async timelines(ids: readonly Message['id'][]): Promise<readonly (readonly string[])[]> {
    return Promise.all(ids.map((id) => this.timeline(id)))
  }

  async statuses(ids: readonly Message['id'][]): Promise<readonly string[]> {
    return (await this.store.loadMessages(ids)).map(({ journey }) => journey.status)
  }

  /** How many submissions each carrier saw. */
  get asked(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.carriers].map(([id, { submissions }]) => [id, submissions.length]))
  }

  async pass(seconds: number): Promise<void> {
    const until = this.clock.now() + seconds * 1_000
    for (;;) {
      await this.rest()
      const next = this.clock.nextAt()
      if (next === null || next > until) break
      this.clock.turnTo(next)
    }
    this.clock.turnTo(until)
    await this.rest()
  }

  async rest(): Promise<void> {
    let quiet = 0
    while (quiet < 10) {
      await turnLoop(1)
      quiet = this.delivery.pump.facts.inFlight === 0 ? quiet + 1 : quiet + 0.5
    }
  }

  async stop(): Promise<void> {
    await this.delivery.stop()
    await this.store.close()
  }
}

export function buildRoute(carrierId: string, change: Partial<Route> = {}): Route {
  const everywhere = { accountId: null, sender: null, prefix: '', operators: null, weight: 1, poolId: null }
  return { channel: 'sms', carrierId, priority: 0, ...everywhere, ...change }
}
