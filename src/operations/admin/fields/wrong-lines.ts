/** Collects the wrong lines of a file, so that one error names many of them. */
import { ChangeRefused } from '../../../ports/records/store-errors.ts'

/** Further ones are only counted. */
const MAX_NAMED = 20
/** Characters of one reason, which may quote the line. */
const MAX_REASON = 300

export class WrongLines {
  readonly #named: string[] = []
  #count = 0

  /** Returns what the work returns, or null if it refuses the line with ChangeRefused: `line 2: …`. */
  read<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error
      this.add(error.message)
      return null
    }
  }

  add(reason: string): void {
    this.#count += 1
    if (this.#named.length < MAX_NAMED) this.#named.push(reason.slice(0, MAX_REASON))
  }

  /** Throws ChangeRefused if there are any. */
  refuse(): void {
    const [first, ...others] = this.#named
    if (first === undefined) return
    if (others.length === 0) throw new ChangeRefused(first)
    const rest = this.#count - this.#named.length
    const more = rest === 0 ? [] : [`… and ${rest} more`]
    throw new ChangeRefused([`${this.#count} lines are wrong`, ...this.#named, ...more].join('\n'))
  }
}
