/**
 * Queues of tenants in the store (src/stores/rows/place.ts), and what a node holds is found without looking at what waits.
 */
export const QUEUES = `
ALTER TABLE due ADD COLUMN tenant INTEGER NOT NULL DEFAULT 0; -- 0 waits for due_at; any other stands in a queue
DROP INDEX due_waiting;
CREATE INDEX due_waiting ON due (due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
CREATE INDEX due_held ON due (node) WHERE node <> 0;
`
