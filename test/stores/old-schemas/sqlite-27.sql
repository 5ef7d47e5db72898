-- What the migrations 24 to 27 of earlier builds did to them.

-- 24
ALTER TABLE admin_token ADD COLUMN proved_at INTEGER; -- NULL for a token that an owner issued
UPDATE admin_token SET proved_at = created_at WHERE label GLOB 'session [0-9a-f]*' AND length(label) = 20;

-- Bounded: a row for each user, and for unknown names and addresses a number of shared ones.
CREATE TABLE login_tally (
  name TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  until INTEGER NOT NULL,
  code_step INTEGER NOT NULL DEFAULT -1 -- of the last one-time code that was used
) STRICT, WITHOUT ROWID;

DELETE FROM admin_request WHERE actor = 'nobody';
UPDATE admin_request SET body_hash = '';

-- 25
ALTER TABLE due ADD COLUMN tenant INTEGER NOT NULL DEFAULT 0; -- 0 waits for due_at; any other stands in a queue
DROP INDEX due_waiting;
CREATE INDEX due_waiting ON due (due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
CREATE INDEX due_held ON due (node) WHERE node <> 0;

-- 26
ALTER TABLE report ADD COLUMN ends_at INTEGER;
ALTER TABLE report ADD COLUMN parked INTEGER NOT NULL DEFAULT 0; -- 1: waits for its hook alone
CREATE INDEX report_of_hook ON report (account_id, substr(address, 1, instr(address || '?', '?') - 1), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;

-- 27
ALTER TABLE stopped_hook ADD COLUMN stopped INTEGER NOT NULL DEFAULT 1;
ALTER TABLE stopped_hook ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE stopped_hook SET changed_at = unixepoch() * 1000;
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
