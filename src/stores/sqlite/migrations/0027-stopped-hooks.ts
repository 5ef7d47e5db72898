/** Stopped hooks are bounded and run out (domain/stopped-hook.ts). One that was resumed is kept for those who know the stop. */
export const STOPPED_HOOKS = `
ALTER TABLE stopped_hook ADD COLUMN stopped INTEGER NOT NULL DEFAULT 1;
ALTER TABLE stopped_hook ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE stopped_hook SET changed_at = unixepoch() * 1000;
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
`
