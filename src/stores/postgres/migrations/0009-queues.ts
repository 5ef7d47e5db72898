/** Queues of tenants in the store (src/stores/rows/place.ts). */
export const QUEUES = `
ALTER TABLE due ADD COLUMN tenant bigint NOT NULL DEFAULT 0; -- 0 waits for due_at; any other stands in a queue
DROP INDEX due_waiting;
CREATE INDEX due_waiting ON due (bucket, due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (bucket, channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
`
