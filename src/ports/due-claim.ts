/** Messages that change hands between a node and the others: what is claimed, what is handed over. */
import type { Channel } from '../domain/channel.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Carrier } from './carrier.ts'

export interface DueClaim {
  readonly now: number
  readonly channels: readonly Channel[]
  /** Those that nodes share and this one has; absent for none. */
  readonly carriers?: readonly Pick<Carrier, 'id' | 'channel'>[]
  readonly limit: number
}

export interface HandOverOrder {
  readonly messageId: MessageId
  /** Of the journey that was decided on. */
  readonly version: number
  readonly carrierId: string
}

/** How long a message that was handed over waits for a node that has its carrier, milliseconds. */
export const HANDED_OVER_MS = 60_000
