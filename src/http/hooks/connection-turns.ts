/**
 * Bounds new TLS connections to hooks that have not been reached before: a hostile server can send certificates that
 * take the thread a tenth of a second for each handshake. A few of each account are under way at a time, and one after
 * a failure, so that other hooks are called in between; its origins take turns. An origin that was reached may open
 * more at a time, until it fails.
 */
import { Fifo } from '../../domain/structures/fifo.ts'
import type { Clock } from '../../ports/system/clock.ts'

const WIDTH = 4
const WIDTH_AFTER_FAILURE = 1
/** Of an origin that was reached. */
const WIDTH_OF_REACHED = 16
/** A connection that takes longer waits for the network; the next one begins. */
const SLOW_MS = 1_000
/** Origins that were reached; above it the first ones are forgotten. */
const MAX_REACHED = 10_000

export interface Connecting {
  /** Opens the connection and calls `done` once. */
  readonly connect: (done: (failed: boolean) => void) => void
  /** Whether the call has ended, so that it needs no connection. */
  readonly isOver: () => boolean
  /** Called in place of `connect` if the call is over. */
  readonly skip: () => void
}

interface Account {
  width: number
  active: number
  /** By origin, the one whose turn it is first. */
  readonly waiting: Map<string, Fifo<Connecting>>
}

export class ConnectionTurns {
  readonly #clock: Clock
  readonly #reached = new Set<string>()
  /** Connections of reached origins that are being opened. */
  readonly #opening = new Map<string, number>()
  readonly #accounts = new Map<number, Account>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `connect`, at once or when it is its turn. */
  take(origin: string, accountId: number, connecting: Connecting): void {
    if (!origin.startsWith('https:')) {
      connecting.connect(() => {})
    } else if (this.#reached.has(origin) && (this.#opening.get(origin) ?? 0) < WIDTH_OF_REACHED) {
      this.#openReached(origin, connecting)
    } else {
      const account = this.#accounts.get(accountId) ?? { width: WIDTH, active: 0, waiting: new Map() }
      this.#accounts.set(accountId, account)
      const waiting = account.waiting.get(origin) ?? new Fifo()
      account.waiting.set(origin, waiting)
      waiting.push(connecting)
      this.#start(accountId, account)
    }
  }

  #openReached(origin: string, { connect }: Connecting): void {
    this.#opening.set(origin, (this.#opening.get(origin) ?? 0) + 1)
    connect((failed) => {
      const left = (this.#opening.get(origin) ?? 0) - 1
      if (left > 0) this.#opening.set(origin, left)
      else this.#opening.delete(origin)
      this.#note(origin, failed)
    })
  }

  #start(accountId: number, account: Account): void {
    while (account.active < account.width) {
      const next = nextOf(account)
      if (next === null) break
      const [origin, connecting] = next
      if (connecting.isOver()) connecting.skip()
      else this.#open(origin, connecting, account, () => this.#start(accountId, account))
    }
    if (account.active === 0 && account.waiting.size === 0) this.#accounts.delete(accountId)
  }

  #open(origin: string, { connect }: Connecting, account: Account, startNext: () => void): void {
    account.active += 1
    let holds = true
    const leave = () => {
      if (!holds) return
      holds = false
      account.active -= 1
      startNext()
    }
    const cancel = this.#clock.after(SLOW_MS, leave)
    connect((failed) => {
      cancel()
      this.#note(origin, failed)
      account.width = failed ? WIDTH_AFTER_FAILURE : WIDTH
      leave()
    })
  }

  #note(origin: string, failed: boolean): void {
    this.#reached.delete(origin)
    if (failed) return
    this.#reached.add(origin)
    const [oldest] = this.#reached
    if (this.#reached.size > MAX_REACHED && oldest !== undefined) this.#reached.delete(oldest)
  }
}

/** Removes the first call of the origin whose turn it is; null if none waits. */
function nextOf({ waiting }: Account): readonly [origin: string, connecting: Connecting] | null {
  const [turn] = waiting
  if (turn === undefined) return null
  const [origin, calls] = turn
  const next = calls.shift()
  waiting.delete(origin)
  if (calls.length > 0) waiting.set(origin, calls)
  return next === undefined ? null : [origin, next]
}
