/** What was used of limits, in slots of time. It only adds. */
export const USAGE = `
CREATE TABLE usage (
  account_id INTEGER NOT NULL, -- 0 for all accounts
  key TEXT NOT NULL,
  slot INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  micros INTEGER NOT NULL,
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, key, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_kept ON usage (keep_until);
`
