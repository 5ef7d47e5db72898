/**
 * When keys were last used, for operators. Noted in memory and written once a minute, so that no request waits for it;
 * a crash loses what was not yet written.
 */
import type { IntakeStore } from '../ports/intake-store.ts'

export class KeyUses {
  readonly #store: Pick<IntakeStore, 'noteKeyUses'>
  /** By the hash of the key: never more of them than the directory has keys. */
  readonly #uses = new Map<string, number>()

  constructor(store: Pick<IntakeStore, 'noteKeyUses'>) {
    this.#store = store
  }

  note(hash: string, at: number): void {
    this.#uses.set(hash, at)
  }

  /** Writes what was noted since the last time; what cannot be written now is kept for the next. */
  async write(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = Array.from(this.#uses, ([hash, at]) => ({ hash, at }))
    this.#uses.clear()
    try {
      await this.#store.noteKeyUses(uses)
    } catch (error) {
      for (const { hash, at } of uses) if (!this.#uses.has(hash)) this.#uses.set(hash, at)
      throw error
    }
  }
}
