/** Parts of what people write wait on disk for the others, and what a carrier may bring again is known. It only adds. */
export const INBOUND_PARTS = `
CREATE TABLE inbound_part (
  carrier_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  reference INTEGER NOT NULL,
  total INTEGER NOT NULL,
  number INTEGER NOT NULL,
  text TEXT NOT NULL, -- sealed JSON
  at INTEGER NOT NULL,
  PRIMARY KEY (carrier_id, sender, recipient, reference, total, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_part_at ON inbound_part (at);

CREATE TABLE inbound_key (
  carrier_id TEXT NOT NULL,
  key TEXT NOT NULL,
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (carrier_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_key_until ON inbound_key (keep_until);
`
