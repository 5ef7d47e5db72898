/**
 * Limits how many operations of an account's large requests are planned and wait for the store. Its others wait as they
 * were read: planned messages outlive several collections of new objects while they wait, each of which copies them.
 * No account waits for another.
 */
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { Fifo } from '../../domain/structures/fifo.ts'

/** Of an account: enough for what the store is writing, what it brings to the disk, and what comes next. */
const MAX_PLANNED = 1_000

/** Of an account: as many as one alone may have waiting at the store (stores/rows/queues/command-queue.ts). */
const MAX_WAITING = 20_000

/** Of an account with large requests. */
interface Planning {
  /** Operations. */
  planned: number
  /** Operations of the requests that wait. */
  waiting: number
  readonly requests: Fifo<{ readonly operations: number; readonly begin: (place: PlanningPlace) => void }>
}

/** A large request that is being planned and stored. */
export class PlanningPlace {
  readonly #free: () => void
  #isFree = false

  constructor(free: () => void) {
    this.#free = free
  }

  /** Lets the next one be planned, the first time it is called. */
  free(): void {
    if (this.#isFree) return
    this.#isFree = true
    this.#free()
  }
}

export class PlanningRoom {
  readonly #accounts = new Map<AccountId, Planning>()

  /**
   * Resolves when the request may be planned, in the order of the account's calls. Rejects with Refused if too many of
   * its operations wait.
   */
  take(accountId: AccountId, operations: number): Promise<PlanningPlace> {
    const account = this.#accounts.get(accountId) ?? { planned: 0, waiting: 0, requests: new Fifo() }
    if (account.waiting + operations > MAX_WAITING) return Promise.reject(new Refused(REQUEST_ERRORS.unavailable))
    this.#accounts.set(accountId, account)
    return new Promise((begin) => {
      account.requests.push({ operations, begin })
      account.waiting += operations
      this.#beginNext(accountId, account)
    })
  }

  #beginNext(accountId: AccountId, account: Planning): void {
    const { requests } = account
    for (let next = requests.first; next !== undefined && hasRoom(account, next.operations); next = requests.first) {
      const { operations, begin } = next
      requests.shift()
      account.waiting -= operations
      account.planned += operations
      begin(
        new PlanningPlace(() => {
          account.planned -= operations
          this.#beginNext(accountId, account)
        }),
      )
    }
    if (account.planned === 0) this.#accounts.delete(accountId)
  }
}

/** A request that is larger than the room is planned alone. */
function hasRoom({ planned }: Planning, operations: number): boolean {
  return planned === 0 || planned + operations <= MAX_PLANNED
}
