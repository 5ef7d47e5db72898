/**
 * One simulated world: the real delivery and the real store with a virtual clock, between carriers and hooks that lose,
 * duplicate and delay, with crashes at any moment. Every random decision comes from the seed.
 */
import { receiptOrigins } from '../../src/carriers/receipt-origins.ts'
import { sharedLimits } from '../../src/carriers/shared-limits.ts'
import { Delivery } from '../../src/delivery/delivery.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import type { MessageChannel } from '../../src/domain/channels/channel.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { type MessageId, makeMessageId } from '../../src/domain/ids/message-id.ts'
import { beginJourney, type Message, type Plan } from '../../src/domain/message/message.ts'
import { beginVerification } from '../../src/domain/message/verification.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { NO_HOOKS } from '../../src/domain/reports/client-hook.ts'
import type { Trace } from '../../src/ports/records/trace.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import type { Clock } from '../../src/ports/system/clock.ts'
import { approveSender, buildStep } from '../support/build-message.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { Hooks } from './hooks.ts'
import { Luck } from './luck.ts'
import { type MortalStore, mortalStore } from './mortal-store.ts'
import { Network } from './network.ts'
import { Verifications } from './verifications.ts'

const CHANNELS: readonly MessageChannel[] = ['rcs', 'chatapp', 'sms']
/** Two carriers for each channel: if one cannot be reached the other may be. */
const CARRIERS = { rcs: ['rcs-a', 'rcs-b'], chatapp: ['chat-a', 'chat-b'], sms: ['sms-a', 'sms-b'] } as const

/** From one crash to the next. Actions of a crashed process have no effect. */
interface Life {
  readonly delivery: Delivery
  readonly mortal: MortalStore
  readonly store: Store
}

/** The database that its stores are opened on, for all its processes. */
export interface WorldDatabase {
  open(): Promise<Store>
  close(): Promise<void>
}

export class World {
  readonly clock = new VirtualClock()
  readonly luck: Luck
  readonly network: Network
  readonly hooks: Hooks
  readonly accepted = new Map<MessageId, Message>()
  readonly verifications: Verifications
  crashes = 0
  readonly #database: WorldDatabase
  readonly #seed: number
  #life: Life | null = null
  #accountIds: AccountId[] = []
  #counter = 0

  constructor(seed: number, database: WorldDatabase) {
    this.#database = database
    this.#seed = seed
    this.luck = new Luck(seed)
    this.verifications = new Verifications(seed)
    this.hooks = new Hooks(this.clock, this.luck)
    this.network = new Network(this.clock, this.luck, (id) => this.accepted.get(id))
  }

  get store(): Store {
    return this.#alive().store
  }

  async begin(): Promise<void> {
    const store = await this.#database.open()
    // In half of the worlds reports share POSTs.
    const reportsPerPost = this.#seed % 2 === 0 ? 1 : 1 + (this.#seed % 20)
    const settings = { ...DEFAULT_ACCOUNT_SETTINGS, reportsPerPost }
    for (const name of ['poor', 'rich']) {
      const id = await store.change({
        kind: 'create account',
        account: { name, currency: 'EUR', state: 'active', hookSecrets: [], settings },
      })
      if (id === null) throw new Error('no account was made')
      this.#accountIds.push(id)
      const amountMicros = toMicros(name === 'poor' ? 400_000 : 1_000_000_000)
      await approveSender(store, id)
      await store.change({ kind: 'top up', accountId: id, amountMicros, at: this.clock.now() })
    }
    for (const channel of CHANNELS) {
      for (const [index, carrierId] of CARRIERS[channel].entries()) {
        await store.change({ kind: 'set carrier', carrier: { id: carrierId, channel, kind: 'net', settings: {} } })
        // In some channels one carrier is preferred, in others they share the traffic.
        const options = { priority: this.luck.chance(50) ? index : 0, weight: 1 + this.luck.below(3), poolId: null }
        const everywhere = { accountId: null, sender: null, prefix: '', operators: null }
        await store.change({ kind: 'set route', route: { channel, carrierId, ...everywhere, ...options } })
      }
    }
    await this.#live(store)
  }

  /** Some clients send: what the store accepts must be delivered or reported. */
  async accept(): Promise<void> {
    const { store, delivery, mortal } = this.#alive()
    const count = 1 + this.luck.below(4)
    const first = this.#draw()
    const messages = [first, ...Array.from({ length: count - 1 }, () => this.#draw(first.accountId))]
    const now = this.clock.now()
    const full = this.luck.chance(20)
    const waits = ({ journey }: Message) => full || (journey.sendAt ?? 0) > now
    const { accountId } = first
    const items = messages.map((message) => {
      return { kind: 'message' as const, message, waits: waits(message), links: [], uniqueId: false }
    })
    for (const message of messages) this.accepted.set(message.id, message)
    const answer = mortal.store.accept({ accountId, now, idempotency: null, items })
    void answer.then((outcome) => {
      if (outcome.kind !== 'executed') throw new Error('a request without a key is executed')
      const taken = messages.filter((_, index) => outcome.outcomes[index]?.kind === 'accepted')
      const waiting = taken.filter(waits)
      const dueAt = Math.min(...waiting.map(({ journey }) => journey.dueAt ?? now))
      delivery.pump.take(
        taken.filter((message) => !waits(message)),
        waiting.length === 0 ? null : dueAt,
      )
    })
    await this.rest()
    // A request without an answer may or may not have been executed; the store knows.
    const stored = new Set((await store.loadMessages(messages.map(({ id }) => id))).map(({ id }) => id))
    for (const { id } of messages) if (!stored.has(id)) this.accepted.delete(id)
  }

  /** A client cancels some of its recent messages, as far as the store allows. A successful cancellation must hold. */
  async cancel(): Promise<void> {
    const { delivery, mortal } = this.#alive()
    const recent = [...this.accepted.keys()].slice(-12)
    if (recent.length === 0) return
    const ids = Array.from({ length: 1 + this.luck.below(3) }, () => this.luck.pick(recent))
    const answer = mortal.store.loadMessages(ids).then((messages) => delivery.pump.cancel(messages))
    void answer.then((results) => {
      if (mortal.torn) return
      for (const { id, journey } of results) if (journey.status === 'CANCELLED') this.network.takenBack(id)
    })
    await this.rest()
  }

  /** Users type codes, right and wrong ones; at most one check of each verification may be approved. */
  async check(): Promise<void> {
    const { delivery, mortal } = this.#alive()
    const checks = this.verifications.draw([...this.accepted.values()].slice(-12))
    if (checks.length === 0) return
    const answer = delivery.pump.check(checks)
    void answer.then((results) => {
      if (!mortal.torn) this.verifications.note(checks, results)
    })
    await this.rest()
  }

  /** Moves the clock to the next planned action. Returns false if there is none. */
  async passTime(): Promise<boolean> {
    if (this.clock.nextAt() === null) await this.rest()
    const next = this.clock.nextAt()
    if (next === null) return false
    this.clock.turnTo(next + this.luck.below(50))
    if (this.luck.chance(95)) await this.rest()
    return true
  }

  /** kill -9 and restart: memory is lost, and everything that had not reached the store. */
  async crash(): Promise<void> {
    const { mortal, store } = this.#alive()
    this.crashes += 1
    mortal.tear()
    this.network.crash()
    await turns(6)
    await store.close()
    await this.#live(await this.#database.open())
    await this.rest()
  }

  /** Runs everything that can run without moving time. */
  async rest(): Promise<void> {
    const { mortal } = this.#alive()
    do await turns(3)
    while (mortal.pending > 0)
    this.network.rest()
  }

  async traces(): Promise<readonly Trace[]> {
    const { store } = this.#alive()
    const traces = await Promise.all([...this.accepted.keys()].map((id) => store.trace(id)))
    return traces.map((trace, index) => {
      if (trace === null) throw new Error(`accepted message number ${index} is not in the store`)
      return trace
    })
  }

  async end(): Promise<void> {
    const { mortal, store } = this.#alive()
    mortal.tear()
    await turns(6)
    await store.close()
    await this.#database.close()
  }

  /** For this account, or for a random one. */
  #draw(of?: AccountId): Message {
    this.#counter += 1
    const drawn = this.#accountIds[this.luck.chance(30) ? 0 : 1] as AccountId
    const accountId = of ?? drawn
    const start = this.luck.below(3)
    const channels = CHANNELS.slice(start, this.luck.chance(70) ? 3 : start + 1)
    const plan: Plan = channels.map((channel) =>
      buildStep(channel, {
        lifetimeSeconds: 20 + this.luck.below(60),
        priceMicros: toMicros(this.luck.below(5) * 10_000),
        parts: channel === 'sms' ? 1 + this.luck.below(3) : 1,
      }),
    )
    const now = this.clock.now()
    const sendAt = this.luck.chance(20) ? now - 1_000 + this.luck.below(90_000) : null
    const verifies = this.verifications.isOne(this.#counter)
    return {
      id: makeMessageId(this.#counter, accountId),
      accountId,
      test: false,
      clientId: String(this.#counter),
      phone: '491701234567' as Phone,
      operator: null,
      plan: verifies ? this.verifications.withCode(plan) : plan,
      hook: this.luck.chance(85) ? `https://client-${this.luck.below(3)}.example/hook` : null,
      reportSteps: this.luck.chance(30),
      currency: 'EUR',
      createdAt: now,
      journey: beginJourney(plan, now, verifies ? { verification: beginVerification(now + 90_000) } : { sendAt }),
    }
  }

  async #live(store: Store): Promise<void> {
    const mortal = mortalStore(store, this.luck)
    const clock: Clock = {
      now: () => this.clock.now(),
      monotonic: () => this.clock.now(),
      after: (milliseconds, run) =>
        this.clock.after(milliseconds, () => {
          if (!mortal.torn) run()
        }),
    }
    const directory = new Directory(await store.loadDirectory())
    const delivery = new Delivery({
      sharedLimits,
      receiptOrigins,
      store: mortal.store,
      hookPost: mortal.whileAlive(this.hooks, 'post'),
      directory: () => directory,
      hooksOf: () => NO_HOOKS,
      lookup: { operatorOf: () => null },
      clock,
      random: this.luck,
      log: new SilentLog(),
      createCarrier: ({ id, channel }) =>
        mortal.whileAlive(this.network.carrier(id, channel as MessageChannel), 'submit'),
      currency: 'EUR',
      onTurn: () => {},
      refresh: async () => {},
      limits: { maxHeld: 4, maxKept: this.luck.below(4) },
    })
    this.#life = { delivery, mortal, store }
    delivery.start()
  }

  #alive(): Life {
    if (this.#life === null) throw new Error('the world has not begun')
    return this.#life
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
