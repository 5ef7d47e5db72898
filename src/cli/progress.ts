/** How far a long command has come: a bar that is written over where somebody watches, and a line for each thing done elsewhere. */
import type { Terminal } from './terminal.ts'

const WIDTH = 24
/** Drawn no more often than that. */
const EVERY_MS = 100
const CLEAR = '\r\u001b[K'

export class Progress {
  readonly #terminal: Terminal
  #doing = ''
  #drawnAt = Number.NEGATIVE_INFINITY

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** `of` is 0 where nobody knows. */
  tell(doing: string, done: number, of: number): void {
    const isNew = doing !== this.#doing
    this.#doing = doing
    const share = of === 0 ? 0 : Math.min(1, done / of)
    const facts = of === 0 ? doing : `${percent(share)}  ${count(done)} of ${count(of)} rows  ${doing}`
    if (!this.#terminal.isWatched) {
      if (isNew) this.#terminal.err(`${facts}\n`)
      return
    }
    const now = this.#terminal.clock.monotonic()
    if (!isNew && now - this.#drawnAt < EVERY_MS) return
    this.#drawnAt = now
    const filled = Math.round(share * WIDTH)
    this.#terminal.err(`${CLEAR}[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${facts}`)
  }

  /** Leaves the line to what comes next. */
  end(): void {
    if (this.#terminal.isWatched && this.#doing !== '') this.#terminal.err(CLEAR)
  }
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`.padStart(5)
}

function count(number: number): string {
  return number.toLocaleString('en')
}
