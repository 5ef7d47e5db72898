/** What became of calls, added up by day. It only adds: calls from before are not in it. */
export const CALLS = `
CREATE TABLE call_total (
  account_id INTEGER NOT NULL,
  day INTEGER NOT NULL, -- since 1970, UTC
  carrier_id TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty when nobody knew it
  outcome TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ring_ms INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, carrier_id, operator, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_total_of_day ON call_total (day);
`
