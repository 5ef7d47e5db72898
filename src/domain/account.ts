/** An account: a client of the gateway, with a balance in one currency and settings of its own. */
import { type AccountGuards, DEFAULT_ACCOUNT_GUARDS } from './account-guards.ts'
import type { Micros } from './money.ts'
import { type AccountRetention, DEFAULT_ACCOUNT_RETENTION } from './retention.ts'

declare const accountId: unique symbol

/** A positive whole number, given out by the store. */
export type AccountId = number & { readonly [accountId]: true }

export type AccountState = 'active' | 'suspended' | 'closed'

export interface Account {
  readonly id: AccountId
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  readonly state: AccountState
  /** Standard Webhooks secrets (`whsec_…`), the newest first; two during a rotation. */
  readonly hookSecrets: readonly string[]
  /** Milliseconds: from when on only the newest of them signs; absent while all of them do. */
  readonly oldSecretsUntil?: number
  readonly settings: AccountSettings
  /** How far below nothing its available money may go. */
  readonly creditLimitMicros: Micros
}

export interface AccountSettings extends AccountGuards, AccountRetention {
  /** A second use of a client's `id` returns the first `msg_id` and sends nothing. */
  readonly uniqueIds: boolean
  /** Report the steps between as well, not only the ends. */
  readonly reportSteps: boolean
  /** Lifetime of the chat-app and SMS steps of a chain, seconds. */
  readonly stepLifetimeSeconds: number
  /** Operations a second that the account may ask for; null is no limit. */
  readonly operationsPerSecond: number | null
  /** SMS texts lose accents and typographic signs that GSM lacks, where they are GSM then and need fewer parts. */
  readonly transliterateSms: boolean
  /** Networks in CIDR form that its requests may come from; null for everywhere. */
  readonly allowedNetworks: readonly string[] | null
  /** Operations in one request and the bytes of its body; null for what the installation allows, and never more. */
  readonly requestOperations: number | null
  readonly requestBytes: number | null
  /** Calls accepted in an hour, to all phones and to one; null is no limit, and for one phone what the installation allows. */
  readonly callsPerHour: number | null
  readonly callsPerHourToPhone: number | null
  /** Digits of the codes of its calls; null for as many as the pool says. */
  readonly callCodeDigits: number | null
  /** How long a code is valid, and so not given to the same phone again; null for as long as the installation says. */
  readonly callCodeSeconds: number | null
  /** The hook of messages that name none, and of what is told of the account itself; null for none. */
  readonly defaultHook: string | null
  /** The sender of SMS steps that name none; null for none. */
  readonly defaultSmsSender: string | null
  /** The default hook is told when less than this is available; null for never. */
  readonly lowBalanceMicros: Micros | null
}

export const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = {
  uniqueIds: false,
  reportSteps: false,
  stepLifetimeSeconds: 172_800,
  operationsPerSecond: null,
  transliterateSms: false,
  ...DEFAULT_ACCOUNT_GUARDS,
  ...DEFAULT_ACCOUNT_RETENTION,
  allowedNetworks: null,
  requestOperations: null,
  requestBytes: null,
  callsPerHour: null,
  callsPerHourToPhone: null,
  callCodeDigits: null,
  callCodeSeconds: null,
  defaultHook: null,
  defaultSmsSender: null,
  lowBalanceMicros: null,
}

/** The secrets that sign its reports at this time, the newest first. */
export function signingSecrets({ hookSecrets, oldSecretsUntil }: Account, now: number): readonly string[] {
  return oldSecretsUntil !== undefined && oldSecretsUntil <= now ? hookSecrets.slice(0, 1) : hookSecrets
}

export function toAccountId(number: number): AccountId {
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`${number} is not an account id`)
  return number as AccountId
}
