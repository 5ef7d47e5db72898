-- What the migrations 7 to 12 of earlier builds did to them.

-- 7
ALTER TABLE admin_token ADD COLUMN proved_at bigint; -- NULL for a token that an owner issued
UPDATE admin_token SET proved_at = created_at WHERE label ~ '^session [0-9a-f]{12}$';

-- Bounded: a row for each user, and for unknown names and addresses a number of shared ones.
CREATE TABLE login_tally (
  name text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  until bigint NOT NULL,
  code_step bigint NOT NULL DEFAULT -1 -- of the last one-time code that was used
);

DELETE FROM admin_request WHERE actor = 'nobody';
UPDATE admin_request SET body_hash = '';

-- 8
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'part_ref'::regclass LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', part);
  END LOOP;
END $$;

-- 9
ALTER TABLE due ADD COLUMN tenant bigint NOT NULL DEFAULT 0; -- 0 waits for due_at; any other stands in a queue
DROP INDEX due_waiting;
CREATE INDEX due_waiting ON due (bucket, due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (bucket, channel, tenant, due_at) WHERE node = 0 AND tenant > 0;

-- 10
ALTER TABLE report ADD COLUMN ends_at bigint;
ALTER TABLE report ADD COLUMN parked smallint NOT NULL DEFAULT 0; -- 1: waits for its hook alone
CREATE INDEX report_of_hook ON report (bucket, account_id, md5(split_part(address, '?', 1)), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;

-- 11
ALTER TABLE stopped_hook DROP CONSTRAINT stopped_hook_pkey;
ALTER TABLE stopped_hook ADD COLUMN hash text COLLATE "C" GENERATED ALWAYS AS (md5(address)) STORED;
ALTER TABLE stopped_hook ADD COLUMN stopped smallint NOT NULL DEFAULT 1;
ALTER TABLE stopped_hook ADD COLUMN changed_at bigint NOT NULL DEFAULT 0;
UPDATE stopped_hook SET changed_at = floor(extract(epoch FROM clock_timestamp()) * 1000);
ALTER TABLE stopped_hook ADD PRIMARY KEY (account_id, hash);
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);

-- 12
CREATE TABLE rewind (
  id smallint PRIMARY KEY CHECK (id = 1),
  at bigint NOT NULL -- milliseconds, by the clock of the database
);
