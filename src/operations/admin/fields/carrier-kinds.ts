/** The kinds of carriers, and what the gateway knows of each kind. */
import { MESSAGE_CHANNELS, type RoutedChannel } from '../../../domain/channels/channel.ts'
import type { CarrierSetup } from '../../../domain/directory/directory.ts'

/** Channels of each kind; one carrier serves one channel. */
export const CARRIER_CHANNELS = {
  rbm: ['rcs'],
  viber: ['chatapp'],
  whatsapp: ['chatapp'],
  smpp: ['sms'],
  telegram: ['telegram'],
  sip: ['call'],
  http: MESSAGE_CHANNELS,
  lookup: ['lookup'],
} as const satisfies Record<string, readonly RoutedChannel[]>

export type CarrierKind = keyof typeof CARRIER_CHANNELS

export const CARRIER_KINDS = Object.keys(CARRIER_CHANNELS) as CarrierKind[]

/** The settings of each kind, as JSON Schema; those with `writeOnly` are secrets. */
export type CarrierSchemas = Readonly<Record<CarrierKind, object>>

/** How the services of carriers reach the gateway. */
export interface Reach {
  /** The setting PUBLIC_URL; null if it is not set. */
  readonly publicUrl: string | null
}

/**
 * Throws an Error that names the invalid settings but none of their values; with `reach`, also those that need a public
 * address.
 */
export type SettingsCheck = (kind: CarrierKind, settings: unknown, reach?: Reach) => void

/** Returns the accounts at the carrier's service that may send its receipts; empty if that is not known. */
export type ReceiptAccounts = (setup: CarrierSetup) => readonly string[]
