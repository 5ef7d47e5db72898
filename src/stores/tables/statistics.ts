/** Statistics, summed up as they grow older. */
import type { Declaration } from './declaration.ts'

export const STATISTICS_TABLES = {
  call_total: {
    why: 'Outcomes of calls and verifications, summed up by day.',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      day: 'integer', // since 1970, UTC
      carrier_id: 'name',
      operator: 'name', // empty if unknown
      outcome: 'name',
      calls: 'bigint',
      ring_ms: 'bigint',
    },
    key: 'bucket, account_id, day, carrier_id, operator, outcome',
    indexes: ['call_total_of_day (day)'],
    postgres: { indexes: ['call_total_kept (bucket, day)'], fillfactor: 50 },
  },
  message_total: {
    why: 'Statistics of messages, summed up by hour and day (message-total.ts). Unknown texts are empty.',
    bucket: 'account',
    columns: {
      level: 'smallint', // 0 new, 5 recent hours, 1 hours, 2 days, 3 hours and 4 days of all accounts (account 0)
      slot: 'integer', // first hour, since 1970
      account_id: 'bigint',
      event: 'name',
      channel: 'name',
      carrier_id: 'name',
      operator: 'name',
      country: 'name',
      sender: 'name',
      currency: 'name',
      cost_currency: 'name',
      parts: 'bigint',
      price_micros: 'bigint',
      cost_micros: 'bigint',
      messages: 'bigint',
    },
    key: 'bucket, level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency',
    postgres: { fillfactor: 50 },
  },
  message_count: {
    why: 'Statistics that are not summed up yet, one row for each transaction (count-runs.ts).',
    columns: {
      entry_id: 'bigint',
      part: 'bigint', // 1: sums of a range of accounts
      counts: 'text',
    },
    key: 'entry_id',
    only: 'sqlite',
  },
  quality_count: {
    why: 'What carriers take and deliver by destination, from which routing judges their quality; some seconds may be lost.',
    columns: {
      span: 'name', // slot or day
      slot: 'bigint', // when it began
      channel: 'name',
      carrier_id: 'name',
      country: 'name',
      operator: 'name', // empty if unknown
      sent: 'bigint',
      delivered: 'bigint',
      delivered_ms: 'bigint',
      codes: 'bigint',
      converted: 'bigint',
      keep_until: 'bigint',
      in_10s: 'bigint default 0', // of delivered, by time; none of earlier versions
      in_30s: 'bigint default 0',
      in_90s: 'bigint default 0',
      later: 'bigint default 0',
    },
    key: 'span, slot, channel, carrier_id, country, operator',
    indexes: ['quality_count_kept (keep_until)'],
    postgres: { fillfactor: 50 },
  },
  link_total: {
    why: 'Clicks by target (link-total.ts).',
    bucket: 'account',
    columns: {
      account_id: 'bigint',
      day: 'integer', // since 1970
      bulk_id: 'bigint', // 0: no bulk
      target: 'name', // a keyed hash of the address; empty for all further ones
      address: 'text sealed secret',
      human_clicks: 'bigint',
      bot_clicks: 'bigint',
      links: 'bigint',
      first_at: 'bigint',
      last_at: 'bigint',
    },
    key: 'bucket, account_id, day, bulk_id, target',
    indexes: ['link_total_of_day (day, account_id, bulk_id, target)'],
    postgres: { indexes: ['link_total_kept (bucket, day)'] },
  },
} as const satisfies Readonly<Record<string, Declaration>>
