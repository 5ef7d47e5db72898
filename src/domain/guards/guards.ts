/**
 * Guards: what an account may send, where and when, and its limits over time: which limits a message counts towards,
 * and how usage is counted. Time is divided into slots, so that a store only sums a few numbers and reads no messages.
 */
import type { Account, AccountGuards, VelocityLimit } from '../accounts/account.ts'
import { OptOutLexicon } from '../consent/opt-out.ts'
import { DEFAULT_OPT_OUT_LANGUAGES } from '../consent/opt-out-words.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { MessageId } from '../ids/message-id.ts'
import type { InboundNumber } from '../inbound/inbound-number.ts'
import { MAX_RESENDS } from '../message/resend.ts'
import type { Micros } from '../money/money.ts'
import { firstOfNetwork } from '../network/networks.ts'
import { countryOf } from '../numbers/country.ts'
import { type ListedNumber, NumberLists } from '../numbers/number-list.ts'
import { formsOf, type Phone } from '../numbers/phone.ts'
import { prefixDigitsOf } from '../numbers/prefix-table.ts'
import { localDay } from '../time/local-time.ts'
import { type QuietHours, quietUntil, zonesOfPhone } from '../time/quiet-hours.ts'
import type { GuardSettings } from './guard-settings.ts'
import { type TrafficKind, trafficPrefix } from './traffic.ts'
import { isStop, type TrafficAlarm, trafficKeyText } from './traffic-alarm.ts'

/** The guards that operators have set up, ready for lookup: part of the directory, replaced as a whole with it. */

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

/**
 * What is limited: a day, the calls or verifications of an hour, the messages to one phone, country or prefix, the
 * verifications of one phone or from one address, the repeats of one code, or the automatic replies to one phone.
 */
export type UsageGuard =
  | 'day'
  | 'calls'
  | 'verify'
  | 'verify phone'
  | 'verify address'
  | 'resend'
  | 'reply'
  | VelocityLimit['per']

/** How many verifications an account may start within an hour; null for no limit. */
export interface VerifyLimits {
  readonly perHour: number | null
  readonly perHourToPhone: number
  readonly perHourFromAddress: number
}

/** A count in slots, and the slots that are added up. */
export interface UsageWindow {
  /** Whose messages are counted; null for those of all accounts together. */
  readonly accountId: AccountId | null
  /** What is counted together, within its account: `phone/3600 37120000000`. */
  readonly key: string
  /** New usage is counted in this slot … */
  readonly slot: number
  /** … and added to the usage in the slots from this one on. */
  readonly since: number
  /** Milliseconds: until when the slot is needed. */
  readonly keepUntil: number
}

/** What was used in a window. */
export interface Used {
  readonly messages: number
  readonly micros: number
}

export interface UsageLimit extends UsageWindow {
  readonly guard: UsageGuard
  /** Messages and calls, including the requested ones; null for no limit. */
  readonly maxMessages: number | null
  /** Money held for them; null for no limit. */
  readonly maxMicros: Micros | null
}

/** Returns what of the limit so many more messages of this price together would exceed; null if nothing. */
export function exceededBy(
  { maxMessages, maxMicros }: Pick<UsageLimit, 'maxMessages' | 'maxMicros'>,
  used: Used,
  { messages, micros }: Used,
): 'messages' | 'money' | null {
  if (maxMessages !== null && used.messages + messages > maxMessages) return 'messages'
  return maxMicros !== null && used.micros + micros > maxMicros ? 'money' : null
}

/** Slots per window: a used place becomes free again up to a tenth of the window late, and never early. */
const SLOTS_OF_WINDOW = 10
/** The longest local day, with a clock change. */
const LONGEST_DAY_MS = 26 * 3_600_000
const HOUR_SECONDS = 3_600
/** Bits of the network that one user of IPv6 has. */
const USER_BITS = 64
const HOUR_MS = 3_600_000

/**
 * Returns the window of the answers that an account keeps under idempotency keys for so many milliseconds, in hourly
 * slots. Each answer counts as a message, and its bytes in place of money.
 */
export function keptAnswers(accountId: AccountId, keptMs: number, now: number): UsageWindow {
  const slot = Math.floor(now / HOUR_MS)
  const since = Math.floor((now - keptMs) / HOUR_MS)
  return { accountId, key: 'answers', slot, since, keepUntil: now + keptMs + HOUR_MS }
}

/** The limits of one request, and which of them each of its messages counts towards. */
export class RequestUsage {
  /** Each limit once, however many messages count towards it. */
  readonly limits: UsageLimit[] = []
  /** By account and key; null as long as there are none, which is usual. */
  #places: Map<string, number> | null = null
  readonly #account: Account
  readonly #settings: GuardSettings
  readonly #now: number
  /** Whether messages and calls are limited at all. */
  readonly #limitsMessages: boolean

  constructor(account: Account, settings: GuardSettings, now: number) {
    this.#account = account
    this.#settings = settings
    this.#now = now
    this.#limitsMessages = limitsMessages(account, settings)
  }

  /** Returns the indexes in `limits` that a message or call to this phone counts towards. */
  placesOf(kind: TrafficKind, phone: Phone): readonly number[] {
    if (!this.#limitsMessages) return NO_PLACES
    const { id, settings } = this.#account
    return [
      ...(kind === 'calls' ? this.#calls(id, settings.callsPerHour) : []),
      ...this.#day(id, settings.timeZone, settings.dailyMessages, settings.dailySpendMicros),
      ...settings.velocityLimits.map((limit) => this.#velocity(id, limit, phone)),
      ...this.#day(null, 'UTC', this.#settings.dailyMessages, null),
      ...this.#settings.velocityLimits.map((limit) => this.#velocity(null, limit, phone)),
    ]
  }

  /** Returns the indexes in `limits` that the price of a lookup counts towards: what the account may spend in a day. */
  spendPlaces(): readonly number[] {
    const { id, settings } = this.#account
    if (settings.dailySpendMicros === null) return []
    return this.#day(id, settings.timeZone, settings.dailyMessages, settings.dailySpendMicros)
  }

  /**
   * Returns the indexes in `limits` that a verification counts towards besides its message. `address`: the end user's
   * IP address; null if the client does not say it.
   */
  verifyPlacesOf(phone: Phone, address: string | null, most: VerifyLimits): readonly number[] {
    const { id } = this.#account
    const hour = (guard: UsageGuard, key: string, max: number) => this.#window(id, guard, key, HOUR_SECONDS, max)
    return [
      hour('verify phone', `verify/phone ${formsOf(phone)[0]}`, most.perHourToPhone),
      ...(address === null
        ? []
        : [hour('verify address', `verify/address ${firstOfNetwork(address, USER_BITS)}`, most.perHourFromAddress)]),
      ...(most.perHour === null ? [] : [hour('verify', 'verify', most.perHour)]),
    ]
  }

  /** Returns the index in `limits` of messages that repeat the code of a verification, which ends within an hour. */
  resendPlaceOf(verifyId: MessageId): number {
    return this.#window(this.#account.id, 'resend', `verify/resend ${verifyId}`, HOUR_SECONDS, MAX_RESENDS)
  }

  /** Returns the index in `limits` of replies of this kind from a number to this phone. */
  replyPlaceOf(
    { carrierId, address }: Pick<InboundNumber, 'carrierId' | 'address'>,
    phone: Phone,
    { key, perHour }: { readonly key: string; readonly perHour: number },
  ): number {
    const place = `${key}/${carrierId}/${address} ${formsOf(phone)[0]}`
    return this.#window(this.#account.id, 'reply', place, HOUR_SECONDS, perHour)
  }

  #day(accountId: AccountId | null, zone: string, maxMessages: number | null, maxMicros: Micros | null): number[] {
    if (maxMessages === null && maxMicros === null) return []
    const slot = localDay(zone, this.#now)
    const keepUntil = this.#now + LONGEST_DAY_MS
    return [this.#place({ accountId, guard: 'day', key: 'day', slot, since: slot, maxMessages, maxMicros, keepUntil })]
  }

  #calls(accountId: AccountId, most: number | null): number[] {
    return most === null ? [] : [this.#window(accountId, 'calls', 'calls', HOUR_SECONDS, most)]
  }

  #velocity(accountId: AccountId | null, limit: VelocityLimit, phone: Phone): number {
    const { per, windowSeconds, most } = limit
    return this.#window(accountId, per, `${per}/${windowSeconds} ${countedOf(limit, phone)}`, windowSeconds, most)
  }

  #window(accountId: AccountId | null, guard: UsageGuard, key: string, windowSeconds: number, most: number): number {
    const slotMs = Math.max(1_000, Math.ceil((windowSeconds * 1_000) / SLOTS_OF_WINDOW))
    return this.#place({
      accountId,
      guard,
      key,
      slot: Math.floor(this.#now / slotMs),
      since: Math.floor((this.#now - windowSeconds * 1_000) / slotMs),
      maxMessages: most,
      maxMicros: null,
      keepUntil: this.#now + windowSeconds * 1_000 + slotMs,
    })
  }

  #place(limit: UsageLimit): number {
    const name = `${limit.accountId} ${limit.key}`
    this.#places ??= new Map()
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.limits.length)
    return this.limits.push(limit) - 1
  }
}

const NO_PLACES: readonly number[] = []

function limitsMessages({ settings }: Account, installation: GuardSettings): boolean {
  return (
    settings.dailyMessages !== null ||
    settings.dailySpendMicros !== null ||
    settings.velocityLimits.length > 0 ||
    settings.callsPerHour !== null ||
    installation.dailyMessages !== null ||
    installation.velocityLimits.length > 0
  )
}

/** Numbers of no country are counted together. */
function countedOf({ per, prefixDigits }: VelocityLimit, phone: Phone): string {
  const [counted] = formsOf(phone)
  if (per === 'phone') return counted
  if (per === 'country') return countryOf(counted) ?? '-'
  return prefixDigitsOf(counted).slice(0, prefixDigits ?? counted.length)
}
