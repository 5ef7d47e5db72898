/**
 * Sends submits over the bound session with the most free window, as fast as the pace allows. Submits that must wait
 * are queued for a bounded time, by traffic class and account: with a throughput of 100 a second, the window of one
 * account's bulk is ten seconds of others' waiting otherwise. A submit that the carrier throttles returns to its place
 * in the queue. Submits fail at once if no session is bound.
 */
import { ClassQueue } from '../../domain/message/class-queue.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import { describeStatus } from '../../wire/smpp/command-status.ts'
import type { Outcome } from '../../wire/smpp/outcome.ts'
import type { ResponsePdu, ShortMessage } from '../../wire/smpp/pdu.ts'
import type { SmppSession } from '../../wire/smpp/session.ts'
import { Pace } from './pace.ts'

/** The outcome of a submit. `deferred`: the carrier does not have it, and its time in the queue is over. */
export type Sent = Outcome | Deferred

interface Deferred {
  readonly kind: 'deferred'
  readonly reason: string
  readonly retryAfterMs: number | null
  /** Whether the carrier caused the wait; otherwise a limit of this gateway did. */
  readonly byCarrier: boolean
}

export interface PendingSubmit {
  readonly pdu: ShortMessage
  /** Whose turn it takes (domain/message/message.ts). */
  readonly tenant: number
  /** How long it may stay in the queue. */
  readonly maxWaitMs: number
  /** Returns whether another carrier could take the message now. */
  readonly anotherLeft: () => boolean
  /** Returns whether it may still be sent. */
  readonly maySend: () => boolean
  /** Called once. */
  readonly settle: (sent: Sent) => void
  /** Called with an answer that arrives after `settle` was called without one. */
  readonly late: (answer: ResponsePdu) => void
}

interface WaitingSubmit {
  readonly submit: PendingSubmit
  readonly tenant: number
  /** Of arrival. */
  readonly order: number
  /** Monotonic milliseconds. */
  readonly deadline: number
  /** Monotonic milliseconds: when it was sent last. */
  sentAt: number
}

export interface OutboxOptions {
  readonly clock: Clock
  /** Returns the sessions that are bound now. */
  readonly sessions: () => readonly SmppSession[]
  /** Submits a second; 0 for none, null for no limit. */
  readonly throughput: number | null
  readonly maxWaiting: number
  /** Of 100 places, those that each lower class keeps (domain/message/class-queue.ts). */
  readonly lowerShare: number
  /** Checked again before queued submits are sent: the process may have been paused without noticing. */
  readonly mayAct: () => boolean
  /** Returns whether a submit with this status must be sent again, more slowly. */
  readonly isThrottled: (status: number) => boolean
  /** Receives the status of each throttling. Returns whether messages with another route should take it. */
  readonly slowed: (reason: string) => boolean
}

const MIN_WAIT_MS = 1
/** Wait that is reported while the throughput is 0. */
const STOPPED_RETRY_MS = 60_000

export class Outbox {
  readonly #options: OutboxOptions
  readonly #pace: Pace
  readonly #queue: ClassQueue<WaitingSubmit>
  #accepted = 0
  #failing: string | null = null
  #throttleReason: string | null = null
  /**
   * The carrier has throttled for so long, without taking anything, that messages with another route should take it.
   */
  #degraded = false
  #cancelPump: Cancel | null = null
  #cancelDeadline: Cancel | null = null
  #watchedDeadline = Number.POSITIVE_INFINITY

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#queue = new ClassQueue(options.lowerShare)
    this.#pace = new Pace(options.clock, options.throughput)
  }

  get length(): number {
    return this.#queue.length
  }

  send(submit: PendingSubmit): void {
    const { clock, throughput, maxWaiting } = this.#options
    if (throughput === 0) {
      submit.settle({ ...deferred('its throughput is set to 0', false), retryAfterMs: STOPPED_RETRY_MS })
    } else if (this.#queue.length >= maxWaiting) {
      submit.settle(deferred('too many submits at the same time', false))
    } else {
      this.#accepted += 1
      const sentAt = clock.monotonic()
      const deadline = sentAt + submit.maxWaitMs
      const waiting = { submit, tenant: submit.tenant, order: this.#accepted, deadline, sentAt }
      if (this.#queue.length === 0 && this.#trySend(waiting, {}) === 'sent') return
      this.#queue.push(waiting)
      this.#watchDeadline(deadline)
      this.#pump()
    }
  }

  /** Must be called when a session was bound or lost. */
  refresh(): void {
    if (this.#options.sessions().length === 0) this.#failAll('not bound')
    else this.#pump()
  }

  /** Fails all submits, now and from now on. */
  close(reason: string): void {
    this.#failing = reason
    this.#failAll(reason)
  }

  #failAll(reason: string): void {
    for (const { submit } of this.#queue.remove(() => true)) submit.settle({ kind: 'failed', sent: false, reason })
  }

  #returnAll(): void {
    for (const { submit } of this.#queue.remove(() => true))
      submit.settle(deferred('other nodes may have taken over', false))
  }

  /**
   * Sends the submit now, or returns what it must wait for: a number of milliseconds, or room in a window. Reads the
   * pace once: two readings may differ, and the queue would then wait without a timer.
   */
  #trySend(
    waiting: WaitingSubmit,
    { wasQueued = false, goesAhead = false }: { readonly wasQueued?: boolean; readonly goesAhead?: boolean },
  ): 'sent' | 'no room' | number {
    let best: SmppSession | null = null
    for (const session of this.#options.sessions()) {
      if (session.room > (best?.room ?? 0)) best = session
    }
    if (best === null) return 'no room'
    const waitMs = goesAhead ? this.#pace.waitAheadMs : this.#pace.waitMs
    if (waitMs > 0) return waitMs
    if (wasQueued) waiting.sentAt = this.#options.clock.monotonic()
    this.#pace.spend(wasQueued)
    best.request(waiting.submit.pdu, (outcome) => this.#answered(waiting, outcome), waiting.submit.late)
    return 'sent'
  }

  #answered(waiting: WaitingSubmit, outcome: Outcome): void {
    if (outcome.kind === 'answered' && this.#options.isThrottled(outcome.answer.status)) {
      const reason = describeStatus(outcome.answer.status)
      this.#throttleReason = reason
      if (this.#pace.slowDown(waiting.sentAt)) this.#degraded = this.#options.slowed(reason)
      this.#requeue(waiting)
      if (this.#degraded) this.#returnToOthers(reason)
    } else {
      if (outcome.kind === 'answered') this.#degraded = false
      waiting.submit.settle(outcome)
    }
    if (this.#queue.length > 0) this.#pump()
  }

  #requeue(waiting: WaitingSubmit): void {
    const { submit, deadline } = waiting
    if (this.#failing !== null || deadline <= this.#options.clock.monotonic()) {
      submit.settle(deferred(this.#throttleReason ?? '', true))
      return
    }
    this.#queue.putBack(waiting, ({ order }) => order > waiting.order)
    this.#watchDeadline(deadline)
  }

  /** Returns the submits that another carrier could take. */
  #returnToOthers(reason: string): void {
    const returned = this.#queue.remove(({ submit }) => submit.anotherLeft())
    for (const { submit } of returned) submit.settle(deferred(reason, true))
  }

  /** Called when an answer or a new session makes room in a window, and by the timer of the pace. */
  #pump(): void {
    if (this.#queue.length > 0 && !this.#options.mayAct()) this.#returnAll()
    for (let next = this.#queue.first; next !== undefined; next = this.#queue.first) {
      if (!next.submit.maySend()) {
        this.#queue.shift()
        next.submit.settle(deferred('its account or its recipient no longer allows it', false))
        continue
      }
      const result = this.#trySend(next, { wasQueued: true, goesAhead: this.#queue.isFirstAhead })
      if (result !== 'sent') {
        if (result !== 'no room') this.#pumpAfter(result)
        return
      }
      this.#queue.shift()
    }
  }

  #pumpAfter(waitMs: number): void {
    // One that goes ahead may wait for less than those that waited before.
    this.#cancelPump?.()
    this.#cancelPump = this.#options.clock.after(Math.max(MIN_WAIT_MS, Math.ceil(waitMs)), () => {
      this.#cancelPump = null
      this.#pump()
    })
  }

  /** Arms one timer for the earliest deadline in the queue, which need not be that of the first submit. */
  #watchDeadline(deadline: number): void {
    if (deadline >= this.#watchedDeadline) return
    this.#watchedDeadline = deadline
    this.#cancelDeadline?.()
    const { clock } = this.#options
    this.#cancelDeadline = clock.after(deadline - clock.monotonic(), () => {
      this.#cancelDeadline = null
      this.#watchedDeadline = Number.POSITIVE_INFINITY
      this.#expire()
      let earliest = Number.POSITIVE_INFINITY
      for (const waiting of this.#queue) earliest = Math.min(earliest, waiting.deadline)
      this.#watchDeadline(earliest)
    })
  }

  #expire(): void {
    const now = this.#options.clock.monotonic()
    const late = this.#queue.remove(({ deadline }) => deadline <= now)
    const byCarrier = this.#pace.isSlowed && this.#throttleReason !== null
    const reason = byCarrier ? (this.#throttleReason ?? '') : 'no room in the window in time'
    for (const { submit } of late) submit.settle(deferred(reason, byCarrier))
  }
}

function deferred(reason: string, byCarrier: boolean): Deferred {
  return { kind: 'deferred', reason, retryAfterMs: null, byCarrier }
}
