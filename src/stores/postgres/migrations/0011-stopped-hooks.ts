/**
 * Stopped hooks are bounded and run out (domain/stopped-hook.ts). One that was resumed is kept for those who know the stop.
 * An address may be longer than what an index can hold.
 */
export const STOPPED_HOOKS = `
ALTER TABLE stopped_hook DROP CONSTRAINT stopped_hook_pkey;
ALTER TABLE stopped_hook ADD COLUMN hash text COLLATE "C" GENERATED ALWAYS AS (md5(address)) STORED;
ALTER TABLE stopped_hook ADD COLUMN stopped smallint NOT NULL DEFAULT 1;
ALTER TABLE stopped_hook ADD COLUMN changed_at bigint NOT NULL DEFAULT 0;
UPDATE stopped_hook SET changed_at = floor(extract(epoch FROM clock_timestamp()) * 1000);
ALTER TABLE stopped_hook ADD PRIMARY KEY (account_id, hash);
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
`
