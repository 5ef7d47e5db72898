/** What clients have set up, and what prevents duplicates. */
import type { Declaration } from './declaration.ts'

export const CLIENTS_TABLES = {
  sms_template: {
    why: 'Templates of SMS that clients added.',
    bucket: 'account',
    columns: {
      account_id: 'bigint references account',
      name: 'name',
      template_id: 'bigint',
      template: 'text sealed text',
    },
    key: 'bucket, account_id, name',
    sqlite: {
      key: 'template_id',
      unique: 'account_id, name',
      indexes: ['sms_template_of_account (account_id, template_id)'],
      first: 'template_id',
    },
    postgres: { indexes: ['sms_template_in_order (bucket, account_id, template_id)'] },
  },
  opt_out: {
    why: 'Phones that a client may not send to.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      phone: 'name',
      sender: 'name', // empty for all of the account
      set_by: 'text',
      at: 'bigint',
      opt_out_id: 'bigint identity',
    },
    key: 'bucket, account_id, phone, sender',
    indexes: ['opt_out_of_account (account_id)'],
    sqlite: {
      key: 'opt_out_id',
      unique: 'account_id, phone, sender',
      indexes: ['opt_out_of_phone (phone)'],
      first: 'opt_out_id',
    },
    postgres: { indexes: ['opt_out_in_order (bucket, opt_out_id)', 'opt_out_of_phone (bucket, phone, opt_out_id)'] },
  },
  carrier_user: {
    why: 'Phones of users whom messengers may name by an id only.',
    columns: {
      carrier_id: 'name',
      user_id: 'name', // a keyed hash
      phone: 'text sealed secret',
      phone_hash: 'name', // a keyed hash of the phone's first form
      keep_until: 'bigint',
      name: 'text null sealed secret', // the id itself, of a user id to which messages may be sent
    },
    key: 'carrier_id, user_id',
    indexes: ['carrier_user_kept (keep_until)', 'carrier_user_of_phone (phone_hash)'],
  },
  usage: {
    why: 'Usage of limits by time slot; in the bucket of the key for limits of all accounts together.',
    bucket: 'usage',
    columns: {
      account_id: 'bigint', // 0 for all accounts
      key: 'name',
      slot: 'bigint',
      messages: 'bigint',
      micros: 'bigint',
      keep_until: 'bigint',
    },
    key: 'bucket, account_id, key, slot',
    indexes: ['usage_kept (bucket, keep_until)'],
  },
  idempotency: {
    why: 'Requests by their keys, so that a repeat gets the same answer.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      key: 'name',
      body_hash: 'text',
      draft: 'text sealed text',
      outcomes: 'text sealed text',
      keep_until: 'bigint',
    },
    key: 'bucket, account_id, key',
    indexes: ['idempotency_kept (bucket, keep_until)'],
  },
  smpp_part: {
    why: 'Parts of long messages that arrived by SMPP: they wait for the others, and then for their repeats.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      login: 'name',
      message: 'name', // the same for the parts of one
      number: 'integer',
      part_id: 'bigint',
      text: 'text sealed secret',
      facts: 'text sealed secret', // JSON
      at: 'bigint',
      ended_at: 'bigint null', // NULL while it waits
    },
    key: 'bucket, account_id, login, message, number',
    indexes: ['smpp_part_old (at) WHERE ended_at IS NULL', 'smpp_part_ended (ended_at) WHERE ended_at IS NOT NULL'],
  },
  smpp_id: {
    why: 'Ids that SMPP clients got for parts of long messages and for messages to several recipients, with those of the messages.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      id: 'bigint',
      msg_id: 'bigint',
      once: 'name null', // what a repeat that must get the same id has in common with it
      at: 'bigint',
      keep_until: 'bigint',
    },
    key: 'bucket, account_id, id, msg_id',
    indexes: ['smpp_id_once (bucket, account_id, once) WHERE once IS NOT NULL', 'smpp_id_kept (bucket, keep_until)'],
  },
  unique_id: {
    why: 'Client ids that may be used once.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      client_id: 'name',
      msg_id: 'bigint',
      parts: 'integer',
    },
    key: 'bucket, account_id, client_id',
  },
} as const satisfies Readonly<Record<string, Declaration>>
