/** What people write to our numbers. It only adds. */
export const INBOUND = `
CREATE TABLE inbound_message (
  inbound_id INTEGER PRIMARY KEY,
  carrier_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`
