/** How far a long command has come: a bar that is written over where somebody watches, lines elsewhere. */
import type { Terminal } from './terminal.ts'

const WIDTH = 24
/** Drawn no more often than that, but for what is new. */
const BAR_EVERY_MS = 100
const LINE_EVERY_MS = 10_000
const CLEAR = '\r\u001b[K'

export class Progress {
  readonly #terminal: Terminal
  #doing = ''
  #drawnAt = Number.NEGATIVE_INFINITY

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** `of` is 0 where nobody knows. */
  report(doing: string, done: number, of: number): void {
    const isNew = doing !== this.#doing
    this.#doing = doing
    const share = of === 0 ? 0 : Math.min(1, done / of)
    const facts = of === 0 ? doing : `${percent(share)}  ${count(done)} of ${count(of)} rows  ${doing}`
    const { isWatched, clock } = this.#terminal
    const now = clock.monotonic()
    if (!isNew && now - this.#drawnAt < (isWatched ? BAR_EVERY_MS : LINE_EVERY_MS)) return
    this.#drawnAt = now
    const filled = Math.round(share * WIDTH)
    const bar = `${CLEAR}[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${facts}`
    this.#terminal.err(isWatched ? bar : `${facts}\n`)
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
