/** An account: a client of the gateway, with a balance in one currency and settings of its own. */
import type { Channel } from '../channels/channel.ts'
import { SMS } from '../channels/sms.ts'
import type { AccountId } from '../ids/account-id.ts'
import type { InboundReportForm } from '../inbound/inbound-report-form.ts'
import type { Micros } from '../money/money.ts'
import type { Country } from '../numbers/country.ts'
import type { QuietHours } from '../time/quiet-hours.ts'
import { type AccountRetention, DEFAULT_ACCOUNT_RETENTION } from './retention.ts'

/**
 * What an account may send, to which destinations and when. guard-settings.ts has the same for the whole installation.
 */

/** Part of the settings of an account. */
export interface AccountGuards {
  /** Countries to which messages and calls are allowed; null for all. */
  readonly allowedCountries: readonly Country[] | null
  /** Money that messages accepted in one day may hold, whatever their outcome; null for no limit. */
  readonly dailySpendMicros: Micros | null
  /** Messages and calls accepted in one day; null for no limit. */
  readonly dailyMessages: number | null
  readonly velocityLimits: readonly VelocityLimit[]
  /** `installation`: the hours of the installation. `off`: none, for urgent traffic. */
  readonly quietHours: QuietHours | 'installation' | 'off'
  /** Time zone of its days, of its quiet hours for numbers of no country, and of times without an offset. */
  readonly timeZone: string
}

export const DEFAULT_ACCOUNT_GUARDS: AccountGuards = {
  allowedCountries: null,
  dailySpendMicros: null,
  dailyMessages: null,
  velocityLimits: [],
  quietHours: 'installation',
  timeZone: 'UTC',
}

/** Returns the zone of times without an offset; null if none was chosen, and such times are refused. */
export function timeZoneOfRequests({ timeZone }: AccountGuards): string | null {
  return timeZone === DEFAULT_ACCOUNT_GUARDS.timeZone ? null : timeZone
}

/** At most `most` messages and calls to one phone, one country or one prefix within any `windowSeconds`. */
export interface VelocityLimit {
  readonly per: 'phone' | 'country' | 'prefix'
  /** Digits that make the prefix; null unless the limit is per prefix. */
  readonly prefixDigits: number | null
  readonly most: number
  readonly windowSeconds: number
}

export type AccountState = 'active' | 'suspended' | 'closed'

/** Secrets that sign reports. */
export interface Signing {
  /** Standard Webhooks secrets (`whsec_…`), the newest first; two during a rotation. */
  readonly hookSecrets: readonly string[]
  /** Milliseconds: from when on only the newest secret signs; absent while all of them do. */
  readonly oldSecretsUntil?: number
}

export interface Account extends Signing {
  readonly id: AccountId
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  readonly state: AccountState
  readonly settings: AccountSettings
  /** How far below zero its available balance may go. */
  readonly creditLimitMicros: Micros
}

export interface AccountSettings extends AccountGuards, AccountRetention {
  /** A second use of a client's `id` returns the first `msg_id` and sends nothing. */
  readonly uniqueIds: boolean
  /** Report intermediate statuses as well, not only final ones. */
  readonly reportSteps: boolean
  /** Lifetime of the chat-app and SMS steps of a chain, seconds. */
  readonly stepLifetimeSeconds: number
  /** Operations per second that the account may request; null for no limit. */
  readonly operationsPerSecond: number | null
  /**
   * Remove accents and typographic signs that GSM lacks from SMS texts, if the text then is GSM and needs fewer parts.
   */
  readonly transliterateSms: boolean
  /** Route and price its messages by the operators that lookup services find, so that ported numbers are known. */
  readonly lookUpNumbers: boolean
  /** Networks in CIDR form from which its requests are accepted; null for all. */
  readonly allowedNetworks: readonly string[] | null
  /**
   * Operations in one request and the bytes of its body; null for the limits of the installation, which are the
   * maximum.
   */
  readonly requestOperations: number | null
  readonly requestBytes: number | null
  /**
   * Calls accepted per hour, to all phones and to one phone; null for no limit and for the limit of the installation.
   */
  readonly callsPerHour: number | null
  readonly callsPerHourToPhone: number | null
  /**
   * Verifications started per hour: of all phones, of one phone, and for one address of an end user; null for no limit
   * and for the limits of the installation.
   */
  readonly verifyPerHour: number | null
  readonly verifyPerHourToPhone: number | null
  readonly verifyPerHourFromAddress: number | null
  /** Lookups per second; null for the limit of the installation. */
  readonly lookupsPerSecond: number | null
  /** Numbers looked up per second to route and price, if `lookUpNumbers`; null for the limit of the installation. */
  readonly routingLookupsPerSecond: number | null
  /** Messages per second of all its bulks together; null for the limit of the installation. */
  readonly bulkPace: number | null
  /** Digits of the codes of its calls; null for the setting of the pool. */
  readonly callCodeDigits: number | null
  /** How long a code is valid, and so not given to the same phone again; null for the setting of the installation. */
  readonly callCodeSeconds: number | null
  /** The hook of messages that name none, and of events of the account itself; null for none. */
  readonly defaultHook: string | null
  /** The sender of SMS steps that name none; null for none. */
  readonly defaultSmsSender: string | null
  /** The country of phones in its requests that are written without a country code; null to refuse them. */
  readonly nationalCountry: Country | null
  /** The default hook gets a report when less than this is available; null for never. */
  readonly lowBalanceMicros: Micros | null
  /** Maximum of reports in one POST to a hook; 1 posts each alone, as an object, more as a JSON array. */
  readonly reportsPerPost: number
  /** How long a report may wait for others to share its POST, milliseconds. */
  readonly reportWaitMs: number
  readonly inboundReportForm: InboundReportForm
}

export const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = {
  uniqueIds: false,
  reportSteps: false,
  stepLifetimeSeconds: 172_800,
  operationsPerSecond: null,
  transliterateSms: false,
  lookUpNumbers: false,
  ...DEFAULT_ACCOUNT_GUARDS,
  ...DEFAULT_ACCOUNT_RETENTION,
  allowedNetworks: null,
  requestOperations: null,
  requestBytes: null,
  callsPerHour: null,
  callsPerHourToPhone: null,
  verifyPerHour: null,
  verifyPerHourToPhone: null,
  verifyPerHourFromAddress: null,
  lookupsPerSecond: null,
  routingLookupsPerSecond: null,
  bulkPace: null,
  callCodeDigits: null,
  callCodeSeconds: null,
  defaultHook: null,
  defaultSmsSender: null,
  nationalCountry: null,
  lowBalanceMicros: null,
  reportsPerPost: 1,
  reportWaitMs: 200,
  inboundReportForm: 'message.inbound',
}

/** Returns the secrets that sign reports at this time, the newest first. */
export function signingSecrets({ hookSecrets, oldSecretsUntil }: Signing, now: number): readonly string[] {
  return oldSecretsUntil !== undefined && oldSecretsUntil <= now ? hookSecrets.slice(0, 1) : hookSecrets
}

/** Returns the sender of steps that name none; null if each must name one. */
export function defaultSenderOf({ settings }: Pick<Account, 'settings'>, channel: Channel): string | null {
  return channel === SMS.name ? settings.defaultSmsSender : null
}
