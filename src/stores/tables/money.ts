/** Balances and postings. The checks are the last line of defence: no statement should ever violate them. */
import type { Declaration } from './declaration.ts'

export const MONEY_TABLES = {
  account_balance: {
    why: 'The four balances of an account, which sum to zero. PostgreSQL numbers postings without gaps, and counts them here.',
    bucket: 'account',
    columns: {
      account_id: 'bigint references account',
      paid: 'bigint',
      available: 'bigint',
      held: 'bigint',
      earned: 'bigint',
      postings: 'bigint only postgres',
      credit_limit: 'bigint',
      low_balance: 'bigint null', // reported if the available balance falls below it; NULL for never
      low_reported: 'smallint', // 1: it was reported, and has not risen above since
    },
    key: 'bucket, account_id',
    checks: {
      available_is_within_credit: 'available >= -credit_limit',
      balances_add_up: 'paid + available + held + earned = 0',
      credit_limit_is_not_negative: 'credit_limit >= 0',
      held_is_not_negative: 'held >= 0',
    },
    postgres: { fillfactor: 10 },
  },
  posting_total: {
    why: 'Payments and charges, summed up in the transaction of the postings, by month, and by quarter of an hour at the ends of months, which zones begin earlier and later. Unknown texts are empty.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      month: 'integer', // 202611 is November 2026, UTC; from 1000000: a quarter of an hour since 1970
      kind: 'name',
      channel: 'name',
      operator: 'name',
      carrier_id: 'name',
      cost_currency: 'name',
      postings: 'bigint',
      parts: 'bigint',
      amount_micros: 'bigint',
      cost_micros: 'bigint',
    },
    key: 'bucket, account_id, month, kind, channel, operator, carrier_id, cost_currency',
    sqlite: { key: 'month, account_id, kind, channel, operator, carrier_id, cost_currency', first: 'month' },
    postgres: { indexes: ['posting_total_of_month (month)'], fillfactor: 50 },
  },
  closed_month: {
    why: 'The totals of closed months.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      month: 'integer',
      closing_micros: 'bigint',
      digest: 'text',
    },
    key: 'bucket, account_id, month',
  },
  posting: {
    why: 'Each movement of money. Never changed, never removed.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      posting_id: 'bigint',
      msg_id: 'bigint null', // NULL for a payment
      kind: 'text',
      amount_micros: 'bigint',
      at: 'bigint',
      made_by: 'text null', // of payments, as note is
      note: 'text null',
      channel: 'text null', // of charges, as all that follow are
      operator: 'text null',
      parts: 'integer null',
      carrier_id: 'text null',
      cost_micros: 'bigint null',
      cost_currency: 'text null',
    },
    key: 'bucket, account_id, posting_id',
    checks: { posting_amount_micros_check: 'amount_micros > 0' },
    indexes: [
      'posting_of_message (bucket, msg_id) WHERE msg_id IS NOT NULL',
      'posting_of_payment (bucket, account_id, at) WHERE msg_id IS NULL',
    ],
    sqlite: {
      key: 'posting_id',
      indexes: ['posting_of_account (posting_id >> 14, account_id)'],
      first: 'posting_id',
      also: [
        `CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END`,
        `CREATE TRIGGER posting_remains BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'a posting is never removed'); END`,
      ],
    },
    postgres: {
      also: [
        `CREATE FUNCTION refuse_to_change_postings() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'a posting is never changed and never removed'; END $$`,
        'CREATE TRIGGER posting_stays BEFORE UPDATE OR DELETE ON posting FOR EACH ROW EXECUTE FUNCTION refuse_to_change_postings()',
      ],
    },
  },
} as const satisfies Readonly<Record<string, Declaration>>
