/**
 * The clients' hooks of a simulated world: they fail, hang up, lose their answers, and record everything that they
 * received.
 */
import type { HookAnswer, HookPost } from '../../src/ports/hooks/hook-post.ts'
import { type SplitReport, splitReports } from '../support/split-reports.ts'
import type { VirtualClock } from '../support/virtual-clock.ts'
import type { Luck } from './luck.ts'

export class Hooks implements HookPost {
  /** In order of arrival, including duplicates. */
  readonly received: SplitReport[] = []
  readonly #clock: VirtualClock
  readonly #random: Luck

  constructor(clock: VirtualClock, random: Luck) {
    this.#clock = clock
    this.#random = random
  }

  post(call: Parameters<HookPost['post']>[0]): Promise<HookAnswer> {
    const luck = this.#random.below(100)
    if (luck < 80) this.received.push(...splitReports(call))
    const answer: HookAnswer =
      luck < 72
        ? { kind: 'answered', status: 200, retryAfterMs: null }
        : luck < 80
          ? { kind: 'failed', reason: 'the answer was lost' }
          : luck < 90
            ? { kind: 'answered', status: 503, retryAfterMs: null }
            : { kind: 'failed', reason: 'connection refused' }
    return new Promise((resolve) => void this.#clock.after(this.#random.below(300), () => resolve(answer)))
  }

  async stop(): Promise<void> {}
}
