/** The only source of time. Tests replace it by a virtual clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since an arbitrary time: continues while the process is frozen, and is never set back. */
  monotonic(): number
  /**
   * Runs `run` once after `milliseconds`; call the returned function to cancel. Never keeps the process alive by
   * itself.
   */
  after(milliseconds: number, run: () => void): Cancel
}

export type Cancel = () => void
