/** Inbound messages. */
import type { Declaration } from './declaration.ts'

export const INBOUND_TABLES = {
  inbound_message: {
    why: 'Inbound messages, in the bucket of their account, or of their carrier if they have none. Those of an account have the id of their report and its facts (JSON).',
    bucket: 'inbound',
    columns: {
      inbound_id: 'bigint identity',
      carrier_id: 'text',
      sender: 'text',
      recipient: 'text',
      text: 'text sealed text',
      at: 'bigint',
      account_id: 'bigint null',
      event_id: 'bigint null',
      facts: 'text null sealed text',
      reply: 'text null', // pending, the id of the reply, or why there is none
      answers: 'bigint null', // the message that it answers, for `status`
    },
    key: 'bucket, inbound_id',
    indexes: [
      'inbound_message_answers (bucket, answers, event_id) WHERE answers IS NOT NULL',
      'inbound_message_of_account (bucket, account_id, event_id) WHERE account_id IS NOT NULL',
      "inbound_message_to_reply (account_id, inbound_id) WHERE reply = 'pending'",
    ],
    postgres: { indexes: ['inbound_message_in_order (inbound_id)'] },
  },
  inbound_part: {
    why: 'Parts that wait for the others of their inbound message.',
    bucket: 'carrier',
    columns: {
      carrier_id: 'name',
      sender: 'name',
      recipient: 'name',
      reference: 'bigint',
      total: 'integer',
      number: 'integer',
      text: 'text sealed secret', // JSON
      at: 'bigint',
    },
    key: 'bucket, carrier_id, sender, recipient, reference, total, number',
    indexes: ['inbound_part_at (at)'],
  },
  inbound_key: {
    why: "Carriers' ids of inbound messages, which detect repeats.",
    bucket: 'carrier',
    columns: {
      carrier_id: 'name',
      key: 'name',
      keep_until: 'bigint',
    },
    key: 'bucket, carrier_id, key',
    indexes: ['inbound_key_until (bucket, keep_until)'],
  },
} as const satisfies Readonly<Record<string, Declaration>>
