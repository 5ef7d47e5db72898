/** Flash calls. What a call costs is decided when it ends (`src/domain/journey`). */
import type { ChannelDescriptor } from './descriptor.ts'

export const CALL = {
  name: 'call',
  label: { en: 'Call', de: 'Anruf' },
  carries: 'call',
  charged: 'delivered',
  sender: 'none',
  senderIds: [],
  inParts: false,
  isRich: false,
  reportsReads: false,
  waitsInChain: 'whole lifetime',
} as const satisfies ChannelDescriptor
