/** The guards that operators have set up, ready for lookup: part of the directory, replaced as a whole with it. */

import type { AccountGuards } from '../accounts/account-guards.ts'
import { OptOutLexicon } from '../consent/opt-out.ts'
import { DEFAULT_OPT_OUT_LANGUAGES } from '../consent/opt-out-words.ts'
import type { AccountId } from '../ids/account-id.ts'
import { countryOf } from '../numbers/country.ts'
import { type ListedNumber, NumberLists } from '../numbers/number-list.ts'
import type { Phone } from '../numbers/phone.ts'
import { type QuietHours, quietUntil, zonesOfPhone } from '../time/quiet-hours.ts'
import type { GuardSettings } from './guard-settings.ts'
import { type TrafficKind, trafficPrefix } from './traffic.ts'
import { isStop, type TrafficAlarm, trafficKeyText } from './traffic-alarm.ts'

/** The rows as stored. */
export interface GuardRows {
  readonly guardSettings: GuardSettings
  readonly listedNumbers: readonly ListedNumber[]
  readonly trafficAlarms: readonly TrafficAlarm[]
  /** Accounts with at least one opt-out. */
  readonly optedOutOf: readonly AccountId[]
}

export class Guards {
  readonly settings: GuardSettings
  readonly lexicon: OptOutLexicon
  readonly #lists: NumberLists | null
  readonly #alarms: ReadonlyMap<string, TrafficAlarm>
  /** Accounts with at least one opt-out. */
  readonly optedOutOf: readonly AccountId[]
  readonly #optedOutOf: ReadonlySet<AccountId>

  constructor({ guardSettings, listedNumbers, trafficAlarms, optedOutOf }: GuardRows) {
    this.settings = guardSettings
    this.lexicon = new OptOutLexicon({ ...DEFAULT_OPT_OUT_LANGUAGES, ...guardSettings.optOutLanguages })
    this.#lists = listedNumbers.length === 0 ? null : new NumberLists(listedNumbers)
    this.#alarms = new Map(trafficAlarms.map((alarm) => [trafficKeyText(alarm), alarm]))
    this.optedOutOf = optedOutOf
    this.#optedOutOf = new Set(optedOutOf)
  }

  isDenied(phone: Phone): boolean {
    return this.#lists?.listOf(phone) === 'deny'
  }

  /** Returns whether any phone has opted out of anything of the account. */
  mayBeOptedOut(accountId: AccountId): boolean {
    return this.#optedOutOf.has(accountId)
  }

  /** Returns whether the account and the installation both allow its country. A number of no country is on no list. */
  allowsCountry({ allowedCountries }: AccountGuards, phone: Phone): boolean {
    const lists = [allowedCountries, this.settings.allowedCountries].filter((list) => list !== null)
    if (lists.length === 0) return true
    const country = countryOf(phone)
    return country !== null && lists.every((list) => list.includes(country))
  }

  /** Returns whether traffic there is stopped because of its pattern, for this account or for all. */
  isStopped(accountId: AccountId, kind: TrafficKind, phone: Phone, now: number): boolean {
    if (this.#alarms.size === 0 || this.#lists?.listOf(phone) === 'allow') return false
    const prefix = trafficPrefix(phone)
    return [accountId, null].some((each) => {
      const alarm = this.alarmOf({ accountId: each, kind, prefix })
      return alarm !== null && isStop(alarm, now)
    })
  }

  /** Returns the last alarm, whether or not it still applies. */
  alarmOf(key: Parameters<typeof trafficKeyText>[0]): TrafficAlarm | null {
    return this.#alarms.get(trafficKeyText(key)) ?? null
  }

  /** The last alarm of each traffic key. */
  get alarms(): readonly TrafficAlarm[] {
    return [...this.#alarms.values()]
  }

  /** Returns the quiet hours of an account: its own or the installation's; null for none. */
  quietHoursOf({ quietHours }: AccountGuards): QuietHours | null {
    if (quietHours === 'off') return null
    return quietHours === 'installation' ? this.settings.quietHours : quietHours
  }

  /** Returns when the account may send to the phone again, milliseconds; null for now. */
  quietUntil(account: AccountGuards, phone: Phone, now: number): number | null {
    const quiet = this.quietHoursOf(account)
    return quiet === null ? null : quietUntil(quiet, zonesOfPhone(phone, account.timeZone), now)
  }
}
