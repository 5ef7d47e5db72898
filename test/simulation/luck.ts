/** The random numbers of a simulated world, repeatable by its seed. */
import { SeededRandom } from '../support/seeded-random.ts'

export class Luck extends SeededRandom {
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)]
    if (choice === undefined) throw new RangeError('nothing to pick from')
    return choice
  }
}
