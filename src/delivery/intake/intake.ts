/**
 * Decides which messages this node holds: due messages, and messages from the queues of the store while memory has
 * room. Each tenant gets a share of the memory, so a tenant that holds little always finds room. While too many changes
 * are unwritten the node takes nothing, and accepted messages wait in the store.
 */
import { CHANNELS, type Channel } from '../../domain/channels/channel.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { type Message, tenantOf } from '../../domain/message/message.ts'
import type { EarlyReceipt } from '../../ports/carriers/receipt-address.ts'
import type { DueClaimed, QueueCapacity } from '../../ports/records/due-claim.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Claimed } from '../queues/due-watch.ts'
import type { MessageProcessor } from '../submit/process-message.ts'
import type { Enqueuer } from '../turns/enqueue.ts'
import { channelOf, type MessageCache } from '../turns/message-cache.ts'
import type { Transitions } from '../turns/transitions.ts'

export interface IntakeTools {
  readonly store: DeliveryStore
  readonly clock: Clock
  readonly directory: () => Directory
  readonly cache: MessageCache
  readonly transitions: Transitions
  readonly processor: MessageProcessor
  readonly enqueuer: Enqueuer
  /** Messages held in memory, per channel. */
  readonly maxHeld: number
  /** Of 100 messages that are claimed, those that each lower traffic class keeps. */
  readonly lowerShare: number
  /** Releases messages that this node need not hold. */
  readonly release: (ids: readonly MessageId[]) => void
  readonly applyEarlyReceipts: (earlyReceipts: readonly EarlyReceipt[]) => void
}

/** Maximum of due messages, and of messages from queues, per claim. */
const MAX_CLAIMED = 500
/** Unwritten turns and queue orders above which the node takes nothing more. */
const MAX_UNWRITTEN = 10_000
/** Tenants with less than this part of the memory count as holding nothing. */
const SMALL_PART = 64
/** Queues are claimed from again once this part of the memory has become free. */
const FREED_PART = 32

export class Intake {
  readonly #tools: IntakeTools
  /** Tenants with messages in the queues of the store: their new messages wait behind these. */
  readonly #queued = new Map<Channel, Set<number>>(CHANNELS.map((channel) => [channel, new Set()]))
  /** Messages in the store wait for room. */
  #wantsRoom = false
  #isBehind = false
  #departuresAtClaim = 0
  #stopped = false

  constructor(tools: IntakeTools) {
    this.#tools = tools
  }

  hasRoom(channel: Channel, tenant: number): boolean {
    const queued = this.#queued.get(channel)
    if (this.#stopped) return false
    if (queued?.has(tenant) !== true && !this.#isOverloaded() && this.#tools.cache.hasRoom(channel, tenant)) return true
    queued?.add(tenant)
    return false
  }

  /** Takes nothing more. */
  stop(): void {
    this.#stopped = true
  }

  /** Whether messages in the store wait for room and there may be some now. */
  mayClaim(): boolean {
    if (this.#isBehind) return !this.#isOverloaded()
    if (!this.#wantsRoom) return false
    const { cache, maxHeld } = this.#tools
    const enough = Math.ceil(Math.min(maxHeld, cache.heldCount) / FREED_PART)
    return cache.departures - this.#departuresAtClaim >= enough
  }

  async claim(): Promise<Claimed> {
    const { store, clock, directory, cache, processor, maxHeld, lowerShare } = this.#tools
    this.#isBehind = this.#isOverloaded()
    if (this.#isBehind || maxHeld === 0 || this.#stopped) return { more: false, nextDueAt: null }
    this.#departuresAtClaim = cache.departures
    const queues = this.#capacities()
    const carriers = processor.queues.openCarriers()
    const limit = Math.min(MAX_CLAIMED, maxHeld)
    const claim = { now: clock.now(), limit, queues, carriers, lowerShare, routing: directory().routingTag }
    const claimed = await store.claimDue(claim)
    this.#note(claimed, queues)
    processor.expectForwarded(claimed.forCarriers)
    this.takeDue(claimed.messages)
    for (const message of claimed.queued) if (!this.isOutdated(message)) this.#proceed(message)
    this.#tools.applyEarlyReceipts(claimed.earlyReceipts)
    if (claimed.isBlocked) processor.queues.watch()
    const { messages, earlyReceipts, nextDueAt } = claimed
    return { more: claimed.more || Math.max(messages.length, earlyReceipts.length) === limit, nextDueAt }
  }

  /** Whether this node has a newer turn of the message, written or not; that one says which node holds it. */
  isOutdated({ id, journey }: Message): boolean {
    const here = this.#tools.transitions.here(id)
    return here !== undefined && here.journey.version > journey.version
  }

  /** Processes due messages that this node holds. */
  takeDue(messages: readonly Message[]): void {
    const { cache, enqueuer, clock, release } = this.#tools
    const early: MessageId[] = []
    for (const message of messages) {
      if (this.isOutdated(message)) continue
      const { phase, deadlineAt } = message.journey
      const [channel, tenant] = [channelOf(message), tenantOf(message)]
      if (clock.now() < deadlineAt && phase !== 'open') {
        early.push(message.id)
      } else if (clock.now() >= deadlineAt || cache.holds(message.id) || cache.hasRoom(channel, tenant)) {
        this.#proceed(message)
      } else {
        this.#queued.get(channel)?.add(tenant)
        this.#wantsRoom = true
        enqueuer.wait(message, 'room')
      }
    }
    release(early)
  }

  #proceed(message: Message): void {
    const { cache, transitions, processor, clock } = this.#tools
    const now = clock.now()
    const held = cache.put(message, true)
    if (now >= message.journey.deadlineAt) transitions.applyThen(message, { kind: 'timeout', at: now })
    else processor.process(held)
  }

  #isOverloaded(): boolean {
    return this.#tools.transitions.unrecorded + this.#tools.enqueuer.size > MAX_UNWRITTEN
  }

  #capacities(): readonly QueueCapacity[] {
    const { cache, maxHeld } = this.#tools
    return CHANNELS.flatMap((channel) => {
      const free = cache.freeFor(channel)
      return free === 0 ? [] : { channel, free, held: cache.tenantsWith(channel, maxHeld / SMALL_PART) }
    })
  }

  #note({ left, isComplete }: DueClaimed, queues: readonly QueueCapacity[]): void {
    if (isComplete) for (const { channel } of queues) this.#queued.get(channel)?.clear()
    for (const { channel, tenant } of left) this.#queued.get(channel)?.add(tenant)
    this.#wantsRoom = left.length > 0 || !isComplete || queues.length < CHANNELS.length
  }
}
