/**
 * The queue of one carrier, or of one sender with a rate (sender-queues.ts): messages by traffic class, and the window
 * of parts that are on the wire or answered and not yet recorded. It starts no more than the window allows, and nothing
 * while the carrier asked to slow down or cannot take anything. The reserved part of the window is only for messages
 * that go ahead of others: where several classes wait, and of accounts that had nothing waiting.
 */
import type { MessageId } from '../../domain/ids/message-id.ts'
import { ClassQueue } from '../../domain/message/class-queue.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'

export interface QueueEntry {
  readonly id: MessageId
  readonly tenant: number
  /** Open parts, at most the window: a heavier entry would never start. */
  readonly weight: number
  /** Milliseconds: the end of the step's lifetime. */
  readonly deadlineAt: number
  /** Monotonic: when the opt-outs of its recipient were read last. */
  readonly readAt: number
}

/** A carrier that asks for longer is tried again: after further such answers it is degraded, and avoided. */
const LONGEST_PAUSE_MS = 60_000

export class CarrierQueue {
  readonly #clock: Clock
  readonly #window: number
  readonly #reserved: number
  readonly #mayStart: () => boolean
  readonly #start: (entry: QueueEntry) => boolean
  readonly #expire: (entry: QueueEntry) => void
  readonly #queue: ClassQueue<QueueEntry>
  #used = 0
  /** Monotonic. */
  #pausedUntil = Number.NEGATIVE_INFINITY
  #wakeUp: Cancel | null = null
  #sweep: Cancel | null = null
  #earliestDeadline = Number.POSITIVE_INFINITY

  /**
   * `mayStart` is called before each attempt; `start` begins it, or returns false if there is nothing to attempt any
   * more; call `ended` once the attempt is recorded. `expire` takes an entry whose lifetime ended in the queue.
   */
  constructor(options: {
    readonly clock: Clock
    readonly window: number
    /** Of the window; none if absent. */
    readonly reserved?: number | undefined
    readonly lowerShare: number
    readonly mayStart: () => boolean
    readonly start: (entry: QueueEntry) => boolean
    readonly expire: (entry: QueueEntry) => void
  }) {
    this.#clock = options.clock
    this.#window = options.window
    this.#reserved = options.reserved ?? 0
    this.#queue = new ClassQueue(options.lowerShare)
    this.#mayStart = options.mayStart
    this.#start = options.start
    this.#expire = options.expire
  }

  get length(): number {
    return this.#queue.length
  }

  /** In no particular order. */
  entries(): Iterable<QueueEntry> {
    return this.#queue
  }

  /** Returns how many messages of the tenant's class wait. */
  lengthOf(tenant: number): number {
    return this.#queue.lengthOf(tenant)
  }

  get inFlight(): number {
    return this.#used
  }

  push(entry: QueueEntry): void {
    // Most carriers take messages as fast as they come.
    if (this.#queue.length === 0 && this.#hasRoomFor(entry) && this.#mayStart() && !this.#isPaused) {
      this.#startEntry(entry)
      return
    }
    this.#queue.push(entry)
    this.#watchDeadline(entry.deadlineAt)
    this.#run()
  }

  /** Starts nothing for a time, of at most a minute. */
  pause(milliseconds: number): void {
    const wait = Math.min(milliseconds, LONGEST_PAUSE_MS)
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + wait)
  }

  /** Frees the window of an entry whose attempt is recorded. */
  ended({ weight }: QueueEntry): void {
    this.#used -= weight
    this.#run()
  }

  /** Whether the carrier can take anything now. */
  mayStart(): boolean {
    return this.#mayStart()
  }

  /** Call this when the result of `mayStart` may have changed. */
  wake(): void {
    this.#run()
  }

  /** Removes these entries, and returns them. */
  remove(isRemoved: (entry: QueueEntry) => boolean): readonly QueueEntry[] {
    return this.#queue.remove(isRemoved)
  }

  /** Empties the queue and returns its entries. */
  clear(): readonly QueueEntry[] {
    const rest = this.#queue.remove(() => true)
    this.#wakeUp?.()
    this.#wakeUp = null
    this.#sweep?.()
    this.#sweep = null
    this.#earliestDeadline = Number.POSITIVE_INFINITY
    return rest
  }

  get #isPaused(): boolean {
    return this.#pausedUntil > this.#clock.monotonic()
  }

  #run(): void {
    for (let next = this.#queue.first; next !== undefined; next = this.#queue.first) {
      if (!this.#hasRoomFor(next) || !this.#mayStart()) return
      if (this.#isPaused) {
        this.#wakeAfterPause()
        return
      }
      this.#queue.shift()
      this.#startEntry(next)
    }
  }

  #wakeAfterPause(): void {
    this.#wakeUp ??= this.#clock.after(this.#pausedUntil - this.#clock.monotonic(), () => {
      this.#wakeUp = null
      this.#run()
    })
  }

  /** A message of many parts waits until all of them have room, and so do the messages behind it. */
  #hasRoomFor({ weight }: QueueEntry): boolean {
    const reserved = this.#queue.isFirstAhead ? 0 : this.#reserved
    return this.#used + weight <= Math.max(this.#window - reserved, weight)
  }

  #startEntry(entry: QueueEntry): void {
    this.#used += entry.weight
    if (!this.#start(entry)) this.#used -= entry.weight
  }

  /** Queued messages expire on time even if nothing is sent; one timer for the earliest of them. */
  #watchDeadline(deadlineAt: number): void {
    if (deadlineAt >= this.#earliestDeadline) return
    this.#earliestDeadline = deadlineAt
    this.#sweep?.()
    this.#sweep = this.#clock.after(deadlineAt - this.#clock.now(), () => this.#expireOverdue())
  }

  #expireOverdue(): void {
    const now = this.#clock.now()
    const overdue = this.#queue.remove(({ deadlineAt }) => deadlineAt <= now)
    this.#sweep = null
    this.#earliestDeadline = Number.POSITIVE_INFINITY
    let earliest = Number.POSITIVE_INFINITY
    for (const { deadlineAt } of this.#queue) earliest = Math.min(earliest, deadlineAt)
    this.#watchDeadline(earliest)
    for (const entry of overdue) this.#expire(entry)
    this.#run()
  }
}
