/**
 * Sends submits over the bound session with the most free window, as fast as the pace allows. Submits that must wait
 * are queued for a bounded time, in order of arrival; a submit that the carrier throttles returns to its place in the
 * queue. Submits fail at once if no session is bound.
 */
import type { Cancel, Clock } from '../../ports/clock.ts'
import { describeStatus } from '../../wire/smpp/command-status.ts'
import type { Answer, ShortMessage } from '../../wire/smpp/pdu.ts'
import type { Outcome, Session } from '../../wire/smpp/session.ts'
import { Pace } from './pace.ts'

/** The outcome of a submit. `waited`: the carrier does not have it, and its time in the queue is over. */
export type Sent =
  | Outcome
  | {
      readonly kind: 'waited'
      readonly reason: string
      readonly retryAfterMs: number | null
      /** Whether the carrier caused the wait; otherwise a limit of this gateway did. */
      readonly asked: boolean
    }

export interface Letter {
  readonly pdu: ShortMessage
  /** How long it may stay in the queue. */
  readonly patienceMs: number
  /** Returns whether another carrier could take the message now. */
  readonly anotherLeft: () => boolean
  /** Called once. */
  readonly settle: (sent: Sent) => void
  /** Called with an answer that arrives after `settle` was called without one. */
  readonly late: (answer: Answer) => void
}

interface Waiting {
  readonly letter: Letter
  readonly order: number
  readonly deadline: number
}

export interface OutboxOptions {
  readonly clock: Clock
  /** Returns the sessions that are bound now. */
  readonly sessions: () => readonly Session[]
  /** Submits a second; 0 for none, null for no limit. */
  readonly throughput: number | null
  readonly mostWaiting: number
  /** Checked again before queued submits are sent: the process may have been paused without noticing. */
  readonly mayAct: () => boolean
  /** Returns whether a submit with this status must be sent again, more slowly. */
  readonly isThrottled: (status: number) => boolean
  /** Receives the status of each throttling. Returns whether messages with another route should take it. */
  readonly slowed: (reason: string) => boolean
}

const LEAST_WAIT_MS = 1
/** Wait that is reported while the throughput is 0. */
const STOPPED_MS = 60_000

export class Outbox {
  readonly #options: OutboxOptions
  readonly #pace: Pace
  readonly #line: Waiting[] = []
  #made = 0
  #failing: string | null = null
  #complaint: string | null = null
  /**
   * The carrier has throttled for so long, without taking anything, that messages with another route should take it.
   */
  #degraded = false
  #cancelTurn: Cancel | null = null
  #cancelDeadline: Cancel | null = null
  #watchedDeadline = Number.POSITIVE_INFINITY

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#pace = new Pace(options.clock, options.throughput)
  }

  get length(): number {
    return this.#line.length
  }

  send(letter: Letter): void {
    const { clock, throughput, mostWaiting } = this.#options
    if (throughput === 0) {
      letter.settle({ kind: 'waited', reason: 'its throughput is set to 0', retryAfterMs: STOPPED_MS, asked: false })
    } else if (this.#line.length >= mostWaiting) {
      letter.settle({ kind: 'waited', reason: 'too many submits at the same time', retryAfterMs: null, asked: false })
    } else {
      this.#made += 1
      const waiting = { letter, order: this.#made, deadline: clock.monotonic() + letter.patienceMs }
      if (this.#line.length === 0 && this.#give(waiting, false) === 'sent') return
      this.#line.push(waiting)
      this.#watch(waiting.deadline)
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
    for (const { letter } of this.#line.splice(0)) letter.settle({ kind: 'failed', sent: false, reason })
  }

  #sendBack(): void {
    const reason = 'other nodes may have taken over'
    for (const { letter } of this.#line.splice(0))
      letter.settle({ kind: 'waited', reason, retryAfterMs: null, asked: false })
  }

  /**
   * Sends the submit now, or returns what it must wait for: a number of milliseconds, or room in a window. Reads the
   * pace once: two readings may differ, and the queue would then wait without a timer.
   */
  #give(waiting: Waiting, waited: boolean): 'sent' | 'no room' | number {
    let freest: Session | null = null
    for (const session of this.#options.sessions()) {
      if (session.room > (freest?.room ?? 0)) freest = session
    }
    if (freest === null) return 'no room'
    const waitMs = this.#pace.waitMs
    if (waitMs > 0) return waitMs
    const { letter } = waiting
    const sentAt = this.#options.clock.monotonic()
    this.#pace.spend(waited)
    freest.request(letter.pdu, (outcome) => this.#answered(waiting, outcome, sentAt), letter.late)
    return 'sent'
  }

  #answered(waiting: Waiting, outcome: Outcome, sentAt: number): void {
    if (outcome.kind === 'answered' && this.#options.isThrottled(outcome.answer.status)) {
      const complaint = describeStatus(outcome.answer.status)
      this.#complaint = complaint
      if (this.#pace.slowDown(sentAt)) this.#degraded = this.#options.slowed(complaint)
      this.#putBack(waiting)
      if (this.#degraded) this.#giveWay(complaint)
    } else {
      if (outcome.kind === 'answered') this.#degraded = false
      waiting.letter.settle(outcome)
    }
    if (this.#line.length > 0) this.#pump()
  }

  #putBack(waiting: Waiting): void {
    const { letter, order, deadline } = waiting
    if (this.#failing !== null || deadline <= this.#options.clock.monotonic()) {
      letter.settle({ kind: 'waited', reason: this.#complaint ?? '', retryAfterMs: null, asked: true })
      return
    }
    const behind = this.#line.findIndex((other) => other.order > order)
    this.#line.splice(behind === -1 ? this.#line.length : behind, 0, waiting)
    this.#watch(deadline)
  }

  /** Returns the submits that another carrier could take. */
  #giveWay(reason: string): void {
    for (const waiting of this.#line.splice(0)) {
      const { letter } = waiting
      if (letter.anotherLeft()) letter.settle({ kind: 'waited', reason, retryAfterMs: null, asked: true })
      else this.#line.push(waiting)
    }
  }

  /** Called when an answer or a new session makes room in a window, and by the timer of the pace. */
  #pump(): void {
    if (this.#line.length > 0 && !this.#options.mayAct()) this.#sendBack()
    for (let next = this.#line[0]; next !== undefined; next = this.#line[0]) {
      const given = this.#give(next, true)
      if (given !== 'sent') {
        if (given !== 'no room') this.#wakeAfter(given)
        return
      }
      this.#line.shift()
    }
  }

  #wakeAfter(waitMs: number): void {
    this.#cancelTurn ??= this.#options.clock.after(Math.max(LEAST_WAIT_MS, Math.ceil(waitMs)), () => {
      this.#cancelTurn = null
      this.#pump()
    })
  }

  /** Arms one timer for the earliest deadline in the queue, which need not be that of the first submit. */
  #watch(deadline: number): void {
    if (deadline >= this.#watchedDeadline) return
    this.#watchedDeadline = deadline
    this.#cancelDeadline?.()
    const { clock } = this.#options
    this.#cancelDeadline = clock.after(deadline - clock.monotonic(), () => {
      this.#cancelDeadline = null
      this.#watchedDeadline = Number.POSITIVE_INFINITY
      this.#giveUpLate()
      this.#watch(this.#line.reduce((least, each) => Math.min(least, each.deadline), Number.POSITIVE_INFINITY))
    })
  }

  #giveUpLate(): void {
    const now = this.#options.clock.monotonic()
    const late = this.#line.filter(({ deadline }) => deadline <= now)
    const rest = this.#line.filter(({ deadline }) => deadline > now)
    this.#line.splice(0, this.#line.length, ...rest)
    const asked = this.#pace.isSlowed && this.#complaint !== null
    const reason = asked ? (this.#complaint ?? '') : 'no room in the window in time'
    for (const { letter } of late) letter.settle({ kind: 'waited', reason, retryAfterMs: null, asked })
  }
}
