/**
 * Detects unusual traffic to a prefix and stops it: for the accounts that it comes from, or for all if it comes from
 * many. Counts a bounded number of prefixes in memory and checks them every few seconds.
 */
import type { Directory } from '../../domain/directory/directory.ts'
import {
  type PumpingRule,
  recentTraffic,
  remarkableTraffic,
  type Traffic,
  type TrafficCount,
  type TrafficKey,
  type TrafficKind,
  trafficPrefix,
  trafficSlot,
} from '../../domain/guards/traffic.ts'
import { isInEffect, type TrafficAlarm, trafficKeyText } from '../../domain/guards/traffic-alarm.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { Turn } from '../../domain/journey/turn.ts'
import type { Message } from '../../domain/message/message.ts'
import type { CallCount } from '../../domain/statistics/call-statistics.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

export interface PumpingWatchTools {
  readonly store: Pick<DeliveryStore & SetupStore, 'countTraffic' | 'change'>
  readonly directory: () => Directory
  readonly clock: Clock
  readonly log: Log
  /** For metrics. */
  readonly onAlarm: (alarm: TrafficAlarm) => void
  /** Reads the directory again, after new alarms. */
  readonly refresh: () => Promise<void>
}

/** Maximum of keys counted between two checks; further ones are not watched. */
const MAX_KEYS = 50_000
/** An alarm without a stop is not raised again within this time. */
const RAISED_FOR_MS = 3_600_000
const MINUTE_MS = 60_000

export class PumpingWatch {
  readonly #tools: PumpingWatchTools
  #counts = new Map<string, TrafficKey & { count: number }>()

  constructor(tools: PumpingWatchTools) {
    this.#tools = tools
  }

  /** Counts verifications that end without the right code, although it was sent. */
  countEnd({ message, calls }: Turn): void {
    if (this.#tools.directory().guards.settings.pumping === null || !calls.some(isUnverified)) return
    this.#countBoth(message, 'unverified')
  }

  /** Counts accepted messages. */
  count(messages: readonly Message[]): void {
    if (this.#tools.directory().guards.settings.pumping === null) return
    for (const message of messages) {
      if (!message.test) this.#countBoth(message, message.plan[0]?.channel === 'call' ? 'calls' : 'messages')
    }
  }

  /** Checks the counts since the last call. Rejects if the store does; the counts are then lost. */
  async look(): Promise<void> {
    const { store, directory, clock, refresh } = this.#tools
    const rule = directory().guards.settings.pumping
    const counted = [...this.#counts.values()]
    this.#counts = new Map()
    if (rule === null || counted.length === 0) return
    const slot = trafficSlot(clock.now())
    const traffic = await store.countTraffic(counted.map((each): TrafficCount => ({ ...each, slot })))
    const alarms = judge(traffic, rule, clock.now()).filter((alarm) => this.#isNews(alarm))
    for (const alarm of alarms) await this.#raise(alarm)
    if (alarms.length > 0) await refresh()
  }

  /** For the account and for all accounts together. */
  #countBoth({ accountId, phone }: Message, kind: TrafficKind): void {
    const prefix = trafficPrefix(phone)
    this.#count({ accountId: null, kind, prefix })
    this.#count({ accountId, kind, prefix })
  }

  #count(key: TrafficKey): void {
    const name = trafficKeyText(key)
    const known = this.#counts.get(name)
    if (known !== undefined) known.count += 1
    else if (this.#counts.size < MAX_KEYS) this.#counts.set(name, { ...key, count: 1 })
  }

  #isNews(alarm: TrafficAlarm): boolean {
    const known = this.#tools.directory().guards.alarmOf(alarm)
    return known === null || !isInEffect(known, this.#tools.clock.now())
  }

  async #raise(alarm: TrafficAlarm): Promise<void> {
    const { store, log, onAlarm } = this.#tools
    await store.change({ kind: 'set traffic alarm', alarm })
    const { accountId, kind, prefix, seen, usual, state } = alarm
    const fields = { accountId, kind, prefix, seen: Math.round(seen), usual: Math.round(usual), state }
    log.warn(fields, 'traffic to a prefix has left its pattern')
    onAlarm(alarm)
  }
}

function isUnverified({ outcome }: CallCount): boolean {
  return outcome === 'verify expired' || outcome === 'verify too_many'
}

/** Returns the alarms: of accounts, and of all accounts together for the traffic that is not explained by those. */
function judge(traffic: readonly Traffic[], rule: PumpingRule, now: number): readonly TrafficAlarm[] {
  const alarms: TrafficAlarm[] = []
  const explained = new Map<string, number>()
  for (const each of traffic) {
    if (each.accountId === null || recentTraffic(each, now) <= remarkableTraffic(each, rule)) continue
    alarms.push(alarmOf(each, each.accountId, recentTraffic(each, now), rule, now))
    const name = `${each.kind} ${each.prefix}`
    explained.set(name, (explained.get(name) ?? 0) + recentTraffic(each, now))
  }
  for (const each of traffic) {
    if (each.accountId !== null) continue
    const rest = recentTraffic(each, now) - (explained.get(`${each.kind} ${each.prefix}`) ?? 0)
    if (rest > remarkableTraffic(each, rule)) alarms.push(alarmOf(each, null, rest, rule, now))
  }
  return alarms
}

function alarmOf(
  { kind, prefix, mean }: Traffic,
  accountId: AccountId | null,
  seen: number,
  { stopMinutes }: PumpingRule,
  now: number,
): TrafficAlarm {
  const until = now + (stopMinutes === 0 ? RAISED_FOR_MS : stopMinutes * MINUTE_MS)
  const state = stopMinutes === 0 ? 'raised' : 'stopped'
  return { accountId, kind, prefix, raisedAt: now, seen, usual: mean, state, until }
}
