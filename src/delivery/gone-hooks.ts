/** Hooks that take no more reports: those that the directory names, and those that said so since it was read. */
import type { Directory } from '../domain/directory.ts'
import type { PendingReport } from '../ports/pending-report.ts'

export class GoneHooks {
  readonly #since = new Set<string>()
  #revision = 0

  has({ accountId, address }: PendingReport, directory: Directory): boolean {
    this.#keepUp(directory)
    return this.#since.has(`${accountId} ${address}`) || directory.isStoppedHook(accountId, address)
  }

  add({ accountId, address }: PendingReport, directory: Directory): void {
    this.#keepUp(directory)
    this.#since.add(`${accountId} ${address}`)
  }

  /** A directory read anew knows better: it names them, unless an operator has resumed them. */
  #keepUp(directory: Directory): void {
    if (directory.revision === this.#revision) return
    this.#revision = directory.revision
    this.#since.clear()
  }
}
