/** A place at the database: its connection is opened when it is first needed, and anew when it was lost. */
import type { Link } from './link.ts'
import type { Primary } from './primary.ts'

export class Line {
  readonly #primary: Primary
  readonly #settings: Readonly<Record<string, string>>
  readonly #begin: (link: Link) => Promise<void>
  #link: Promise<Link> | null = null
  #closed = false

  /** `begin` is done on each connection before anything else. */
  constructor(primary: Primary, settings: Readonly<Record<string, string>>, begin = async (_: Link) => {}) {
    this.#primary = primary
    this.#settings = settings
    this.#begin = begin
  }

  /** Rejects when there is no primary, and tries again the next time. A link that is destroyed is opened anew. */
  async link(): Promise<Link> {
    const opening = this.#present()
    const link = await opening
    if (!link.isBroken) return link
    // Of all who wait here, the first has it opened anew, and the others take that one.
    if (this.#link === opening) this.#link = null
    return this.#present()
  }

  async close(): Promise<void> {
    this.#closed = true
    const link = await this.#link?.catch(() => null)
    await link?.end()
  }

  async #open(): Promise<Link> {
    const link = await this.#primary.connect(this.#settings)
    await this.#begin(link)
    return link
  }

  #present(): Promise<Link> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'))
    if (this.#link === null) {
      const opening = this.#open()
      this.#link = opening
      opening.catch(() => {
        if (this.#link === opening) this.#link = null
      })
    }
    return this.#link
  }
}

/** For transactions that are short: by index alone, planned once, however the tables have grown since. */
export const SHORT_WORK = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  lock_timeout: '3s',
  statement_timeout: '10s',
  // A process that is stopped in the middle of a transaction must not hold up the others.
  idle_in_transaction_session_timeout: '4s',
} as const

/** For what reads much. */
export const LONG_WORK = { jit: 'off', lock_timeout: '3s' } as const
