/** The chat app: Viber or WhatsApp. Clients may give it other names (`src/contract/operations/chatapp-names.ts`). */
import type { ChannelDescriptor } from './descriptor.ts'

export const CHATAPP = {
  name: 'chatapp',
  label: { en: 'Chat app', de: 'Chat-App' },
  carries: 'text',
  charged: 'delivered',
  sender: 'name',
  senderIds: [
    { id: 'service_id', place: { kind: 'viber', setting: 'services', isNumber: true } },
    { id: 'phone_number_id', place: { kind: 'whatsapp', setting: 'senders' } },
  ],
  inParts: false,
  isRich: true,
  reportsReads: true,
  waitsInChain: 'step lifetime',
} as const satisfies ChannelDescriptor

/** Unicode characters. */
export const CHATAPP_TEXT_MAX = 1_000
