/** One-time codes by Telegram, which writes the text itself. It is charged when the recipient has the code. */
import type { ChannelDescriptor } from './descriptor.ts'

export const TELEGRAM = {
  name: 'telegram',
  label: { en: 'Telegram', de: 'Telegram' },
  carries: 'code',
  charged: 'delivered',
  sender: 'none',
  senderIds: [],
  inParts: false,
  isRich: false,
  reportsReads: true,
  waitsInChain: 'whole lifetime',
} as const satisfies ChannelDescriptor
