/**
 * Traffic to a destination prefix and departures from its usual pattern: the sign of SMS pumping, where an attacker has
 * many messages sent to numbers that earn him money. The pattern is a mean over time slots: learnt within hours, it
 * fades by half in a day.
 */
import type { AccountId } from '../ids/account-id.ts'
import { callingCodeOf, formsOf, type Phone } from '../numbers/phone.ts'
import { prefixDigitsOf } from '../numbers/prefix-table.ts'

/**
 * Calls are monitored apart from messages. `unverified`: verifications whose code was not approved, which a bot that
 * earns money with messages does not care for.
 */
export const TRAFFIC_KINDS = ['messages', 'calls', 'unverified'] as const
export type TrafficKind = (typeof TRAFFIC_KINDS)[number]

/** What is counted separately. */
export interface TrafficKey {
  /** Null for all accounts together. */
  readonly accountId: AccountId | null
  readonly kind: TrafficKind
  readonly prefix: string
}

/** Traffic in the current slot and the one before, and the usual traffic. */
export interface Traffic extends TrafficKey {
  /** The current slot: its number since 1970. */
  readonly slot: number
  readonly count: number
  /** Of the slot before. */
  readonly before: number
  /** Mean per completed slot. */
  readonly mean: number
  /** Completed slots since the first, including those without traffic. */
  readonly slots: number
}

/** Traffic in a slot. */
export interface TrafficCount extends TrafficKey {
  readonly slot: number
  readonly count: number
}

export interface PumpingRule {
  /** Fewer in a slot of five minutes are never unusual. */
  readonly floor: number
  /** Multiple of the mean that is unusual. */
  readonly factor: number
  /** How long traffic there is stopped, minutes; 0 only raises the alarm. */
  readonly stopMinutes: number
}

/** Of a slot, milliseconds. */
export const TRAFFIC_SLOT_MS = 300_000
/** Digits of the prefix behind the calling code. */
const PREFIX_DIGITS = 4
/** Long-run weight of a slot in the mean: after a day of slots half of the past is forgotten. */
const MIN_WEIGHT = 1 - 0.5 ** (TRAFFIC_SLOT_MS / 86_400_000)
/** A pattern begins as if there had been so many slots without traffic: an hour. */
const SLOTS_BEFORE = 12

export function trafficPrefix(phone: Phone): string {
  const [first] = formsOf(phone)
  return prefixDigitsOf(first).slice(0, callingCodeOf(first).length + PREFIX_DIGITS)
}

export function trafficSlot(at: number): number {
  return Math.floor(at / TRAFFIC_SLOT_MS)
}

/**
 * Returns the pattern with `count` more in `slot`. Slots completed by then go into the mean, including those without
 * traffic.
 */
export function addTraffic(known: Traffic | null, key: TrafficKey, slot: number, count: number): Traffic {
  if (known === null) return { ...key, slot, count, before: 0, mean: 0, slots: 0 }
  if (slot <= known.slot) return { ...known, count: known.count + count }
  const passed = slot - known.slot
  let { mean } = known
  for (let over = 0; over < passed; over += 1) {
    const weight = Math.max(MIN_WEIGHT, 1 / (SLOTS_BEFORE + known.slots + over + 1))
    if (weight === MIN_WEIGHT && over > 0) {
      mean *= (1 - MIN_WEIGHT) ** (passed - over)
      break
    }
    mean += weight * ((over === 0 ? known.count : 0) - mean)
  }
  return { ...key, slot, count, before: passed === 1 ? known.count : 0, mean, slots: known.slots + passed }
}

/** Returns the traffic of the last five minutes, estimated from the slots. */
export function recentTraffic(traffic: Traffic, now: number): number {
  const passed = Math.min(Math.max(now / TRAFFIC_SLOT_MS - traffic.slot, 0), 1)
  return traffic.count + traffic.before * (1 - passed)
}

/** Returns the amount above which traffic is unusual. */
export function remarkableTraffic(traffic: Traffic, { floor, factor }: PumpingRule): number {
  return Math.max(floor, factor * traffic.mean)
}
