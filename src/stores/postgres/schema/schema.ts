/**
 * The schema; the table `schema_version` stores its version. A new database gets the current one at once, an older one
 * is migrated step by step (migrations.ts). If several nodes start together, one of them migrates and the others wait.
 * A database from a newer Posthorn is never touched.
 */
import type { OnMigration } from '../../../ports/records/migration.ts'
import { StoreError } from '../../../ports/records/store-errors.ts'
import { beginMigration } from '../../rows/setup/report-migration.ts'
import { requireKnownVersion } from '../../rows/setup/store-limits.ts'
import { TABLES } from '../../tables/all-tables.ts'
import { createInPostgres } from '../../tables/print-postgres.ts'
import type { Link } from '../connection/link.ts'
import { rare } from '../connection/statement.ts'
import { MIGRATIONS, OLDEST_VERSION } from './migrations.ts'
import { TOTALS_IN_ONE_BUCKET } from './totals-in-one-bucket.ts'

/** One statement for each change since the steps of migrations.ts. */
const CHANGES: readonly string[] = [
  // Receipts that are stranded are found without a look at those that are parked.
  'CREATE INDEX early_receipt_of_node ON early_receipt (node, early_receipt_id)',
  // Two changes of each message of a batch fit on its page, and write no index.
  `DO $$
   DECLARE
     part regclass;
   BEGIN
     FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'message'::regclass LOOP
       EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
     END LOOP;
   END $$`,
  // The part that an early receipt was assigned to, and the carriers of its copies (JSON).
  `ALTER TABLE early_receipt ADD COLUMN msg_id bigint, ADD COLUMN step integer, ADD COLUMN part integer,
   ADD COLUMN peers text`,
  // Inbound numbers: whose inbound messages are. Those of an account have the id of their report, its facts (JSON), and
  // the bucket of the account.
  `CREATE TABLE inbound_number (
     carrier_id text COLLATE "C" NOT NULL REFERENCES carrier,
     address text COLLATE "C" NOT NULL,
     keyword text COLLATE "C" NOT NULL, -- empty for messages without the keyword of another
     account_id bigint NOT NULL REFERENCES account,
     hook text, -- NULL for the default hook of the account
     PRIMARY KEY (carrier_id, address, keyword)
   );
   ALTER TABLE inbound_message ADD COLUMN account_id bigint, ADD COLUMN event_id bigint, ADD COLUMN facts text;
   CREATE INDEX inbound_message_of_account ON inbound_message (bucket, account_id, event_id)
     WHERE account_id IS NOT NULL`,
  // Reports that clients read: the place of each in the feed of its account, NULL for those that are posted.
  `ALTER TABLE report ADD COLUMN position bigint;
   CREATE INDEX report_of_feed ON report (bucket, account_id, position) WHERE position IS NOT NULL;
   CREATE TABLE event_feed (
     bucket smallint NOT NULL,
     account_id bigint NOT NULL,
     last bigint NOT NULL, -- position of the last event
     acknowledged bigint NOT NULL, -- the client has processed the events up to this position
     PRIMARY KEY (bucket, account_id)
   ) WITH (fillfactor = 10)`,
  // Automatic replies of inbound numbers. `reply` of a message: pending, the id of the reply, or why there is none.
  `ALTER TABLE inbound_number ADD COLUMN reply text, ADD COLUMN reply_sender text;
   ALTER TABLE inbound_message ADD COLUMN reply text;
   CREATE INDEX inbound_message_to_reply ON inbound_message (inbound_id) WHERE reply = 'pending'`,
  // Hooks that clients manage: one row for each account that ever had one (JSON), found by the revision of its change.
  `ALTER TABLE meta ADD COLUMN hook_revision bigint NOT NULL DEFAULT 0;
   CREATE TABLE account_hooks (
     account_id bigint PRIMARY KEY REFERENCES account,
     revision bigint NOT NULL,
     hooks text NOT NULL,
     secrets text NOT NULL -- sealed
   );
   CREATE INDEX account_hooks_changed ON account_hooks (revision)`,
  // Bulks; the lines that wait, in blocks; refused lines; messages by status. The bucket is that of the account.
  `CREATE TABLE bulk (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     account_id bigint NOT NULL,
     test smallint NOT NULL,
     message text NOT NULL, -- sealed
     open smallint NOT NULL, -- 0: it has ended
     due_at bigint, -- when the runner looks at it; NULL for never
     kept_since bigint, -- NULL while it waits or runs
     facts text NOT NULL,
     PRIMARY KEY (bucket, bulk_id)
   ) WITH (fillfactor = 50);
   CREATE INDEX bulk_of_account ON bulk (bucket, account_id, bulk_id);
   CREATE INDEX bulk_open ON bulk (bucket, account_id) WHERE open = 1;
   CREATE INDEX bulk_due ON bulk (due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX bulk_kept ON bulk (bucket, kept_since) WHERE kept_since IS NOT NULL;
   CREATE TABLE bulk_lines (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     last_line bigint NOT NULL,
     sealed bytea NOT NULL,
     PRIMARY KEY (bucket, bulk_id, last_line)
   );
   CREATE TABLE bulk_error (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     line bigint NOT NULL,
     cause text NOT NULL,
     PRIMARY KEY (bucket, bulk_id, line)
   );
   CREATE TABLE bulk_total (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     status text COLLATE "C" NOT NULL,
     messages bigint NOT NULL, -- of QUEUED without those that were accepted
     micros bigint NOT NULL, -- charged
     PRIMARY KEY (bucket, bulk_id, status)
   ) WITH (fillfactor = 10)`,
  // Failed reports that a client may send again, by their hook.
  `CREATE INDEX report_to_replay ON report (bucket, account_id, md5(split_part(address, '?', 1)), created_at, msg_id, number)
     WHERE state = 'failed' AND body <> '' AND position IS NULL`,
  // Automatic replies of one account after the other.
  `DROP INDEX inbound_message_to_reply;
   CREATE INDEX inbound_message_to_reply ON inbound_message (account_id, inbound_id) WHERE reply = 'pending'`,
  // Tokens that are valid once: sign-in links and challenges of passkeys. Only their hashes are stored.
  `CREATE TABLE one_time_token (hash text COLLATE "C" PRIMARY KEY, expires_at bigint NOT NULL);
   CREATE INDEX one_time_token_expiry ON one_time_token (expires_at)`,
  // Users of an account, and what they have changed. NULL for an operator.
  `ALTER TABLE admin_user ADD COLUMN account_id bigint REFERENCES account;
   CREATE INDEX admin_user_of_account ON admin_user (account_id) WHERE account_id IS NOT NULL;
   CREATE INDEX audit_of_actor ON audit (actor, audit_id)`,
  // Alarms, the targets of their notifications, and those that wait. The targets hold the result of their last try.
  `CREATE TABLE notification_target (
     name text COLLATE "C" PRIMARY KEY,
     kind text NOT NULL,
     address text, -- sealed
     recipients text NOT NULL,
     secret text, -- sealed
     min_severity text NOT NULL,
     kinds text, -- NULL for all
     repeat_minutes integer, -- NULL for no repetition
     sent_at bigint,
     failed_at bigint,
     last_error text
   );
   CREATE TABLE alarm (
     alarm_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     kind text COLLATE "C" NOT NULL,
     subject text COLLATE "C" NOT NULL,
     severity text NOT NULL,
     state text COLLATE "C" NOT NULL,
     detail text NOT NULL,
     opened_at bigint NOT NULL,
     acknowledged_at bigint,
     acknowledged_by text,
     resolved_at bigint,
     notified_at bigint,
     seen_by text NOT NULL -- the nodes that find its condition
   );
   CREATE TABLE notification (
     target text COLLATE "C" NOT NULL,
     alarm_id bigint NOT NULL,
     event text COLLATE "C" NOT NULL,
     at bigint NOT NULL,
     due_at bigint NOT NULL,
     tries integer NOT NULL,
     PRIMARY KEY (target, alarm_id)
   )`,
  // Statistics of messages, summed up by hour and day (rows/message-total.ts). Unknown texts are empty.
  `CREATE TABLE message_total (
     bucket smallint NOT NULL,
     level smallint NOT NULL, -- 0 new, 5 recent hours, 1 hours, 2 days, 3 hours and 4 days of all accounts (account 0)
     slot integer NOT NULL, -- first hour, since 1970
     account_id bigint NOT NULL,
     event text COLLATE "C" NOT NULL,
     channel text COLLATE "C" NOT NULL,
     carrier_id text COLLATE "C" NOT NULL,
     operator text COLLATE "C" NOT NULL,
     country text COLLATE "C" NOT NULL,
     sender text COLLATE "C" NOT NULL,
     currency text COLLATE "C" NOT NULL,
     cost_currency text COLLATE "C" NOT NULL,
     parts bigint NOT NULL,
     price_micros bigint NOT NULL,
     cost_micros bigint NOT NULL,
     messages bigint NOT NULL,
     PRIMARY KEY (bucket, level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency)
   ) WITH (fillfactor = 50)`,
  // Rules of alarms that operators set; NULL for the default.
  `CREATE TABLE alarm_rule (
     kind text COLLATE "C" PRIMARY KEY,
     enabled smallint NOT NULL,
     open_after_seconds integer,
     resolve_after_seconds integer,
     threshold double precision
   )`,
  // Passkeys of admin users. The ids are those of the authenticators.
  `CREATE TABLE passkey (
     credential_id text COLLATE "C" PRIMARY KEY,
     "user" text COLLATE "C" NOT NULL REFERENCES admin_user,
     name text COLLATE "C" NOT NULL,
     public_key text NOT NULL,
     counter bigint NOT NULL,
     created_at bigint NOT NULL,
     last_used_at bigint,
     UNIQUE ("user", name)
   )`,
  // Whom a sign-in link is for; NULL for a challenge.
  `ALTER TABLE one_time_token ADD COLUMN "user" text COLLATE "C";
   CREATE INDEX one_time_token_of_user ON one_time_token ("user") WHERE "user" IS NOT NULL`,
  // The tries of a report that did not succeed at once (domain/reports/report-tries.ts).
  'ALTER TABLE report ADD COLUMN try_log text',
  // The version of each gateway's program, for operators who update a cluster; empty for older gateways.
  `ALTER TABLE node ADD COLUMN version text NOT NULL DEFAULT ''`,
  // Messages of an account.
  'CREATE INDEX message_of_account ON message (bucket, account_id, msg_id)',
  // Clicks by target (rows/link-total.ts).
  `CREATE TABLE link_total (
     bucket smallint NOT NULL,
     account_id bigint NOT NULL,
     day integer NOT NULL, -- since 1970
     bulk_id bigint NOT NULL, -- 0: no bulk
     target text COLLATE "C" NOT NULL, -- a keyed hash of the address; empty for all further ones
     address text NOT NULL, -- sealed
     human_clicks bigint NOT NULL,
     bot_clicks bigint NOT NULL,
     links bigint NOT NULL,
     first_at bigint NOT NULL,
     last_at bigint NOT NULL,
     PRIMARY KEY (bucket, account_id, day, bulk_id, target)
   );
   CREATE INDEX link_total_of_day ON link_total (day, account_id, bulk_id, target);
   CREATE INDEX link_total_kept ON link_total (bucket, day)`,
  // 1: only reports of test messages stopped the hook.
  'ALTER TABLE stopped_hook ADD COLUMN test smallint NOT NULL DEFAULT 0',
  TOTALS_IN_ONE_BUCKET,
  // Networks from which users signed in, as keyed hashes; bounded for each user.
  `CREATE TABLE login_network (
     "user" text COLLATE "C" NOT NULL,
     network text COLLATE "C" NOT NULL,
     signed_in_at bigint NOT NULL,
     PRIMARY KEY ("user", network)
   );
   CREATE INDEX login_network_of_any ON login_network (network)`,
  // Phones of users whom messengers may name by an id only.
  `CREATE TABLE carrier_user (
     carrier_id text COLLATE "C" NOT NULL,
     user_id text COLLATE "C" NOT NULL, -- a keyed hash
     phone text NOT NULL, -- sealed
     phone_hash text COLLATE "C" NOT NULL, -- a keyed hash of the phone's first form
     keep_until bigint NOT NULL,
     PRIMARY KEY (carrier_id, user_id)
   );
   CREATE INDEX carrier_user_kept ON carrier_user (keep_until);
   CREATE INDEX carrier_user_of_phone ON carrier_user (phone_hash)`,
  // Numbers of commands, below 0, so that a move knows by the other sequence whether a gateway was there.
  'CREATE SEQUENCE command_number AS integer INCREMENT BY -1',
  // The message that an inbound message answers, for `status`.
  `ALTER TABLE inbound_message ADD COLUMN answers bigint;
   CREATE INDEX inbound_message_answers ON inbound_message (bucket, answers, event_id) WHERE answers IS NOT NULL`,
  // Phones of the lines of bulks that skip duplicates.
  `CREATE TABLE bulk_phone (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     phone_hash text COLLATE "C" NOT NULL, -- a keyed hash of the phone's first form
     PRIMARY KEY (bucket, bulk_id, phone_hash)
   )`,
]
const BRIDGED = OLDEST_VERSION + MIGRATIONS.length
export const VERSIONS = { oldest: OLDEST_VERSION, present: BRIDGED + CHANGES.length } as const

/** The oldest server version that is tested, as server_version_num. */
const OLDEST_SERVER = 150_000

/** The advisory lock of migrations; any otherwise unused number. */
const LOCK = 7_678_672_310

const HAS_VERSION = rare<[has: number]>(`SELECT (to_regclass('schema_version') IS NOT NULL)::int`)
const VERSION = rare<[version: number]>('SELECT version FROM schema_version')
const SEALING_KEY = rare<[name: string]>('SELECT sealing_key FROM meta')
const SERVER = rare<[version: number]>(`SELECT current_setting('server_version_num')::integer`)
const LOCK_SCHEMA = rare('SELECT pg_advisory_xact_lock($1)')
const SET_VERSION = rare('UPDATE schema_version SET version = $1')

/**
 * Creates the tables or runs the missing steps, all or nothing. Throws a StoreError for an unsupported database version
 * or an old server.
 */
export async function migrate(link: Link, onMigration?: OnMigration): Promise<void> {
  if (!(await needsMigration(link))) return
  const fault = faultOfServer((await link.query(SERVER))[0]?.[0] ?? 0)
  if (fault !== null) throw new StoreError(fault)
  let end = () => {}
  await link.run('BEGIN')
  try {
    await link.query(LOCK_SCHEMA, LOCK)
    if (await needsMigration(link)) {
      await link.run('CREATE TABLE IF NOT EXISTS schema_version AS SELECT 0 AS version')
      const version = await versionOf(link)
      end = beginMigration(version, VERSIONS.present, onMigration)
      for (const sql of statementsFrom(version)) await link.run(sql)
      await link.query(SET_VERSION, VERSIONS.present)
    }
    await link.run('COMMIT')
    end()
  } catch (error) {
    await link.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Returns why a server of this version, 150004 for 15.4, is too old; null if it is not. */
export function faultOfServer(version: number): string | null {
  if (version >= OLDEST_SERVER) return null
  const name = `${Math.floor(version / 10_000)}.${version % 10_000}`
  return `the server is PostgreSQL ${name}, and Posthorn needs ${OLDEST_SERVER / 10_000} or newer`
}

/**
 * Returns whether the schema is current, older, or missing in a new database. Throws a StoreError as `migrate` does.
 */
export async function stateOf(link: Link): Promise<'new' | 'older' | 'present'> {
  if (!(await needsMigration(link))) return 'present'
  return (await versionOf(link)) === 0 ? 'new' : 'older'
}

/** Returns whether the database has a sealing key yet. */
export async function hasKey(link: Link): Promise<boolean> {
  return (await versionOf(link)) > 0 && (await link.query(SEALING_KEY))[0]?.[0] !== ''
}

async function needsMigration(link: Link): Promise<boolean> {
  const version = await versionOf(link)
  requireKnownVersion(version, VERSIONS)
  return version < VERSIONS.present
}

async function versionOf(link: Link): Promise<number> {
  const [found] = await link.query(HAS_VERSION)
  if (found?.[0] !== 1) return 0
  return (await link.query(VERSION))[0]?.[0] ?? 0
}

/** Returns the statements that migrate a database from this version. */
function statementsFrom(version: number): readonly string[] {
  if (version === 0) return TABLES.postgres.flatMap(createInPostgres)
  return [...MIGRATIONS.slice(version - OLDEST_VERSION), ...CHANGES.slice(Math.max(0, version - BRIDGED))]
}
