/**
 * A database as commit 3fe2e362 left it, the oldest that is migrated: its tables as that commit wrote them, and a
 * client with money, a message and its report.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bucketOf, bucketOfMessage } from '../../src/domain/ids/message-id.ts'
import { toMessageRow } from '../../src/stores/rows/messages/message-row.ts'
import { buildMessage, buildStep } from '../support/build-message.ts'
import { sealAsBefore } from '../support/first-seal.ts'
import { refused } from '../support/make-turn.ts'
import { TEST_KEY } from '../support/test-keys.ts'

type Value = string | number | null
type Row = Readonly<Record<string, Value>>
export type Database = 'sqlite' | 'postgres'

const FOLDER = join(import.meta.dirname, 'earlier-schema')

export const OLD_SCHEMA = {
  sqlite: { version: 55, tables: read('sqlite-55.sql') },
  postgres: { version: 37, tables: read('postgres-37.sql') },
} as const

/** From before texts were stored apart from their messages: it is in the plan. */
const text = { kind: 'text', text: 'from before' } as const
const ended = refused(buildMessage({ counter: 7, accountId: 1 as never, plan: [buildStep('sms', { content: text })] }))

export const OLD_MESSAGE = ended.message
export const OLD_REPORT = ended.reports[0]

const BALANCE = { account_id: 1, paid: -1_000_000, available: 1_000_000, held: 0, earned: 0 }

/** INSERT statements for these tables. */
export function oldRows(database: Database): string {
  const held = ended.postings[0]?.amountMicros ?? 0
  const msg_id = ended.message.id
  const totals = { channel: '', operator: '', carrier_id: '', cost_currency: '', parts: 0, cost_micros: 0 }
  const insert = (table: string, row: Row) => insertion(database, table, row)
  const posting = (number: number, row: Row) =>
    insert('posting', { account_id: 1, posting_id: number, at: 1, made_by: null, note: null, ...row })
  const hook = sealAsBefore(TEST_KEY, '["whsec_1"]')
  return [
    insert('account', { name: 'Shop', currency: 'EUR', state: 'active', hook_secrets: hook, settings: '{}' }),
    insert('account_balance', {
      ...BALANCE,
      ...(database === 'postgres' ? { postings: 3 } : {}),
      ...{ credit_limit: 0, low_balance: null, low_reported: 0 },
    }),
    posting(1, { msg_id: null, kind: 'top-up', amount_micros: 1_000_000 }),
    posting(2, { msg_id, kind: 'hold', amount_micros: held }),
    posting(3, { msg_id, kind: 'release', amount_micros: held }),
    insert('posting_total', {
      ...{ account_id: 1, month: 197001, kind: 'top-up', postings: 1, amount_micros: 1_000_000 },
      ...totals,
    }),
    insert('message', messageRow()),
    ...ended.timeline.map(({ at, kind, step, carrierId, detail }, number) =>
      insert('event', { msg_id, version: 1, number, at, kind, step, carrier_id: carrierId, detail }),
    ),
    insert('report', {
      ...{
        msg_id,
        number: 0,
        account_id: 1,
        address: 'https://shop.example/hook?x=1',
        body: ended.reports[0]?.body ?? '',
      },
      ...{ created_at: 1, state: 'pending', node: 0, due_at: 5, tries: 2, tried_at: 2, detail: 'HTTP 500' },
    }),
    insert('link', {
      msg_id,
      code: 'abc',
      url: 'https://x.example',
      expires_at: 5,
      human_clicks: 3,
      bot_clicks: 4,
      reported: 1,
    }),
    insert('inbound_message', { carrier_id: 'smsc', sender: '1', recipient: '2', text: 'a reply', at: 3 }),
    insert('early_receipt', { carrier_id: 'smsc', ref: 'ref-1', outcome: 'read', detail: '', at: 4, node: 0 }),
    insert('carrier', { carrier_id: 'smsc', channel: 'sms', kind: 'smpp', settings: sealAsBefore(TEST_KEY, '{}') }),
    insert('cost', {
      carrier_id: 'smsc',
      category: '',
      prefix: '49',
      operator: '',
      price_micros: 31_000,
      currency: null,
    }),
    insert('stopped_hook', { account_id: 1, address: 'https://gone.example' }),
    insert('sweep_mark', { msg_id: 9, action: 'records', days: 30, furthest: 9 }),
    insert('sweep_skipped', { msg_id }),
    insert('audit', auditRow()),
    insert('admin_user', { name: 'anna', role: 'owner', state: 'active' }),
    insert('admin_token', { hash: 'a', '"user"': 'anna', label: 'session 0123456789ab', created_at: 7, proved_at: 7 }),
    insert('admin_token', { hash: 'b', '"user"': 'anna', label: 'session of my laptop', created_at: 8 }),
    insert('admin_request', { actor: 'anna', key: 'password', body_hash: 'of a request', keep_until: 9e15 }),
  ].join('\n')
}

function messageRow(): Row {
  const row = toMessageRow(ended.message)
  const columns = ['msg_id', 'account_id', 'client_id', 'phone', 'plan', 'hook', 'report_steps', 'currency']
  columns.push('created_at', 'version', 'status', 'journey', 'operator', 'test')
  const cells = Object.fromEntries(columns.map((column, place) => [column, row[place] ?? null]))
  return { ...cells, plan: JSON.stringify(ended.message.plan) }
}

function auditRow(): Row {
  return {
    at: 6,
    actor: 'anna',
    via: 'cli',
    action: 'createAccount',
    subject: 'account 1',
    before: 'null',
    after: '{}',
  }
}

const BY_MESSAGE = ['message', 'event', 'report', 'link', 'sweep_mark', 'sweep_skipped']
const BY_ACCOUNT = ['account_balance', 'posting', 'posting_total']
const IN_ANY_BUCKET = ['inbound_message', 'early_receipt']

function insertion(database: Database, table: string, row: Row): string {
  const bucket = database === 'sqlite' ? null : bucketFor(table)
  const whole: Row = bucket === null ? row : { bucket, ...row }
  const values = Object.values(whole).map((value) => {
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
  })
  return `INSERT INTO ${table} (${Object.keys(whole).join(', ')}) VALUES (${values.join(', ')});`
}

function bucketFor(table: string): number | null {
  if (BY_MESSAGE.includes(table)) return bucketOfMessage(ended.message.id)
  if (BY_ACCOUNT.includes(table)) return bucketOf(1 as never)
  return IN_ANY_BUCKET.includes(table) ? 0 : null
}

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8')
}
