/**
 * The schema; `PRAGMA user_version` stores its version. A new database gets the current one at once, an older one is
 * migrated step by step (migrations.ts). A database from a newer Posthorn is never touched.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { OnMigration } from '../../../ports/records/migration.ts'
import { TOTAL_COLUMNS } from '../../rows/money/posting-row.ts'
import { beginMigration } from '../../rows/setup/report-migration.ts'
import { requireKnownVersion } from '../../rows/setup/store-limits.ts'
import { TABLES } from '../../tables/all-tables.ts'
import { createInSqlite } from '../../tables/print-sqlite.ts'
import { Statement } from '../statement/statement.ts'
import { MIGRATIONS, OLDEST_VERSION } from './migrations.ts'

/** One statement for each change since the steps of migrations.ts. */
const CHANGES: readonly string[] = [
  // Receipts assigned to a dead node are found without a look at those that are parked.
  'CREATE INDEX early_receipt_of_node ON early_receipt (node) WHERE node > 0',
  // Only opening the database looks for held messages, and reads the whole table.
  'DROP INDEX due_held',
  // Short contents of a message, sealed. Longer ones, and those of older messages, are in message_text.
  'ALTER TABLE message ADD COLUMN contents BLOB',
  // The part that an early receipt was assigned to, and the carriers of its copies (JSON).
  `ALTER TABLE early_receipt ADD COLUMN msg_id INTEGER; ALTER TABLE early_receipt ADD COLUMN step INTEGER;
   ALTER TABLE early_receipt ADD COLUMN part INTEGER; ALTER TABLE early_receipt ADD COLUMN peers TEXT`,
  // Inbound numbers: whose inbound messages are. Those of an account have the id of their report, and its facts (JSON).
  `CREATE TABLE inbound_number (
     carrier_id TEXT NOT NULL REFERENCES carrier,
     address TEXT NOT NULL,
     keyword TEXT NOT NULL, -- empty for messages without the keyword of another
     account_id INTEGER NOT NULL REFERENCES account,
     hook TEXT, -- NULL for the default hook of the account
     PRIMARY KEY (carrier_id, address, keyword)
   ) STRICT, WITHOUT ROWID;
   ALTER TABLE inbound_message ADD COLUMN account_id INTEGER; ALTER TABLE inbound_message ADD COLUMN event_id INTEGER;
   ALTER TABLE inbound_message ADD COLUMN facts TEXT;
   CREATE INDEX inbound_message_of_account ON inbound_message (account_id, event_id) WHERE account_id IS NOT NULL`,
  // Reports that clients read: the place of each in the feed of its account, NULL for those that are posted.
  `ALTER TABLE report ADD COLUMN position INTEGER;
   CREATE UNIQUE INDEX report_of_feed ON report (account_id, position) WHERE position IS NOT NULL;
   CREATE TABLE event_feed (
     account_id INTEGER PRIMARY KEY,
     last INTEGER NOT NULL, -- position of the last event
     acknowledged INTEGER NOT NULL -- the client has processed the events up to this position
   ) STRICT`,
  // Automatic replies of inbound numbers. `reply` of a message: pending, the id of the reply, or why there is none.
  `ALTER TABLE inbound_number ADD COLUMN reply TEXT; ALTER TABLE inbound_number ADD COLUMN reply_sender TEXT;
   ALTER TABLE inbound_message ADD COLUMN reply TEXT;
   CREATE INDEX inbound_message_to_reply ON inbound_message (inbound_id) WHERE reply = 'pending'`,
  // Hooks that clients manage: one row for each account that ever had one (JSON), found by the revision of its change.
  `ALTER TABLE meta ADD COLUMN hook_revision INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE account_hooks (
     account_id INTEGER PRIMARY KEY REFERENCES account,
     revision INTEGER NOT NULL,
     hooks TEXT NOT NULL,
     secrets TEXT NOT NULL -- sealed
   ) STRICT;
   CREATE INDEX account_hooks_changed ON account_hooks (revision)`,
  // Bulks; the lines that wait, in blocks; refused lines; messages by status.
  `CREATE TABLE bulk (
     bulk_id INTEGER PRIMARY KEY,
     account_id INTEGER NOT NULL,
     test INTEGER NOT NULL,
     message TEXT NOT NULL, -- sealed
     open INTEGER NOT NULL, -- 0: it has ended
     due_at INTEGER, -- when the runner looks at it; NULL for never
     kept_since INTEGER, -- NULL while it waits or runs
     facts TEXT NOT NULL
   ) STRICT;
   CREATE INDEX bulk_of_account ON bulk (account_id, bulk_id);
   CREATE INDEX bulk_open ON bulk (account_id) WHERE open = 1;
   CREATE INDEX bulk_due ON bulk (due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX bulk_kept ON bulk (kept_since) WHERE kept_since IS NOT NULL;
   CREATE TABLE bulk_lines (
     bulk_id INTEGER NOT NULL,
     last_line INTEGER NOT NULL,
     sealed BLOB NOT NULL,
     PRIMARY KEY (bulk_id, last_line)
   ) STRICT;
   CREATE TABLE bulk_error (
     bulk_id INTEGER NOT NULL,
     line INTEGER NOT NULL,
     cause TEXT NOT NULL,
     PRIMARY KEY (bulk_id, line)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE bulk_total (
     bulk_id INTEGER NOT NULL,
     status TEXT NOT NULL,
     messages INTEGER NOT NULL, -- of QUEUED without those that were accepted
     micros INTEGER NOT NULL, -- charged
     PRIMARY KEY (bulk_id, status)
   ) STRICT, WITHOUT ROWID`,
  // Failed reports that a client may send again, by their hook.
  `CREATE INDEX report_to_replay ON report (account_id, substr(address, 1, instr(address || '?', '?') - 1), created_at, msg_id, number)
     WHERE state = 'failed' AND body <> '' AND position IS NULL`,
  // Automatic replies of one account after the other.
  `DROP INDEX inbound_message_to_reply;
   CREATE INDEX inbound_message_to_reply ON inbound_message (account_id, inbound_id) WHERE reply = 'pending'`,
  // Tokens that are valid once: sign-in links and challenges of passkeys. Only their hashes are stored.
  `CREATE TABLE one_time_token (hash TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE INDEX one_time_token_expiry ON one_time_token (expires_at)`,
  // Users of an account, and what they have changed. NULL for an operator.
  `ALTER TABLE admin_user ADD COLUMN account_id INTEGER REFERENCES account;
   CREATE INDEX admin_user_of_account ON admin_user (account_id) WHERE account_id IS NOT NULL;
   CREATE INDEX audit_of_actor ON audit (actor)`,
  // Alarms, the targets of their notifications, and those that wait. The targets hold the result of their last try.
  `CREATE TABLE notification_target (
     name TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     address TEXT, -- sealed
     recipients TEXT NOT NULL,
     secret TEXT, -- sealed
     min_severity TEXT NOT NULL,
     kinds TEXT, -- NULL for all
     repeat_minutes INTEGER, -- NULL for no repetition
     sent_at INTEGER,
     failed_at INTEGER,
     last_error TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE alarm (
     alarm_id INTEGER PRIMARY KEY AUTOINCREMENT,
     kind TEXT NOT NULL,
     subject TEXT NOT NULL,
     severity TEXT NOT NULL,
     state TEXT NOT NULL,
     detail TEXT NOT NULL,
     opened_at INTEGER NOT NULL,
     acknowledged_at INTEGER,
     acknowledged_by TEXT,
     resolved_at INTEGER,
     notified_at INTEGER,
     seen_by TEXT NOT NULL -- the nodes that find its condition
   ) STRICT;
   CREATE TABLE notification (
     target TEXT NOT NULL,
     alarm_id INTEGER NOT NULL,
     event TEXT NOT NULL,
     at INTEGER NOT NULL,
     due_at INTEGER NOT NULL,
     tries INTEGER NOT NULL,
     PRIMARY KEY (target, alarm_id)
   ) STRICT, WITHOUT ROWID`,
  // Statistics of messages, summed up by hour and day (rows/message-total.ts). Unknown texts are empty.
  `CREATE TABLE message_total (
     level INTEGER NOT NULL, -- 0 new, 5 recent hours, 1 hours, 2 days, 3 hours and 4 days of all accounts (account 0)
     slot INTEGER NOT NULL, -- first hour, since 1970
     account_id INTEGER NOT NULL,
     event TEXT NOT NULL,
     channel TEXT NOT NULL,
     carrier_id TEXT NOT NULL,
     operator TEXT NOT NULL,
     country TEXT NOT NULL,
     sender TEXT NOT NULL,
     currency TEXT NOT NULL,
     cost_currency TEXT NOT NULL,
     parts INTEGER NOT NULL,
     price_micros INTEGER NOT NULL,
     cost_micros INTEGER NOT NULL,
     messages INTEGER NOT NULL,
     PRIMARY KEY (level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency)
   ) STRICT, WITHOUT ROWID`,
  // Rules of alarms that operators set; NULL for the default.
  `CREATE TABLE alarm_rule (
     kind TEXT PRIMARY KEY,
     enabled INTEGER NOT NULL,
     open_after_seconds INTEGER,
     resolve_after_seconds INTEGER,
     threshold REAL
   ) STRICT, WITHOUT ROWID`,
  // Passkeys of admin users. The ids are those of the authenticators.
  `CREATE TABLE passkey (
     credential_id TEXT PRIMARY KEY,
     user TEXT NOT NULL REFERENCES admin_user,
     name TEXT NOT NULL,
     public_key TEXT NOT NULL,
     counter INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     UNIQUE (user, name)
   ) STRICT, WITHOUT ROWID`,
  // Whom a sign-in link is for; NULL for a challenge.
  `ALTER TABLE one_time_token ADD COLUMN user TEXT;
   CREATE INDEX one_time_token_of_user ON one_time_token (user) WHERE user IS NOT NULL`,
  // The tries of a report that did not succeed at once (domain/reports/report-tries.ts).
  'ALTER TABLE report ADD COLUMN try_log TEXT',
  // Messages and postings of an account (id-ranges.ts).
  `CREATE INDEX message_of_account ON message (msg_id >> 20, account_id);
   CREATE INDEX posting_of_account ON posting (posting_id >> 14, account_id)`,
  // Clicks by target (rows/link-total.ts).
  `CREATE TABLE link_total (
     account_id INTEGER NOT NULL,
     day INTEGER NOT NULL, -- since 1970
     bulk_id INTEGER NOT NULL, -- 0: no bulk
     target TEXT NOT NULL, -- a keyed hash of the address; empty for all further ones
     address TEXT NOT NULL, -- sealed
     human_clicks INTEGER NOT NULL,
     bot_clicks INTEGER NOT NULL,
     links INTEGER NOT NULL,
     first_at INTEGER NOT NULL,
     last_at INTEGER NOT NULL,
     PRIMARY KEY (account_id, day, bulk_id, target)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX link_total_of_day ON link_total (day, account_id, bulk_id, target)`,
  // 1: only reports of test messages stopped the hook.
  'ALTER TABLE stopped_hook ADD COLUMN test INTEGER NOT NULL DEFAULT 0',
  // From here on journeys are written as lists, which earlier versions cannot read (rows/journey-text.ts).
  'SELECT 1',
  // The statistics of messages before they are summed up, one row for each transaction (rows/count-runs.ts).
  `CREATE TABLE message_count (
     entry_id INTEGER PRIMARY KEY,
     part INTEGER NOT NULL, -- 1: sums of a range of accounts
     counts TEXT NOT NULL
   ) STRICT`,
  // With the account in front, each of many accounts has a page of its own, also if the ids of all grow together.
  `DROP INDEX message_of_client;
   CREATE INDEX message_of_client ON message (client_id, account_id, test) WHERE client_id IS NOT NULL`,
  // The totals of a month lie together: those of older months are no longer written.
  `CREATE TABLE posting_total_by_month (
     month INTEGER NOT NULL, -- 202611 is November 2026, UTC
     account_id INTEGER NOT NULL,
     kind TEXT NOT NULL,
     channel TEXT NOT NULL,
     operator TEXT NOT NULL,
     carrier_id TEXT NOT NULL,
     cost_currency TEXT NOT NULL,
     postings INTEGER NOT NULL,
     parts INTEGER NOT NULL,
     amount_micros INTEGER NOT NULL,
     cost_micros INTEGER NOT NULL,
     PRIMARY KEY (month, account_id, kind, channel, operator, carrier_id, cost_currency)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO posting_total_by_month (${TOTAL_COLUMNS})
     SELECT ${TOTAL_COLUMNS} FROM posting_total ORDER BY month, account_id, kind, channel, operator, carrier_id, cost_currency;
   DROP TABLE posting_total;
   ALTER TABLE posting_total_by_month RENAME TO posting_total`,
  // Networks from which users signed in, as keyed hashes; bounded for each user.
  `CREATE TABLE login_network (
     user TEXT NOT NULL,
     network TEXT NOT NULL,
     signed_in_at INTEGER NOT NULL,
     PRIMARY KEY (user, network)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX login_network_of_any ON login_network (network)`,
  // Phones of users whom messengers may name by an id only.
  `CREATE TABLE carrier_user (
     carrier_id TEXT NOT NULL,
     user_id TEXT NOT NULL, -- a keyed hash
     phone TEXT NOT NULL, -- sealed
     phone_hash TEXT NOT NULL, -- a keyed hash of the phone's first form
     keep_until INTEGER NOT NULL,
     PRIMARY KEY (carrier_id, user_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX carrier_user_kept ON carrier_user (keep_until);
   CREATE INDEX carrier_user_of_phone ON carrier_user (phone_hash)`,
  // The message that an inbound message answers, for `status`.
  `ALTER TABLE inbound_message ADD COLUMN answers INTEGER;
   CREATE INDEX inbound_message_answers ON inbound_message (answers, event_id) WHERE answers IS NOT NULL`,
  // Phones of the lines of bulks that skip duplicates.
  `CREATE TABLE bulk_phone (
     bulk_id INTEGER NOT NULL,
     phone_hash TEXT NOT NULL, -- a keyed hash of the phone's first form
     PRIMARY KEY (bulk_id, phone_hash)
   ) STRICT, WITHOUT ROWID`,
]
const BRIDGED = OLDEST_VERSION + MIGRATIONS.length
export const VERSIONS = { oldest: OLDEST_VERSION, present: BRIDGED + CHANGES.length } as const

/** Returns whether `migrate` would change something. Throws a StoreError for an unsupported database version. */
export function needsMigration(database: DatabaseSync): boolean {
  const version = versionOf(database)
  requireKnownVersion(version, VERSIONS)
  return version < VERSIONS.present
}

/** Creates the tables or runs the missing steps, all or nothing. What steps drop may be personal and is overwritten. */
export function migrate(database: DatabaseSync, onMigration?: OnMigration): void {
  database.exec('PRAGMA secure_delete = ON; BEGIN IMMEDIATE')
  try {
    const version = versionOf(database)
    requireKnownVersion(version, VERSIONS)
    const end = beginMigration(version, VERSIONS.present, onMigration)
    for (const sql of statementsFrom(version)) database.exec(sql)
    database.exec(`PRAGMA user_version = ${VERSIONS.present}`)
    database.exec('COMMIT')
    end()
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function versionOf(database: DatabaseSync): number {
  return new Statement<[number]>(database, 'PRAGMA user_version').first()?.[0] ?? 0
}

/** Returns the statements that migrate a database from this version. */
function statementsFrom(version: number): readonly string[] {
  if (version === 0) return TABLES.sqlite.flatMap(createInSqlite)
  return [...MIGRATIONS.slice(version - OLDEST_VERSION), ...CHANGES.slice(Math.max(0, version - BRIDGED))]
}
