/** Looks whether carriers have listed other templates than before, or senders have changed, and only then has them kept. */
import type { Carrier, ListedTemplates } from '../ports/carrier.ts'

export interface TemplateWatchTools {
  readonly carriers: () => readonly Carrier[]
  /** Of the directory. */
  readonly revision: () => number
  /** Brings what the store has closer to the list; answers with how much it changed. */
  readonly keep: (carrierId: string, listed: ListedTemplates) => Promise<number>
}

export class TemplateWatch {
  readonly #tools: TemplateWatchTools
  /** What was found to be kept already, and at which revision. */
  readonly #kept = new WeakMap<ListedTemplates, number>()

  constructor(tools: TemplateWatchTools) {
    this.#tools = tools
  }

  /** Rejects when the store does. */
  async look(): Promise<void> {
    for (const carrier of this.#tools.carriers()) {
      const listed = carrier.templates?.() ?? null
      const revision = this.#tools.revision()
      if (listed === null || this.#kept.get(listed) === revision) continue
      if ((await this.#tools.keep(carrier.id, listed)) === 0) this.#kept.set(listed, revision)
    }
  }
}
