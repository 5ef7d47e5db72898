/** SMS. A carrier charges what it takes, whether the phone gets it or not. */
import type { ChannelDescriptor } from './descriptor.ts'

export const SMS = {
  name: 'sms',
  label: { en: 'SMS', de: 'SMS' },
  carries: 'text',
  charged: 'taken',
  sender: 'number or name',
  senderIds: [],
  inParts: true,
  isRich: false,
  reportsReads: false,
  waitsInChain: 'step lifetime',
} as const satisfies ChannelDescriptor
