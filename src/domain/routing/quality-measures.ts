/** What is compared of carriers: shares of their messages, and what they surely are, however few were counted. */
import type { QualityMeasure } from './demotion.ts'
import type { QualityCounts } from './quality-counts.ts'
import type { QualityRule } from './quality-rule.ts'

interface Share {
  readonly part: number
  readonly of: number
}

export interface Measure {
  /** Unique. */
  readonly id: string
  readonly name: Extract<QualityMeasure, 'delivery' | 'conversion' | 'speed'>
  /** Of the carrier that is judged. */
  readonly own: (counts: QualityCounts) => Share
  /** Of those that it is compared with. */
  readonly theirs: (counts: QualityCounts) => Share
  /** By how much its own share must be smaller. */
  readonly dropOf: (rule: QualityRule) => number
  /** Returns the share below which it is too small, whatever others have. */
  readonly floorOf: (rule: QualityRule) => number
  /** For operators: what the shares are of. */
  readonly describeOwn: (rule: QualityRule) => string
  readonly describeTheirs: string
}

export const DELIVERY: Measure = {
  id: 'delivery',
  name: 'delivery',
  own: deliveredOf,
  theirs: deliveredOf,
  dropOf: ({ drop }) => drop,
  floorOf: ({ floor }) => floor ?? 0,
  describeOwn: ({ withinMs }) => `messages delivered within ${withinMs / 1_000} s`,
  describeTheirs: '',
}

/** Without a floor: how many codes are entered depends on more than the carrier. */
const CONVERSION: Measure = {
  id: 'conversion',
  name: 'conversion',
  own: enteredOf,
  theirs: enteredOf,
  dropOf: ({ drop }) => drop,
  floorOf: () => 0,
  describeOwn: () => 'codes entered',
  describeTheirs: '',
}

/**
 * A carrier is slow if it needs more than three times as long as others. Receipts of others that come at once demote
 * none that delivers most within 30 seconds.
 */
const SPEEDS: readonly Measure[] = [
  speed({ own: within30s, theirs: within10s, seconds: [30, 10] }),
  speed({ own: within90s, theirs: within30s, seconds: [90, 30] }),
]

interface Speed extends Pick<Measure, 'own' | 'theirs'> {
  readonly seconds: readonly [own: number, theirs: number]
}

function speed({ own, theirs, seconds }: Speed): Measure {
  return {
    ...{ id: `speed ${seconds[0]}`, name: 'speed', own, theirs },
    dropOf: ({ slow }) => slow,
    floorOf: () => 0,
    describeOwn: () => `deliveries within ${seconds[0]} s`,
    describeTheirs: ` within ${seconds[1]} s`,
  }
}

/** Returns what a carrier with these counts is judged by: codes rather than receipts, if there are enough. */
export function measuresFor({ codes }: QualityCounts, { minMessages }: QualityRule): readonly Measure[] {
  return [codes >= minMessages ? CONVERSION : DELIVERY, ...SPEEDS]
}

/** Returns what may have been measured when a carrier was demoted; nothing if another reason demoted it. */
export function measuresNamed(name: QualityMeasure): readonly Measure[] {
  return [DELIVERY, CONVERSION, ...SPEEDS].filter((each) => each.name === name)
}

function deliveredOf({ sent, delivered }: QualityCounts): Share {
  return { part: delivered, of: sent }
}

function enteredOf({ codes, converted }: QualityCounts): Share {
  return { part: converted, of: codes }
}

function within10s(counts: QualityCounts): Share {
  return { part: counts.in10s, of: timed(counts) }
}

export function within30s(counts: QualityCounts): Share {
  return { part: counts.in10s + counts.in30s, of: timed(counts) }
}

function within90s(counts: QualityCounts): Share {
  return { part: counts.in10s + counts.in30s + counts.in90s, of: timed(counts) }
}

function timed({ in10s, in30s, in90s, later }: QualityCounts): number {
  return in10s + in30s + in90s + later
}

export function describeShare({ part, of }: Share): string {
  return `${describePercent(part / of)} of ${of}`
}

export function describePercent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Standard deviations: chance goes beyond once in about 700 times. */
const Z = 3

/** The score interval of Wilson: what the true share hardly exceeds, however few were counted. */
export function upperBound(share: Share): number {
  const [middle, half] = interval(share)
  return Math.min(1, middle + half)
}

export function lowerBound(share: Share): number {
  const [middle, half] = interval(share)
  return Math.max(0, middle - half)
}

function interval({ part, of }: Share): readonly [middle: number, half: number] {
  const share = Math.min(part, of) / of
  const scale = 1 + Z ** 2 / of
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  return [(share + Z ** 2 / (2 * of)) / scale, half]
}
