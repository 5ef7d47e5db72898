/**
 * Gives submits to the bound session with the most room, as fast as the pace allows. What has to wait stands in line here
 * for a bounded time, in the order in which it came; what the carrier throttles goes back to its old place in that line.
 * What finds no session fails at once.
 */
import type { Cancel, Clock } from '../../ports/clock.ts'
import { describeStatus } from '../../wire/smpp/command-status.ts'
import type { Answer, ShortMessage } from '../../wire/smpp/pdu.ts'
import type { Outcome, Session } from '../../wire/smpp/session.ts'
import { Pace } from './pace.ts'

/** What came of a submit; `waited`: the carrier does not have it, and it has stood in line long enough. */
export type Sent =
  | Outcome
  | {
      readonly kind: 'waited'
      readonly reason: string
      readonly retryAfterMs: number | null
      /** Whether the carrier asked for it; otherwise a limit of ours did. */
      readonly asked: boolean
    }

export interface Letter {
  readonly pdu: ShortMessage
  /** How long it may wait in line. */
  readonly patienceMs: number
  /** Whether another carrier could take it now. */
  readonly anotherLeft: () => boolean
  /** Called once. */
  readonly settle: (sent: Sent) => void
  /** An answer that came after `settle` was told that there is none. */
  readonly late: (answer: Answer) => void
}

interface Waiting {
  readonly letter: Letter
  readonly order: number
  readonly deadline: number
}

export interface OutboxOptions {
  readonly clock: Clock
  /** The sessions that are bound now. */
  readonly sessions: () => readonly Session[]
  /** Submits a second; 0 for none at all, null for no limit. */
  readonly throughput: number | null
  readonly mostWaiting: number
  /** Asked again of what stood in line: the process may have been stopped meanwhile, and does not know it. */
  readonly mayAct: () => boolean
  /** Whether a submit with this status is to be sent again from here, slower. */
  readonly isThrottled: (status: number) => boolean
  /** Hears of each complaint of the carrier, in its own words; returns whether what has another way should take that. */
  readonly slowed: (reason: string) => boolean
}

const LEAST_WAIT_MS = 1
/** Who is told to come again because nothing may be sent at all. */
const STOPPED_MS = 60_000

export class Outbox {
  readonly #options: OutboxOptions
  readonly #pace: Pace
  readonly #line: Waiting[] = []
  #made = 0
  #failing: string | null = null
  #complaint: string | null = null
  /** The carrier has complained for so long, without taking anything, that what has another way should take that. */
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

  /** To be called when a session was bound or lost. */
  refresh(): void {
    if (this.#options.sessions().length === 0) this.#failAll('not bound')
    else this.#pump()
  }

  /** Fails all that waits, now and from now on. */
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
   * Sends it now, or returns what it has to wait for: a number of milliseconds, or room in a window. Reads the pace once:
   * two readings may disagree, and then a queue would wait without a timer.
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

  /** Gives back what another carrier could take. */
  #giveWay(reason: string): void {
    for (const waiting of this.#line.splice(0)) {
      const { letter } = waiting
      if (letter.anotherLeft()) letter.settle({ kind: 'waited', reason, retryAfterMs: null, asked: true })
      else this.#line.push(waiting)
    }
  }

  /** An answer or a new session wakes what waits for room; a timer wakes what waits for its time. */
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

  /** One timer for the earliest deadline in line; patience differs, so it is not always the first's. */
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
