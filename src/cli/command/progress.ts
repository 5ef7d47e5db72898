/** Progress of a long command: a bar that is redrawn on a terminal, lines elsewhere. */
import type { Terminal } from './terminal.ts'

const WIDTH = 24
/** Minimum interval between updates of the same step. */
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

  /** `of` is 0 if unknown. */
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

  /** Clears the bar. */
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
