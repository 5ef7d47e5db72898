/** The only source of time. Tests put a clock of their own in its place and turn it by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since some moment: goes on while the process stands still, and is never set back. */
  monotonic(): number
  /** Runs `run` once after `milliseconds`; the answer cancels it. Never keeps the process alive by itself. */
  after(milliseconds: number, run: () => void): Cancel
}

export type Cancel = () => void
