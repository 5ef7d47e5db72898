/**
 * Counts what happens in the world around the gateway, and lies in wait: at the moment when something has happened so
 * many times more, an action is done before anything else can happen. So a crash comes in the middle of things, and the
 * seed says in the middle of which.
 */
export type Happening = 'answered' | 'submitted' | 'reported'

interface Ambush {
  readonly happening: Happening
  readonly at: number
  readonly spring: () => void
}

export class Tally {
  readonly counts: Record<Happening, number> = { answered: 0, submitted: 0, reported: 0 }
  #ambush: Ambush | null = null

  happened(happening: Happening): void {
    this.counts[happening] += 1
    const ambush = this.#ambush
    if (ambush === null || ambush.happening !== happening || this.counts[happening] < ambush.at) return
    this.#ambush = null
    ambush.spring()
  }

  /** Does the action when it has happened `times` times more; resolves then. One ambush at a time. */
  await(happening: Happening, times: number, action: () => void): Promise<void> {
    return new Promise((resolve) => {
      const spring = (): void => {
        action()
        resolve()
      }
      this.#ambush = { happening, at: this.counts[happening] + times, spring }
    })
  }
}
