/** Bulks, in the bucket of their account. */
import type { Declaration } from './declaration.ts'

export const BULK_TABLES = {
  bulk: {
    why: 'Bulks, and how far they are.',
    bucket: 'bulk',
    columns: {
      bulk_id: 'bigint',
      account_id: 'bigint',
      test: 'smallint',
      message: 'text sealed text',
      open: 'smallint', // 0: it has ended
      due_at: 'bigint null', // when the runner looks at it; NULL for never
      kept_since: 'bigint null', // NULL while it waits or runs
      facts: 'text sealed addresses',
    },
    key: 'bucket, bulk_id',
    indexes: [
      'bulk_due (due_at) WHERE due_at IS NOT NULL',
      'bulk_kept (bucket, kept_since) WHERE kept_since IS NOT NULL',
      'bulk_of_account (bucket, account_id, bulk_id)',
      'bulk_open (bucket, account_id) WHERE open = 1',
    ],
    postgres: { fillfactor: 50 },
  },
  bulk_lines: {
    why: 'Lines that wait, in blocks.',
    bucket: 'bulk',
    columns: {
      bulk_id: 'bigint',
      last_line: 'bigint',
      sealed: 'bytes sealed bytes',
    },
    key: 'bucket, bulk_id, last_line',
    sqlite: { hasRowid: true },
  },
  bulk_phone: {
    why: 'Phones of the lines of bulks that skip duplicates.',
    bucket: 'bulk',
    columns: {
      bulk_id: 'bigint',
      phone_hash: 'name', // a keyed hash of the phone's first form
    },
    key: 'bucket, bulk_id, phone_hash',
  },
  bulk_error: {
    why: 'Lines that were refused.',
    bucket: 'bulk',
    columns: {
      bulk_id: 'bigint',
      line: 'bigint',
      cause: 'text',
    },
    key: 'bucket, bulk_id, line',
  },
  bulk_total: {
    why: 'Messages and charges of a bulk by status.',
    bucket: 'bulk',
    columns: {
      bulk_id: 'bigint',
      status: 'name',
      messages: 'bigint', // of QUEUED without those that were accepted
      micros: 'bigint', // charged
    },
    key: 'bucket, bulk_id, status',
    postgres: { fillfactor: 10 },
  },
} as const satisfies Readonly<Record<string, Declaration>>
