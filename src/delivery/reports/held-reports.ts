/**
 * Counts the reports in memory, in total and per account. An account may hold at most as many as are free: alone it
 * fills half of the memory, and the next account always finds room.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { IdMap } from '../../domain/structures/id-map.ts'

/** Reports in memory: in a queue, under way, waiting for a few seconds, or not yet settled. */
export const MAX_HELD = 20_000

export class HeldReports {
  readonly #ofAccount = new IdMap<AccountId, number>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Room for reports of any account. */
  get free(): number {
    return Math.max(0, MAX_HELD - this.#count)
  }

  /** Half of the memory is in use: no report is to stay longer than it must. */
  get isScarce(): boolean {
    return this.#count > MAX_HELD / 2
  }

  /** Room for reports of this account. */
  roomFor(accountId: AccountId): number {
    return Math.max(0, this.free - (this.#ofAccount.get(accountId) ?? 0))
  }

  add(accountId: AccountId): void {
    this.#count += 1
    this.#ofAccount.set(accountId, (this.#ofAccount.get(accountId) ?? 0) + 1)
  }

  remove(accountId: AccountId): void {
    this.#count -= 1
    const left = (this.#ofAccount.get(accountId) ?? 0) - 1
    if (left > 0) this.#ofAccount.set(accountId, left)
    else this.#ofAccount.delete(accountId)
  }
}
