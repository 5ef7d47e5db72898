/**
 * Migrates databases of earlier versions to the current schema, step by step. Kept until 1.0; older databases are
 * refused.
 */

/** The version that the first step migrates from. */
export const OLDEST_VERSION = 6

/**
 * Sessions, re-authentication and failed logins. Stored login requests are deleted because their answers contain
 * tokens, and so are the hashes of all request bodies because passwords can be guessed from them: a repeat of an older
 * request is a conflict and is not executed.
 */
const TO_7 = `
ALTER TABLE admin_token ADD COLUMN proved_at bigint;
UPDATE admin_token SET proved_at = created_at WHERE label ~ '^session [0-9a-f]{12}$';
CREATE TABLE login_tally (
  name text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  until bigint NOT NULL,
  code_step bigint NOT NULL DEFAULT -1
);
DELETE FROM admin_request WHERE actor = 'nobody';
UPDATE admin_request SET body_hash = '';
`
/** Lets logical replication, with which Citus moves shards, distinguish rows of part_ref. */
const TO_8 = `
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'part_ref'::regclass LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', part);
  END LOOP;
END $$;
`
/** Tenant queues in the store. */
const TO_9 = `
ALTER TABLE due ADD COLUMN tenant bigint NOT NULL DEFAULT 0;
DROP INDEX due_waiting;
CREATE INDEX due_waiting ON due (bucket, due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (bucket, channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
`
/** Reports wait for their hooks, and have their own expiry once an operator has resent them. */
const TO_10 = `
ALTER TABLE report ADD COLUMN ends_at bigint;
ALTER TABLE report ADD COLUMN parked smallint NOT NULL DEFAULT 0;
CREATE INDEX report_of_hook ON report (bucket, account_id, md5(split_part(address, '?', 1)), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
`
/** Stopped hooks are bounded and expire. */
const TO_11 = `
ALTER TABLE stopped_hook DROP CONSTRAINT stopped_hook_pkey;
ALTER TABLE stopped_hook ADD COLUMN hash text COLLATE "C" GENERATED ALWAYS AS (md5(address)) STORED;
ALTER TABLE stopped_hook ADD COLUMN stopped smallint NOT NULL DEFAULT 1;
ALTER TABLE stopped_hook ADD COLUMN changed_at bigint NOT NULL DEFAULT 0;
UPDATE stopped_hook SET changed_at = floor(extract(epoch FROM clock_timestamp()) * 1000);
ALTER TABLE stopped_hook ADD PRIMARY KEY (account_id, hash);
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
`
/** When a gateway last found that the database had gone back in time. */
const TO_12 = `
CREATE TABLE rewind (
  id smallint PRIMARY KEY CHECK (id = 1),
  at bigint NOT NULL
);
`
/** Costs by the category that a carrier bills, and the category named by an early receipt. */
const TO_13 = `
ALTER TABLE cost ADD COLUMN category text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE cost DROP CONSTRAINT cost_pkey;
ALTER TABLE cost ADD PRIMARY KEY (carrier_id, category, prefix, operator);
ALTER TABLE parked_receipt ADD COLUMN category text;
`
/**
 * Plain names. Constraints are recreated if their name contains a table's name: Citus renames indexes but not
 * constraints.
 */
const TO_14 = `
ALTER TABLE pots RENAME COLUMN low_told TO low_reported;
ALTER TABLE pots DROP CONSTRAINT pots_check;
ALTER TABLE pots DROP CONSTRAINT pots_check1;
ALTER TABLE pots DROP CONSTRAINT pots_held_check;
ALTER TABLE pots DROP CONSTRAINT pots_credit_limit_check;
ALTER TABLE pots RENAME TO account_balance;
ALTER INDEX pots_pkey RENAME TO account_balance_pkey;
ALTER TABLE account_balance ADD CONSTRAINT held_is_not_negative CHECK (held >= 0);
ALTER TABLE account_balance ADD CONSTRAINT credit_limit_is_not_negative CHECK (credit_limit >= 0);
ALTER TABLE account_balance ADD CONSTRAINT available_is_within_credit CHECK (available >= -credit_limit);
ALTER TABLE account_balance ADD CONSTRAINT balances_add_up CHECK (paid + available + held + earned = 0);
ALTER TABLE link RENAME COLUMN people TO human_clicks;
ALTER TABLE link RENAME COLUMN robots TO bot_clicks;
ALTER TABLE link RENAME COLUMN told TO reported;
ALTER TABLE audit RENAME COLUMN deed TO action;
ALTER TABLE sweep_mark RENAME COLUMN deed TO action;
ALTER TABLE sweep_left RENAME TO sweep_skipped;
ALTER INDEX sweep_left_pkey RENAME TO sweep_skipped_pkey;
ALTER TABLE parked_receipt RENAME COLUMN parked_id TO early_receipt_id;
ALTER TABLE parked_receipt RENAME TO early_receipt;
ALTER INDEX parked_receipt_pkey RENAME TO early_receipt_pkey;
ALTER INDEX parked_receipt_kept RENAME TO early_receipt_kept;
ALTER INDEX posting_of_person RENAME TO posting_of_payment;
ALTER TABLE node RENAME COLUMN beat TO heartbeat;
ALTER TABLE node RENAME COLUMN beat_at TO heartbeat_at;
ALTER TABLE carrier_seat RENAME COLUMN seat TO slot;
ALTER TABLE carrier_seat RENAME TO carrier_slot;
ALTER INDEX carrier_seat_pkey RENAME TO carrier_slot_pkey;
`

export const MIGRATIONS: readonly string[] = [TO_7, TO_8, TO_9, TO_10, TO_11, TO_12, TO_13, TO_14]
