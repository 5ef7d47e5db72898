/**
 * Records when keys were last used. Collected in memory and written once a minute, so that no request waits; a crash
 * loses unwritten times.
 */
import type { IntakeStore } from '../../ports/stores/intake-store.ts'

export class KeyUses {
  readonly #store: Pick<IntakeStore, 'noteKeyUses'>
  /** By key hash, at most as many as the directory has keys. */
  readonly #uses = new Map<string, number>()

  constructor(store: Pick<IntakeStore, 'noteKeyUses'>) {
    this.#store = store
  }

  note(hash: string, at: number): void {
    this.#uses.set(hash, at)
  }

  /** Writes the times since the last call; keeps them for the next one if the store fails. */
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
