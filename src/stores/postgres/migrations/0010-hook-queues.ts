/**
 * Reports wait for their hooks, which are their addresses without the query (domain/report-schedule.ts), and end at a time
 * of their own once an operator has sent them again. An address may be longer than what an index can hold.
 */
export const HOOK_QUEUES = `
ALTER TABLE report ADD COLUMN ends_at bigint;
ALTER TABLE report ADD COLUMN parked smallint NOT NULL DEFAULT 0; -- 1: waits for its hook alone
CREATE INDEX report_of_hook ON report (bucket, account_id, md5(split_part(address, '?', 1)), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
`
