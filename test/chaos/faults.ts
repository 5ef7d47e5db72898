/** What can go wrong in a cluster, and in which order it does: the seed decides. */
import type { Random } from '../../src/ports/system/random.ts'
import type { Happening } from '../crash/tally.ts'

export const GATEWAYS = 3

export const FAULTS = [
  'killed',
  'frozen',
  'database stopped',
  'connections cut',
  'rolling restart',
  'all killed',
] as const

export interface Fault {
  readonly kind: (typeof FAULTS)[number]
  /** Which of the gateways it happens to, or with which it begins. */
  readonly gateway: number
  /** It comes in the middle of this, when it has happened so many times more. */
  readonly happening: Happening
  readonly times: number
  /** How long the database is away, milliseconds; the patience of calls is five seconds. */
  readonly awayMs: number
  /** A killed gateway comes again at once; otherwise when the others have taken over. */
  readonly comesAtOnce: boolean
}

/** What was on the wire may be sent once more after these; after the others nothing may. */
export const LEAVES_DOUBLES: Readonly<Record<Fault['kind'], boolean>> = {
  killed: true,
  frozen: true,
  'database stopped': true,
  'connections cut': false,
  'rolling restart': false,
  'all killed': true,
}

const HAPPENINGS: readonly Happening[] = ['answered', 'submitted', 'reported']
const MAX_TIMES = 60

/** All kinds in turn, each round in an order of its own. Without an end. */
export function* drawFaults(random: Random, kinds: readonly Fault['kind'][], longestAwayMs: number): Generator<Fault> {
  for (;;) {
    for (const kind of shuffle(kinds, random)) {
      yield {
        kind,
        gateway: random.below(GATEWAYS),
        happening: HAPPENINGS[random.below(HAPPENINGS.length)] as Happening,
        times: 1 + random.below(MAX_TIMES),
        awayMs: random.below(longestAwayMs),
        comesAtOnce: random.below(2) === 0,
      }
    }
  }
}

function shuffle<Thing>(things: readonly Thing[], random: Random): readonly Thing[] {
  const shuffled = [...things]
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1)
    const [one, two] = [shuffled[last] as Thing, shuffled[other] as Thing]
    shuffled[last] = two
    shuffled[other] = one
  }
  return shuffled
}
