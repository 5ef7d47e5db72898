/**
 * Gives submits to the bound session with the most room. What finds no room waits here for a bounded time, in order; what
 * finds no session fails at once.
 */
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { ShortMessage } from '../../wire/smpp/pdu.ts'
import type { Outcome, Session } from '../../wire/smpp/session.ts'

interface Waiting {
  readonly pdu: ShortMessage
  readonly deadline: number
  readonly settle: (outcome: Outcome) => void
}

export interface OutboxOptions {
  readonly clock: Clock
  /** The sessions that are bound now. */
  readonly sessions: () => readonly Session[]
  readonly longestWaitMs: number
  readonly mostWaiting: number
}

export class Outbox {
  readonly #options: OutboxOptions
  readonly #waiting: Waiting[] = []
  #cancelTimer: Cancel | null = null

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  get length(): number {
    return this.#waiting.length
  }

  /** `settle` is called once. */
  send(pdu: ShortMessage, settle: (outcome: Outcome) => void): void {
    const { clock, longestWaitMs, mostWaiting } = this.#options
    if (this.#waiting.length === 0 && this.#give(pdu, settle)) return
    if (this.#waiting.length >= mostWaiting) {
      settle(unsent('too many submits at the same time'))
    } else {
      this.#waiting.push({ pdu, deadline: clock.now() + longestWaitMs, settle })
      this.#arm()
    }
  }

  /** To be called when a session was bound or lost. */
  refresh(): void {
    if (this.#options.sessions().length === 0) this.fail('not bound')
    else this.#pump()
  }

  /** Fails all that waits. */
  fail(reason: string): void {
    for (const { settle } of this.#waiting.splice(0)) settle(unsent(reason))
  }

  #give(pdu: ShortMessage, settle: (outcome: Outcome) => void): boolean {
    let freest: Session | null = null
    for (const session of this.#options.sessions()) {
      if (session.room > (freest?.room ?? 0)) freest = session
    }
    freest?.request(pdu, (outcome) => {
      settle(outcome)
      if (this.#waiting.length > 0) this.#pump()
    })
    return freest !== null
  }

  #pump(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (!this.#give(next.pdu, next.settle)) return
      this.#waiting.shift()
    }
  }

  #arm(): void {
    const [first] = this.#waiting
    if (first === undefined || this.#cancelTimer !== null) return
    const { clock } = this.#options
    this.#cancelTimer = clock.after(first.deadline - clock.now(), () => {
      this.#cancelTimer = null
      const now = clock.now()
      const fresh = this.#waiting.findIndex(({ deadline }) => deadline > now)
      const late = this.#waiting.splice(0, fresh === -1 ? this.#waiting.length : fresh)
      for (const { settle } of late) settle(unsent('no room in the window'))
      this.#arm()
    })
  }
}

function unsent(reason: string): Outcome {
  return { kind: 'failed', sent: false, reason }
}
