/**
 * Routing: routes by account and sender with weights, buying prices, carriers that drain, the prefixes of operators. It
 * only adds: every row from before stays and means what it meant.
 */
export const ROUTING = `
-- SQLite cannot widen a primary key in place.
CREATE TABLE wider_route (
  channel TEXT NOT NULL,
  prefix TEXT NOT NULL,
  carrier_id TEXT NOT NULL REFERENCES carrier,
  account_id INTEGER NOT NULL, -- 0 for every account
  sender TEXT NOT NULL, -- empty for every sender
  operators TEXT, -- NULL for all
  priority INTEGER NOT NULL,
  weight INTEGER NOT NULL,
  pool_id TEXT REFERENCES pool,
  PRIMARY KEY (channel, prefix, carrier_id, account_id, sender)
) STRICT, WITHOUT ROWID;
INSERT INTO wider_route
  SELECT channel, prefix, carrier_id, 0, '', operators, priority, 1, pool_id FROM route;
DROP TABLE route;
ALTER TABLE wider_route RENAME TO route;

CREATE TABLE cost (
  carrier_id TEXT NOT NULL REFERENCES carrier,
  prefix TEXT NOT NULL,
  price_micros INTEGER NOT NULL,
  PRIMARY KEY (carrier_id, prefix)
) STRICT, WITHOUT ROWID;
-- One row: the table of operators is only ever read and replaced whole.
CREATE TABLE operators (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  content TEXT NOT NULL
) STRICT;
INSERT INTO operators VALUES (1, '');
ALTER TABLE carrier ADD COLUMN draining INTEGER NOT NULL DEFAULT 0;
`
