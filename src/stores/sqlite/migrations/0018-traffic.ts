/** Traffic to prefixes and its pattern. It only adds. */
export const TRAFFIC = `
CREATE TABLE traffic (
  account_id INTEGER NOT NULL, -- 0 for all accounts
  kind TEXT NOT NULL,
  prefix TEXT NOT NULL,
  slot INTEGER NOT NULL,
  count INTEGER NOT NULL,
  before INTEGER NOT NULL,
  mean REAL NOT NULL,
  slots INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, prefix)
) STRICT, WITHOUT ROWID;
CREATE INDEX traffic_kept ON traffic (slot);
`
