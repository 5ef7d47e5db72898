/**
 * Migrates databases of earlier versions to the current schema, step by step. Kept until 1.0; older databases are
 * refused.
 */

/** The version that the first step migrates from. */
export const OLDEST_VERSION = 23

/**
 * Sessions, re-authentication and failed logins. Stored login requests are deleted because their answers contain
 * tokens, and so are the hashes of all request bodies because passwords can be guessed from them: a repeat of an older
 * request is a conflict and is not executed.
 */
const TO_24 = `
ALTER TABLE admin_token ADD COLUMN proved_at INTEGER;
UPDATE admin_token SET proved_at = created_at WHERE label GLOB 'session [0-9a-f]*' AND length(label) = 20;
CREATE TABLE login_tally (
  name TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  until INTEGER NOT NULL,
  code_step INTEGER NOT NULL DEFAULT -1
) STRICT, WITHOUT ROWID;
DELETE FROM admin_request WHERE actor = 'nobody';
UPDATE admin_request SET body_hash = '';
`
/** Tenant queues in the store; messages held by a node are found without scanning those that wait. */
const TO_25 = `
ALTER TABLE due ADD COLUMN tenant INTEGER NOT NULL DEFAULT 0;
DROP INDEX due_waiting;
CREATE INDEX due_waiting ON due (due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
CREATE INDEX due_held ON due (node) WHERE node <> 0;
`
/** Reports wait for their hooks, and have their own expiry once an operator has resent them. */
const TO_26 = `
ALTER TABLE report ADD COLUMN ends_at INTEGER;
ALTER TABLE report ADD COLUMN parked INTEGER NOT NULL DEFAULT 0;
CREATE INDEX report_of_hook ON report (account_id, substr(address, 1, instr(address || '?', '?') - 1), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
`
/** Stopped hooks are bounded and expire. */
const TO_27 = `
ALTER TABLE stopped_hook ADD COLUMN stopped INTEGER NOT NULL DEFAULT 1;
ALTER TABLE stopped_hook ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE stopped_hook SET changed_at = unixepoch() * 1000;
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
`
/** Costs by the category that a carrier bills, and the category named by an early receipt. */
const TO_28 = `
CREATE TABLE cost_by_category (
  carrier_id TEXT NOT NULL REFERENCES carrier,
  category TEXT NOT NULL,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL,
  price_micros INTEGER NOT NULL,
  currency TEXT,
  PRIMARY KEY (carrier_id, category, prefix, operator)
) STRICT, WITHOUT ROWID;
INSERT INTO cost_by_category SELECT carrier_id, '', prefix, operator, price_micros, currency FROM cost;
DROP TABLE cost;
ALTER TABLE cost_by_category RENAME TO cost;
ALTER TABLE parked_receipt ADD COLUMN category TEXT;
`
/** Plain names. */
const TO_29 = `
ALTER TABLE pots RENAME COLUMN low_told TO low_reported;
ALTER TABLE pots RENAME TO account_balance;
ALTER TABLE link RENAME COLUMN people TO human_clicks;
ALTER TABLE link RENAME COLUMN robots TO bot_clicks;
ALTER TABLE link RENAME COLUMN told TO reported;
ALTER TABLE audit RENAME COLUMN deed TO action;
ALTER TABLE sweep_mark RENAME COLUMN deed TO action;
ALTER TABLE sweep_left RENAME TO sweep_skipped;
ALTER TABLE parked_receipt RENAME COLUMN parked_id TO early_receipt_id;
ALTER TABLE parked_receipt RENAME TO early_receipt;
DROP INDEX parked_receipt_once;
DROP INDEX parked_receipt_kept;
DROP INDEX posting_of_person;
CREATE UNIQUE INDEX early_receipt_once ON early_receipt (carrier_id, ref, outcome);
CREATE INDEX early_receipt_kept ON early_receipt (at);
CREATE INDEX posting_of_payment ON posting (account_id, at) WHERE msg_id IS NULL;
`

export const MIGRATIONS: readonly string[] = [TO_24, TO_25, TO_26, TO_27, TO_28, TO_29]
