/** Messages and the rows that belong to them. */
import type { Declaration } from './declaration.ts'

/** A hook is the address without its query. PostgreSQL has a hash, because an address may be too long for an index. */
const HOOK_IN_FILE = `substr(address, 1, instr(address || '?', '?') - 1)`
const HOOK_HASH = `md5(split_part(address, '?', 1))`

export const MESSAGE_TABLES = {
  message: {
    why: 'Messages. Version, status and journey change with every turn; the free space keeps two updates on their page.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      account_id: 'bigint',
      client_id: 'text null',
      phone: 'name',
      plan: 'text',
      hook: 'text null sealed address',
      report_steps: 'smallint',
      currency: 'text',
      created_at: 'bigint',
      version: 'integer',
      status: 'text',
      journey: 'text',
      operator: 'text null',
      test: 'smallint',
      contents: 'bytes null sealed bytes only sqlite', // short contents, sealed; longer ones are in message_text
    },
    key: 'bucket, msg_id',
    sqlite: {
      indexes: [
        'message_of_phone (msg_id >> 20, phone, msg_id)',
        'message_of_account (msg_id >> 20, account_id)',
        'message_of_client (client_id, account_id, test) WHERE client_id IS NOT NULL',
      ],
      columns: { test: 'smallint default 0' },
    },
    postgres: {
      indexes: [
        'message_of_account (bucket, account_id, msg_id)',
        'message_of_client (bucket, account_id, client_id, msg_id) WHERE client_id IS NOT NULL',
        'message_of_phone (bucket, phone, msg_id)',
      ],
      fillfactor: 50,
      weeks: 8,
    },
  },
  message_text: {
    why: 'The contents of a message: a sealed JSON list, one for each step. A file has only long ones here.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      sealed: 'bytes sealed bytes',
    },
    key: 'bucket, msg_id',
    postgres: { weeks: 8 },
  },
  event: {
    why: 'The timeline of each message.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      version: 'integer',
      number: 'integer',
      at: 'bigint',
      kind: 'text',
      step: 'integer',
      carrier_id: 'text null',
      detail: 'text',
    },
    key: 'bucket, msg_id, version, number',
    postgres: { weeks: 8 },
  },
  due: {
    why: 'Open messages. Node 0 waits for due_at; any other holds the message, and due_at is unused.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      node: 'integer',
      channel: 'name',
      due_at: 'bigint',
      tenant: 'bigint default 0', // 0 waits for due_at; any other stands in a queue
    },
    key: 'bucket, msg_id',
    indexes: [
      'due_queued (bucket, channel, tenant, due_at) WHERE node = 0 AND tenant > 0',
      'due_waiting (bucket, due_at) WHERE node = 0',
    ],
    postgres: { indexes: ['due_held (node) WHERE node <> 0'] },
  },
  report: {
    why: 'Reports to clients. due_at is NULL behind an unsettled one of the same message.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      number: 'integer',
      account_id: 'bigint',
      address: 'name sealed address',
      body: 'text sealed text',
      created_at: 'bigint',
      state: 'text',
      node: 'integer',
      due_at: 'bigint null',
      tries: 'integer',
      tried_at: 'bigint null',
      detail: 'text',
      ends_at: 'bigint null', // NULL: the default lifetime after its creation
      parked: 'smallint default 0', // 1: waits for its hook alone
      position: 'bigint null', // in the feed of the account; NULL for one that is posted
      try_log: 'text null', // tries that did not succeed at once (report-tries.ts)
    },
    key: 'bucket, msg_id, number',
    indexes: [
      "report_pending (bucket, account_id) WHERE state = 'pending'",
      "report_waiting (bucket, due_at) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL",
    ],
    sqlite: {
      indexes: [
        "report_failed (account_id) WHERE state = 'failed'",
        "report_failed_of_message (msg_id) WHERE state = 'failed'",
        `report_of_hook (account_id, ${HOOK_IN_FILE}, msg_id) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL`,
        'UNIQUE report_of_feed (account_id, position) WHERE position IS NOT NULL',
        `report_to_replay (account_id, ${HOOK_IN_FILE}, created_at, msg_id, number) WHERE state = 'failed' AND body <> '' AND position IS NULL`,
      ],
    },
    postgres: {
      indexes: [
        "report_failed (bucket, msg_id) WHERE state = 'failed'",
        "report_held (node) WHERE state = 'pending' AND node <> 0",
        'report_of_feed (bucket, account_id, position) WHERE position IS NOT NULL',
        `report_of_hook (bucket, account_id, ${HOOK_HASH}, msg_id) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL`,
        `report_to_replay (bucket, account_id, ${HOOK_HASH}, created_at, msg_id, number) WHERE state = 'failed' AND body <> '' AND position IS NULL`,
      ],
      weeks: 1,
    },
  },
  event_feed: {
    why: 'How far clients have read their reports, for those that read instead of being posted to.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      last: 'bigint', // position of the last event
      acknowledged: 'bigint', // the client has processed the events up to this position
    },
    key: 'bucket, account_id',
    postgres: { fillfactor: 10 },
  },
  link: {
    why: 'Short links.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      code: 'name',
      url: 'text sealed text',
      expires_at: 'bigint',
      human_clicks: 'bigint',
      bot_clicks: 'bigint',
      reported: 'smallint', // 1: a report of a click was written
    },
    key: 'bucket, msg_id, code',
    sqlite: { key: 'code', indexes: ['link_of_message (msg_id)'], first: 'code' },
    postgres: { indexes: ['link_of_code (code)'] },
  },
  call_code: {
    why: 'Codes that phones got by calls, in the bucket of the message; look-ups by phone search all buckets.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      phone: 'name', // as in admission-order.ts, like client_id of unique_id
      account_id: 'bigint',
      code: 'text',
      at: 'bigint',
    },
    key: 'bucket, msg_id',
    indexes: ['call_code_kept (bucket, at)', 'call_code_of_phone (phone, at)'],
  },
  part_ref: {
    why: "Carriers' ids of parts, in the bucket of the message; look-ups search all. A reused id is twice in PostgreSQL.",
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
      step: 'integer',
      part: 'integer',
      carrier_id: 'name',
      ref: 'name',
    },
    key: 'carrier_id, ref',
    indexes: ['part_ref_of_message (bucket, msg_id)'],
    sqlite: { first: 'carrier_id, ref' },
    postgres: { key: null, indexes: ['part_ref_of_carrier (carrier_id, ref)'], weeks: 1 },
  },
  early_receipt: {
    why: 'Receipts that arrived before their id was known. One assigned to a message stays until it is swept, because its node may crash before recording it; it matches no other message.',
    bucket: 'carrier id',
    columns: {
      carrier_id: 'name',
      ref: 'name',
      outcome: 'name',
      detail: 'text',
      early_receipt_id: 'bigint identity',
      at: 'bigint',
      node: 'integer',
      category: 'text null', // NULL if the carrier does not report it
      msg_id: 'bigint null', // of the part that it was assigned to, as step and part
      step: 'integer null',
      part: 'integer null',
      peers: 'text null', // the carriers of its copies (JSON)
    },
    key: 'bucket, carrier_id, ref, outcome',
    indexes: ['early_receipt_kept (bucket, at)'],
    sqlite: {
      key: 'early_receipt_id',
      indexes: ['UNIQUE early_receipt_once (carrier_id, ref, outcome)', 'early_receipt_of_node (node) WHERE node > 0'],
      first: 'early_receipt_id',
    },
    postgres: { indexes: ['early_receipt_of_node (node, early_receipt_id)'] },
  },
  sweep_skipped: {
    why: 'Messages that a mark skipped because they were open or had a report pending, and that no longer are.',
    bucket: 'message',
    columns: {
      msg_id: 'bigint',
    },
    key: 'bucket, msg_id',
  },
  sweep_mark: {
    why: 'Progress of sweeping: up to this message all were visited for this action and period. It is reset when another account begins to use the period; furthest is not.',
    bucket: 'every',
    columns: {
      action: 'name',
      days: 'integer',
      msg_id: 'bigint',
      furthest: 'bigint',
    },
    key: 'bucket, action, days',
  },
} as const satisfies Readonly<Record<string, Declaration>>
