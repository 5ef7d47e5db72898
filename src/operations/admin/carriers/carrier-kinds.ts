/** The kinds of carriers. */
import { type Channel, MESSAGE_CHANNELS } from '../../../domain/channel.ts'

/** What each of them can carry; one carrier carries one channel. */
export const CARRIER_CHANNELS = {
  rbm: ['rcs'],
  viber: ['chatapp'],
  whatsapp: ['chatapp'],
  smpp: ['sms'],
  sip: ['call'],
  http: MESSAGE_CHANNELS,
} as const satisfies Record<string, readonly Channel[]>

export type CarrierKind = keyof typeof CARRIER_CHANNELS

export const CARRIER_KINDS = Object.keys(CARRIER_CHANNELS) as CarrierKind[]

/** Throws an Error that names the setting that is wrong and tells no value of it. */
export type CheckSettings = (kind: CarrierKind, settings: unknown) => void
