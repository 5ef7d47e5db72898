/** All guards that operators have set up, as they are asked: part of the directory, replaced whole with it. */

import type { AccountId } from './account.ts'
import type { AccountGuards } from './account-guards.ts'
import { countryOf } from './country.ts'
import type { GuardSettings } from './guard-settings.ts'
import { type ListedNumber, NumberLists } from './number-list.ts'
import { OptOutLexicon } from './opt-out.ts'
import { DEFAULT_OPT_OUT_LANGUAGES } from './opt-out-words.ts'
import type { Phone } from './phone.ts'
import { type QuietHours, quietUntil, zonesOfPhone } from './quiet-hours.ts'
import { type TrafficKind, trafficPrefix } from './traffic.ts'
import { isStop, type TrafficAlarm, trafficKeyText } from './traffic-alarm.ts'

/** The rows as a store keeps them. */
export interface GuardRows {
  readonly guardSettings: GuardSettings
  readonly listedNumbers: readonly ListedNumber[]
  readonly trafficAlarms: readonly TrafficAlarm[]
  /** The accounts with any opt-out. */
  readonly optedOutOf: readonly AccountId[]
}

export class Guards {
  readonly settings: GuardSettings
  readonly lexicon: OptOutLexicon
  readonly #lists: NumberLists | null
  readonly #alarms: ReadonlyMap<string, TrafficAlarm>
  readonly #optedOutOf: ReadonlySet<AccountId>

  constructor({ guardSettings, listedNumbers, trafficAlarms, optedOutOf }: GuardRows) {
    this.settings = guardSettings
    this.lexicon = new OptOutLexicon({ ...DEFAULT_OPT_OUT_LANGUAGES, ...guardSettings.optOutLanguages })
    this.#lists = listedNumbers.length === 0 ? null : new NumberLists(listedNumbers)
    this.#alarms = new Map(trafficAlarms.map((alarm) => [trafficKeyText(alarm), alarm]))
    this.#optedOutOf = new Set(optedOutOf)
  }

  isDenied(phone: Phone): boolean {
    return this.#lists?.listOf(phone) === 'deny'
  }

  /** Whether anybody has opted out of anything of the account. */
  mayBeOptedOut(accountId: AccountId): boolean {
    return this.#optedOutOf.has(accountId)
  }

  /** Whether neither the account nor the installation forbids its country. A number of no country is in no list. */
  allowsCountry({ allowedCountries }: AccountGuards, phone: Phone): boolean {
    const lists = [allowedCountries, this.settings.allowedCountries].filter((list) => list !== null)
    if (lists.length === 0) return true
    const country = countryOf(phone)
    return country !== null && lists.every((list) => list.includes(country))
  }

  /** Whether nothing goes there because of its pattern of traffic, for this account or for all. */
  isStopped(accountId: AccountId, kind: TrafficKind, phone: Phone, now: number): boolean {
    if (this.#alarms.size === 0 || this.#lists?.listOf(phone) === 'allow') return false
    const prefix = trafficPrefix(phone)
    return [accountId, null].some((each) => {
      const alarm = this.alarmOf({ accountId: each, kind, prefix })
      return alarm !== null && isStop(alarm, now)
    })
  }

  /** What was raised last, whether it still counts or not. */
  alarmOf(key: Parameters<typeof trafficKeyText>[0]): TrafficAlarm | null {
    return this.#alarms.get(trafficKeyText(key)) ?? null
  }

  /** The quiet hours of an account: its own or those of all; null for none. */
  quietHoursOf({ quietHours }: AccountGuards): QuietHours | null {
    if (quietHours === 'off') return null
    return quietHours === 'installation' ? this.settings.quietHours : quietHours
  }

  /** When the account may write to the phone again, milliseconds; null for now. */
  quietUntil(account: AccountGuards, phone: Phone, now: number): number | null {
    const quiet = this.quietHoursOf(account)
    return quiet === null ? null : quietUntil(quiet, zonesOfPhone(phone, account.timeZone), now)
  }
}
