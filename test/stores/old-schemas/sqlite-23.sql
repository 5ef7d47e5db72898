-- The tables as the migrations up to 23 of earlier builds made them.

-- 1
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

-- 2
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

-- 3
CREATE TABLE inbound_message (
  inbound_id INTEGER PRIMARY KEY,
  carrier_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- 4
ALTER TABLE chat_template ADD COLUMN carrier_id TEXT; -- NULL when an operator noted it by hand

-- 5
CREATE TABLE admin_user (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  password_hash TEXT, -- NULL without a password
  totp_secret TEXT -- sealed JSON
) STRICT, WITHOUT ROWID;
CREATE TABLE admin_token (
  hash TEXT PRIMARY KEY,
  user TEXT NOT NULL REFERENCES admin_user,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER, -- NULL for ever
  UNIQUE (user, label)
) STRICT, WITHOUT ROWID;

-- Appended, never edited.
CREATE TABLE audit (
  audit_id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  via TEXT NOT NULL,
  deed TEXT NOT NULL,
  subject TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL
) STRICT;
CREATE INDEX audit_of_subject ON audit (subject);
CREATE TRIGGER audit_is_not_edited BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is not edited'); END;

CREATE TABLE admin_request (
  actor TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT, -- sealed; NULL until it is kept
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_request_kept ON admin_request (keep_until);

CREATE INDEX message_of_phone ON message (phone, msg_id);
CREATE INDEX report_failed_of_message ON report (msg_id) WHERE state = 'failed';

-- 6
ALTER TABLE route ADD COLUMN ring_seconds REAL; -- NULL for as long as the carrier is set to

-- 7
ALTER TABLE api_key ADD COLUMN scopes TEXT NOT NULL DEFAULT '["send","otp","templates","balance"]';
ALTER TABLE api_key ADD COLUMN expires_at INTEGER; -- NULL for never
ALTER TABLE api_key ADD COLUMN last_used_at INTEGER; -- NULL while it was not used

-- 8
-- SQLite cannot widen a primary key in place.
CREATE TABLE dated_price (
  account_id INTEGER NOT NULL, -- 0 for every account
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty for every operator
  valid_from INTEGER NOT NULL, -- 0 for ever before
  valid_until INTEGER, -- NULL for ever after
  price_micros INTEGER NOT NULL CHECK (price_micros >= 0),
  PRIMARY KEY (account_id, currency, channel, prefix, operator, valid_from),
  CHECK (valid_until > valid_from)
) STRICT, WITHOUT ROWID;
INSERT INTO dated_price
  SELECT account_id, currency, channel, prefix, '', 0, NULL, price_micros FROM price;
DROP TABLE price;
ALTER TABLE dated_price RENAME TO price;

-- Grows with every change of a price: whoever has the prices of this revision need not read them again.
ALTER TABLE meta ADD COLUMN price_revision INTEGER NOT NULL DEFAULT 1;

ALTER TABLE message ADD COLUMN operator TEXT;

-- 9
-- One row.
CREATE TABLE guard_settings (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  content TEXT NOT NULL
) STRICT;
INSERT INTO guard_settings VALUES (1, '{}');
CREATE TABLE listed_number (
  list TEXT NOT NULL,
  digits TEXT NOT NULL,
  whole INTEGER NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (list, digits, whole)
) STRICT, WITHOUT ROWID;
CREATE TABLE traffic_alarm (
  account_id INTEGER NOT NULL, -- 0 for all accounts
  kind TEXT NOT NULL,
  prefix TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  seen REAL NOT NULL,
  usual REAL NOT NULL,
  state TEXT NOT NULL,
  until INTEGER, -- NULL until an operator says something else
  PRIMARY KEY (account_id, kind, prefix)
) STRICT, WITHOUT ROWID;

CREATE TABLE opt_out (
  opt_out_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  phone TEXT NOT NULL,
  sender TEXT NOT NULL, -- empty for all of the account
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (account_id, phone, sender)
) STRICT;
CREATE INDEX opt_out_of_account ON opt_out (account_id);
CREATE INDEX opt_out_of_phone ON opt_out (phone);

-- 10
-- What the steps of a message carry: a sealed JSON list, one for each step.
CREATE TABLE message_text (
  msg_id INTEGER PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT;

-- The key that seals, by its name, and a sealed secret by which phones are told apart without being kept.
ALTER TABLE meta ADD COLUMN sealing_key TEXT NOT NULL DEFAULT '';
ALTER TABLE meta ADD COLUMN phone_secret TEXT NOT NULL DEFAULT '';

-- 11
CREATE INDEX sms_template_of_account ON sms_template (account_id, template_id);

-- 12
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

-- 13
ALTER TABLE sender ADD COLUMN details TEXT; -- JSON of state, reason, countries, ids; NULL before this

-- 14
ALTER TABLE account ADD COLUMN old_secrets_until INTEGER; -- NULL for as long as they are there

-- 15
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

-- 16
-- SQLite cannot add a check in place.
CREATE TABLE wider_pots (
  account_id INTEGER PRIMARY KEY REFERENCES account,
  paid INTEGER NOT NULL,
  available INTEGER NOT NULL,
  held INTEGER NOT NULL CHECK (held >= 0),
  earned INTEGER NOT NULL,
  credit_limit INTEGER NOT NULL CHECK (credit_limit >= 0),
  low_balance INTEGER, -- available below this is reported; NULL for never
  low_told INTEGER NOT NULL, -- 1: it was reported, and has not risen above since
  CHECK (available >= -credit_limit),
  CHECK (paid + available + held + earned = 0)
) STRICT;
INSERT INTO wider_pots SELECT account_id, paid, available, held, earned, 0, NULL, 0 FROM pots;
DROP TABLE pots;
ALTER TABLE wider_pots RENAME TO pots;

-- Of what a person posted.
ALTER TABLE posting ADD COLUMN made_by TEXT;
ALTER TABLE posting ADD COLUMN note TEXT;
CREATE INDEX posting_of_person ON posting (account_id, at) WHERE msg_id IS NULL;
-- Of charges.
ALTER TABLE posting ADD COLUMN channel TEXT;
ALTER TABLE posting ADD COLUMN operator TEXT;
ALTER TABLE posting ADD COLUMN parts INTEGER;
ALTER TABLE posting ADD COLUMN carrier_id TEXT;
ALTER TABLE posting ADD COLUMN cost_micros INTEGER;
ALTER TABLE posting ADD COLUMN cost_currency TEXT;
CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN
  SELECT RAISE(ABORT, 'a posting is never changed');
END;
CREATE TRIGGER posting_remains BEFORE DELETE ON posting BEGIN
  SELECT RAISE(ABORT, 'a posting is never removed');
END;

-- What people posted and what was charged, summed up in the transaction of the postings. Empty texts are not known.
CREATE TABLE posting_total (
  account_id INTEGER NOT NULL,
  month INTEGER NOT NULL, -- 202611 is November 2026, UTC
  kind TEXT NOT NULL,
  channel TEXT NOT NULL,
  operator TEXT NOT NULL,
  carrier_id TEXT NOT NULL,
  cost_currency TEXT NOT NULL,
  postings INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  amount_micros INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  PRIMARY KEY (account_id, month, kind, channel, operator, carrier_id, cost_currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX posting_total_of_month ON posting_total (month);
INSERT INTO posting_total
  SELECT account_id, CAST(strftime('%Y%m', at / 1000, 'unixepoch') AS INTEGER), kind, '', '', '', '',
    count(*), 0, sum(amount_micros), 0
  FROM posting WHERE kind IN ('top-up', 'charge') GROUP BY 1, 2, 3;

-- What a month came to when it was closed. No posting is booked before books_from any more.
CREATE TABLE closed_month (
  account_id INTEGER NOT NULL,
  month INTEGER NOT NULL,
  closing_micros INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
ALTER TABLE meta ADD COLUMN books_from INTEGER NOT NULL DEFAULT 0;

CREATE TABLE wider_cost (
  carrier_id TEXT NOT NULL REFERENCES carrier,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty for every operator
  price_micros INTEGER NOT NULL,
  currency TEXT, -- NULL for that of the installation
  PRIMARY KEY (carrier_id, prefix, operator)
) STRICT, WITHOUT ROWID;
INSERT INTO wider_cost SELECT carrier_id, prefix, '', price_micros, NULL FROM cost;
DROP TABLE cost;
ALTER TABLE wider_cost RENAME TO cost;

-- 17
CREATE INDEX message_of_client ON message (account_id, client_id) WHERE client_id IS NOT NULL;

-- 18
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

-- 19
-- Messages up to this one were gone through for this deed, on behalf of those who keep things for so many days. It goes
-- back to the beginning when somebody begins to keep them for so long only; furthest does not.
CREATE TABLE sweep_mark (
  deed TEXT NOT NULL,
  days INTEGER NOT NULL,
  msg_id INTEGER NOT NULL,
  furthest INTEGER NOT NULL,
  PRIMARY KEY (deed, days)
) STRICT, WITHOUT ROWID;
-- Messages that a mark had passed while they were open, or a report of theirs was pending, and that are so no more.
CREATE TABLE sweep_left (
  msg_id INTEGER PRIMARY KEY
) STRICT;
CREATE INDEX part_ref_of_message ON part_ref (msg_id);

-- 20
ALTER TABLE api_key ADD COLUMN test INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN test INTEGER NOT NULL DEFAULT 0;

-- 21
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

-- 22
-- One row at most: nobody works here while it is there.
CREATE TABLE moving (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  move_id TEXT NOT NULL, -- the same in both databases
  direction TEXT NOT NULL, -- in or out
  other TEXT NOT NULL, -- from where or to where, for people
  place TEXT NOT NULL -- JSON: how far it has come, where it is on its way in
) STRICT;

-- 23
DROP INDEX message_of_phone;
CREATE INDEX message_of_phone ON message (msg_id >> 20, phone, msg_id);
