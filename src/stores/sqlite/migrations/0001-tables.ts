/**
 * The first shape of the database. Times are milliseconds since 1970, money is micros, lists and trees are JSON.
 * There is no bucket column: one file is one shard, and a bucket is `account_id % 64` or `msg_id % 64` when it is asked.
 */
export const TABLES = `
-- One row. The node number of the last gateway that opened the file, the revision of the directory, the next counter.
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  node INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  next_counter INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES (1, 0, 1, 1);

-- The directory.
CREATE TABLE account (
  account_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  hook_secrets TEXT NOT NULL, -- sealed JSON
  settings TEXT NOT NULL
) STRICT;
CREATE TABLE api_key (
  hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sender (
  account_id INTEGER NOT NULL REFERENCES account,
  channel TEXT NOT NULL,
  name TEXT NOT NULL,
  approved INTEGER NOT NULL,
  PRIMARY KEY (account_id, channel, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE price (
  account_id INTEGER NOT NULL, -- 0 for every account
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  prefix TEXT NOT NULL,
  price_micros INTEGER NOT NULL,
  PRIMARY KEY (account_id, currency, channel, prefix)
) STRICT, WITHOUT ROWID;
CREATE TABLE carrier (
  carrier_id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  kind TEXT NOT NULL,
  settings TEXT NOT NULL -- sealed JSON
) STRICT, WITHOUT ROWID;
CREATE TABLE pool (
  pool_id TEXT PRIMARY KEY,
  numbers TEXT NOT NULL,
  code_digits INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE route (
  channel TEXT NOT NULL,
  prefix TEXT NOT NULL,
  carrier_id TEXT NOT NULL REFERENCES carrier,
  operators TEXT, -- NULL for all
  priority INTEGER NOT NULL,
  pool_id TEXT REFERENCES pool,
  PRIMARY KEY (channel, prefix, carrier_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE chat_template (
  template_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  template TEXT NOT NULL,
  signature TEXT NOT NULL,
  status TEXT NOT NULL
) STRICT;
CREATE TABLE sms_template (
  template_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  name TEXT NOT NULL,
  template TEXT NOT NULL,
  UNIQUE (account_id, name)
) STRICT;
CREATE TABLE stopped_hook (
  account_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (account_id, address)
) STRICT, WITHOUT ROWID;

-- Money. The checks are the last line of defence: no statement may ever meet them.
CREATE TABLE pots (
  account_id INTEGER PRIMARY KEY REFERENCES account,
  paid INTEGER NOT NULL,
  available INTEGER NOT NULL CHECK (available >= 0),
  held INTEGER NOT NULL CHECK (held >= 0),
  earned INTEGER NOT NULL,
  CHECK (paid + available + held + earned = 0)
) STRICT;
CREATE TABLE posting (
  posting_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  msg_id INTEGER, -- NULL for a top-up
  kind TEXT NOT NULL,
  amount_micros INTEGER NOT NULL CHECK (amount_micros > 0),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX posting_of_message ON posting (msg_id) WHERE msg_id IS NOT NULL;

-- Messages. The last three columns change with every turn, the others never.
CREATE TABLE message (
  msg_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  client_id TEXT,
  phone TEXT NOT NULL,
  plan TEXT NOT NULL,
  hook TEXT,
  report_steps INTEGER NOT NULL,
  currency TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  journey TEXT NOT NULL
) STRICT;
CREATE TABLE event (
  msg_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  step INTEGER NOT NULL,
  carrier_id TEXT,
  detail TEXT NOT NULL,
  PRIMARY KEY (msg_id, version, number)
) STRICT, WITHOUT ROWID;

-- Open messages. Node 0: waits for due_at. Any other: held by that node, and then due_at says nothing.
CREATE TABLE due (
  msg_id INTEGER PRIMARY KEY,
  node INTEGER NOT NULL,
  channel TEXT NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX due_waiting ON due (channel, due_at) WHERE node = 0;

-- Reports. due_at is NULL behind an unsettled one of the same message.
CREATE TABLE report (
  msg_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  node INTEGER NOT NULL,
  due_at INTEGER,
  tries INTEGER NOT NULL,
  tried_at INTEGER,
  detail TEXT NOT NULL,
  PRIMARY KEY (msg_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX report_pending ON report (account_id) WHERE state = 'pending';
CREATE INDEX report_waiting ON report (due_at) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
CREATE INDEX report_failed ON report (account_id) WHERE state = 'failed';

-- Receipts: whose part a carrier's id is, and receipts that came before the id was known. A parked receipt that was
-- handed to a node stays, with the node's number, until it is swept: the node may vanish before it has recorded it.
CREATE TABLE part_ref (
  carrier_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  msg_id INTEGER NOT NULL,
  step INTEGER NOT NULL,
  part INTEGER NOT NULL,
  PRIMARY KEY (carrier_id, ref)
) STRICT, WITHOUT ROWID;
CREATE TABLE parked_receipt (
  parked_id INTEGER PRIMARY KEY,
  carrier_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  node INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX parked_receipt_once ON parked_receipt (carrier_id, ref, outcome);
CREATE INDEX parked_receipt_kept ON parked_receipt (at);

-- Short links.
CREATE TABLE link (
  code TEXT PRIMARY KEY,
  msg_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  people INTEGER NOT NULL,
  robots INTEGER NOT NULL,
  told INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX link_of_message ON link (msg_id);

-- What must not happen twice.
CREATE TABLE idempotency (
  account_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  draft TEXT NOT NULL,
  outcomes TEXT NOT NULL,
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_kept ON idempotency (keep_until);
CREATE TABLE unique_id (
  account_id INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  msg_id INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  PRIMARY KEY (account_id, client_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE call_code (
  msg_id INTEGER PRIMARY KEY,
  phone TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  code TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX call_code_of_phone ON call_code (phone, at);
CREATE INDEX call_code_kept ON call_code (at);
`
