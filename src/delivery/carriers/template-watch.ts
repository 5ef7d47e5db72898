/** Stores the templates that carriers list, when the list or the directory has changed. */
import type { Carrier, ListedTemplates } from '../../ports/carriers/carrier.ts'

export interface TemplateWatchTools {
  readonly carriers: () => readonly Carrier[]
  /** Returns the revision of the directory. */
  readonly revision: () => number
  /** Updates the store from the list, in part or whole; returns the number of changes. */
  readonly keep: (carrierId: string, listed: ListedTemplates) => Promise<number>
}

export class TemplateWatch {
  readonly #tools: TemplateWatchTools
  /** Lists that the store has already, and the revision of the directory then. */
  readonly #kept = new WeakMap<ListedTemplates, number>()

  constructor(tools: TemplateWatchTools) {
    this.#tools = tools
  }

  /** Checks every carrier. Rejects if the store does. */
  async look(): Promise<void> {
    for (const carrier of this.#tools.carriers()) {
      const listed = carrier.templates?.() ?? null
      const revision = this.#tools.revision()
      if (listed === null || this.#kept.get(listed) === revision) continue
      if ((await this.#tools.keep(carrier.id, listed)) === 0) this.#kept.set(listed, revision)
    }
  }
}
