/** What a node says of itself to operators. Times are the database's own, for clocks of nodes are not compared. */
export const NODES = `
ALTER TABLE node ADD COLUMN name text NOT NULL DEFAULT '',
  ADD COLUMN role text NOT NULL DEFAULT 'all',
  ADD COLUMN started_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN beat_at bigint NOT NULL DEFAULT 0;
`
