/**
 * The own requests of a session that have no answer yet: each settles exactly once, by its answer, after its time
 * limit, or at the end of the session.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import { isCounted } from './command.ts'
import type { Outcome } from './outcome.ts'
import { OverdueRequests } from './overdue-requests.ts'
import { answers, type Request, type ResponsePdu } from './pdu.ts'

interface OpenRequestsOptions {
  readonly clock: Clock
  readonly responseTimeoutMs: number
  /** Called after each request that settled before the end. */
  readonly settled: () => void
}

interface Open {
  readonly command: Request['command']
  readonly deadline: number
  /**
   * Emptied with `late` when it has settled: an old table of the map may refer to it (delivery/turns/message-cache.ts).
   */
  settle: (outcome: Outcome) => void
  late: ((answer: ResponsePdu) => void) | undefined
}

interface Waiter {
  /** Called once. */
  readonly settle: (outcome: Outcome) => void
  /** Called at most once, with an answer that arrives after `settle` was called without one. */
  readonly late: ((answer: ResponsePdu) => void) | undefined
}

const SETTLED = (): void => {}

export class OpenRequests {
  readonly #options: OpenRequestsOptions
  /** In the order of their deadlines, because all have the same time limit. */
  readonly #open = new Map<number, Open>()
  readonly #overdue = new OverdueRequests()
  #counted = 0
  #answers = 0
  #cancelDeadline: Cancel | null = null

  constructor(options: OpenRequestsOptions) {
    this.#options = options
  }

  /** Those that count towards the window. */
  get counted(): number {
    return this.#counted
  }

  /** How many counted requests were answered so far. */
  get answers(): number {
    return this.#answers
  }

  add(sequence: number, command: Request['command'], { settle, late }: Waiter): void {
    const { clock, responseTimeoutMs } = this.#options
    this.#open.set(sequence, { command, deadline: clock.monotonic() + responseTimeoutMs, settle, late })
    if (isCounted(command)) this.#counted += 1
    if (this.#cancelDeadline === null) this.#armDeadline(responseTimeoutMs)
  }

  /** Ignores answers to unknown requests. */
  answered(sequence: number, answer: ResponsePdu): void {
    const command = this.#open.get(sequence)?.command
    if (command === undefined) {
      const overdue = this.#overdue.take(sequence)
      if (overdue !== undefined && answers(answer, overdue.command)) overdue.late?.(answer)
      return
    }
    if (isCounted(command)) this.#answers += 1
    if (answers(answer, command)) this.#settle(sequence, { kind: 'answered', answer })
    else this.fail(sequence, `${command} got a ${answer.command}`)
  }

  fail(sequence: number, reason: string): void {
    this.#settle(sequence, { kind: 'failed', sent: true, reason })
  }

  /** Fails all. Their answers may still arrive. */
  giveUp(): void {
    this.#expire(Number.POSITIVE_INFINITY)
  }

  /** Fails all, and ignores their answers from now on. */
  end(reason: string): void {
    this.#cancelDeadline?.()
    const open = [...this.#open.values()]
    this.#open.clear()
    this.#overdue.clear()
    this.#counted = 0
    for (const { settle } of open) settle({ kind: 'failed', sent: true, reason })
  }

  #settle(sequence: number, outcome: Outcome): void {
    const waiting = this.#open.get(sequence)
    if (waiting === undefined) return
    this.#open.delete(sequence)
    if (isCounted(waiting.command)) this.#counted -= 1
    const { settle } = waiting
    waiting.settle = SETTLED
    waiting.late = undefined
    settle(outcome)
    this.#options.settled()
  }

  #armDeadline(afterMs: number): void {
    const { clock } = this.#options
    this.#cancelDeadline = clock.after(afterMs, () => {
      this.#cancelDeadline = null
      const now = clock.monotonic()
      this.#expire(now)
      const [next] = this.#open.values()
      if (next !== undefined && this.#cancelDeadline === null) this.#armDeadline(next.deadline - now)
    })
  }

  /** Fails the requests with a deadline until then, which are the first ones. */
  #expire(until: number): void {
    for (const [sequence, overdue] of [...this.#open]) {
      if (overdue.deadline > until) break
      this.#overdue.remember(sequence, overdue)
      this.fail(sequence, `no answer to ${overdue.command}`)
    }
  }
}
