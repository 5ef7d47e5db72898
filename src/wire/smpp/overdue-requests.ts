/** Requests whose answers may still arrive after their time limit; the oldest are forgotten first. */
import type { Request, ResponsePdu } from './pdu.ts'

interface Overdue {
  readonly command: Request['command']
  readonly late: ((answer: ResponsePdu) => void) | undefined
}

const MAX_OVERDUE = 10_000

export class OverdueRequests {
  readonly #requests = new Map<number, Overdue>()

  /** Forgets requests without `late`. */
  remember(sequence: number, { command, late }: Overdue): void {
    if (late === undefined) return
    const [oldest] = this.#requests.keys()
    if (this.#requests.size >= MAX_OVERDUE && oldest !== undefined) this.#requests.delete(oldest)
    this.#requests.set(sequence, { command, late })
  }

  /** Removes and returns the request. */
  take(sequence: number): Overdue | undefined {
    const overdue = this.#requests.get(sequence)
    this.#requests.delete(sequence)
    return overdue
  }

  clear(): void {
    this.#requests.clear()
  }
}
