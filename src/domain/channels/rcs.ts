/** RCS, the channel of the phone's own messenger. */
import type { ChannelDescriptor } from './descriptor.ts'

export const RCS = {
  name: 'rcs',
  label: { en: 'RCS', de: 'RCS' },
  carries: 'text',
  charged: 'delivered',
  sender: 'name',
  senderIds: [{ id: 'agent_id', place: { kind: 'rbm', setting: 'agents' } }],
  inParts: false,
  isRich: true,
  reportsReads: true,
  waitsInChain: 'whole lifetime',
} as const satisfies ChannelDescriptor

/** Unicode characters. */
export const RCS_TEXT_MAX = 3_072
export const RCS_TEXT_MAX_WITH_IMAGE = 2_000
