/**
 * Traffic to a destination prefix, and when it leaves its own pattern: the sign of SMS pumping, where somebody has many
 * messages sent to numbers that he earns by. The pattern is a mean over slots of time: learnt within hours, it fades by
 * half in a day.
 */
import type { AccountId } from './account.ts'
import { callingCodeOf, type Phone } from './phone.ts'

/** Calls are watched apart from messages. */
export type TrafficKind = 'messages' | 'calls'

/** What is counted apart. */
export interface TrafficKey {
  /** Null for all accounts together. */
  readonly accountId: AccountId | null
  readonly kind: TrafficKind
  readonly prefix: string
}

/** How much went there in the slot under way and the one before, and how much does usually. */
export interface Traffic extends TrafficKey {
  /** The slot under way: its number since 1970. */
  readonly slot: number
  readonly count: number
  /** Of the slot before. */
  readonly before: number
  /** Of a slot, over those that are over. */
  readonly mean: number
  /** Slots that are over since the first, those without traffic too. */
  readonly slots: number
}

/** What went there in a slot. */
export interface TrafficCount extends TrafficKey {
  readonly slot: number
  readonly count: number
}

export interface PumpingRule {
  /** Fewer in a slot of five minutes are never remarkable. */
  readonly floor: number
  /** How many times as much as usual is remarkable. */
  readonly factor: number
  /** How long nothing more goes there, minutes; 0 only raises the alarm. */
  readonly stopMinutes: number
}

/** Of a slot, milliseconds. */
export const TRAFFIC_SLOT_MS = 300_000
/** Digits of the prefix behind the calling code. */
const PREFIX_DIGITS = 4
/** What a slot weighs in the mean in the long run: after a day of them half of what was is forgotten. */
const LEAST_WEIGHT = 1 - 0.5 ** (TRAFFIC_SLOT_MS / 86_400_000)
/** A pattern begins as if there had been so many slots without traffic: an hour. */
const SLOTS_BEFORE = 12

export function trafficPrefix(phone: Phone): string {
  return phone.slice(0, callingCodeOf(phone).length + PREFIX_DIGITS)
}

export function trafficSlot(at: number): number {
  return Math.floor(at / TRAFFIC_SLOT_MS)
}

/** The pattern with `count` more in `slot`. A slot that is over by then goes into the mean, and those without traffic too. */
export function addTraffic(known: Traffic | null, key: TrafficKey, slot: number, count: number): Traffic {
  if (known === null) return { ...key, slot, count, before: 0, mean: 0, slots: 0 }
  if (slot <= known.slot) return { ...known, count: known.count + count }
  const passed = slot - known.slot
  let { mean } = known
  for (let over = 0; over < passed; over += 1) {
    const weight = Math.max(LEAST_WEIGHT, 1 / (SLOTS_BEFORE + known.slots + over + 1))
    if (weight === LEAST_WEIGHT && over > 0) {
      mean *= (1 - LEAST_WEIGHT) ** (passed - over)
      break
    }
    mean += weight * ((over === 0 ? known.count : 0) - mean)
  }
  return { ...key, slot, count, before: passed === 1 ? known.count : 0, mean, slots: known.slots + passed }
}

/** How much went there in the last five minutes, reckoned from the slots. */
export function recentTraffic(traffic: Traffic, now: number): number {
  const passed = Math.min(Math.max(now / TRAFFIC_SLOT_MS - traffic.slot, 0), 1)
  return traffic.count + traffic.before * (1 - passed)
}

/** More than that is remarkable. */
export function remarkableTraffic(traffic: Traffic, { floor, factor }: PumpingRule): number {
  return Math.max(floor, factor * traffic.mean)
}
