/**
 * Reports wait for their hooks, which are their addresses without the query (domain/report-schedule.ts), and end at a time
 * of their own once an operator has sent them again.
 */
export const HOOK_QUEUES = `
ALTER TABLE report ADD COLUMN ends_at INTEGER;
ALTER TABLE report ADD COLUMN parked INTEGER NOT NULL DEFAULT 0; -- 1: waits for its hook alone
CREATE INDEX report_of_hook ON report (account_id, substr(address, 1, instr(address || '?', '?') - 1), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
`
