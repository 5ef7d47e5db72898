/**
 * Bounds new TLS connections to hooks that have not been reached before: a hostile server can send certificates that
 * take the thread a tenth of a second for each handshake. A few of each account are under way at a time, and one after
 * a failure, so that other hooks are called in between. Hooks that were reached are not bounded, until they fail.
 */
import type { Clock } from '../ports/clock.ts'

const WIDTH = 4
const WIDTH_AFTER_FAILURE = 1
/** A connection that takes longer waits for the network; the next one begins. */
const SLOW_MS = 1_000
/** Origins that were reached; above it the first ones are forgotten. */
const MAX_REACHED = 10_000

type Connect = (done: (failed: boolean) => void) => void

interface Account {
  width: number
  active: number
  readonly waiting: (() => void)[]
}

export class ConnectionTurns {
  readonly #clock: Clock
  readonly #reached = new Set<string>()
  readonly #accounts = new Map<number, Account>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `connect`, at once or when it is its turn; it calls `done` once. */
  take(origin: string, accountId: number, connect: Connect): void {
    if (!origin.startsWith('https:') || this.#reached.has(origin)) {
      connect((failed) => this.#note(origin, failed))
      return
    }
    const account = this.#accounts.get(accountId) ?? { width: WIDTH, active: 0, waiting: [] }
    this.#accounts.set(accountId, account)
    account.waiting.push(() => {
      account.active += 1
      let holds = true
      const leave = () => {
        if (!holds) return
        holds = false
        account.active -= 1
        this.#start(accountId, account)
      }
      const cancel = this.#clock.after(SLOW_MS, leave)
      connect((failed) => {
        cancel()
        this.#note(origin, failed)
        account.width = failed ? WIDTH_AFTER_FAILURE : WIDTH
        leave()
      })
    })
    this.#start(accountId, account)
  }

  #start(accountId: number, account: Account): void {
    while (account.active < account.width) {
      const next = account.waiting.shift()
      if (next === undefined) break
      next()
    }
    if (account.active === 0 && account.waiting.length === 0) this.#accounts.delete(accountId)
  }

  #note(origin: string, failed: boolean): void {
    this.#reached.delete(origin)
    if (failed) return
    this.#reached.add(origin)
    const [oldest] = this.#reached
    if (this.#reached.size > MAX_REACHED && oldest !== undefined) this.#reached.delete(oldest)
  }
}
