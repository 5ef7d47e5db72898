/**
 * Configuration and admin users. Times are milliseconds since 1970, money is micros, lists and trees are JSON, booleans
 * are 0 and 1. There is no bucket column: one file is one shard.
 */
export const INSTALLATION_TABLES = `
-- One row: the node number of the last gateway that opened the file, the revision of the directory, the next counter, the
-- revision of the prices, the name of the sealing key, and the sealed secret that hashes the phones of erased recipients.
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  node INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  next_counter INTEGER NOT NULL,
  price_revision INTEGER NOT NULL DEFAULT 1,
  sealing_key TEXT NOT NULL DEFAULT '',
  phone_secret TEXT NOT NULL DEFAULT '',
  books_from INTEGER NOT NULL DEFAULT 0 -- no posting is dated earlier
) STRICT;
INSERT INTO meta (one, node, revision, next_counter) VALUES (1, 0, 1, 1);

-- One row at most: no gateway works here while it is there (posthorn move).
CREATE TABLE moving (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  move_id TEXT NOT NULL, -- the same in both databases
  direction TEXT NOT NULL, -- in or out
  other TEXT NOT NULL, -- source or target, for messages to operators
  place TEXT NOT NULL -- JSON: the progress, of a move in
) STRICT;

-- Accounts, their keys and sender names.
CREATE TABLE account (
  account_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  hook_secrets TEXT NOT NULL, -- sealed JSON
  settings TEXT NOT NULL,
  old_secrets_until INTEGER -- NULL for no end
) STRICT;
CREATE TABLE api_key (
  hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  scopes TEXT NOT NULL DEFAULT '["send","otp","templates","balance"]',
  expires_at INTEGER, -- NULL for never
  last_used_at INTEGER, -- NULL if never used
  test INTEGER NOT NULL DEFAULT 0 -- 1: its messages reach simulated phones alone
) STRICT, WITHOUT ROWID;
CREATE TABLE sender (
  account_id INTEGER NOT NULL REFERENCES account,
  channel TEXT NOT NULL,
  name TEXT NOT NULL,
  approved INTEGER NOT NULL,
  details TEXT, -- JSON of state, reason, countries, ids
  PRIMARY KEY (account_id, channel, name)
) STRICT, WITHOUT ROWID;

-- Prices, carriers and routes.
CREATE TABLE price (
  account_id INTEGER NOT NULL, -- 0 for every account
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty for every operator
  valid_from INTEGER NOT NULL, -- 0 for no beginning
  valid_until INTEGER, -- NULL for no end
  price_micros INTEGER NOT NULL CHECK (price_micros >= 0),
  PRIMARY KEY (account_id, currency, channel, prefix, operator, valid_from),
  CHECK (valid_until > valid_from)
) STRICT, WITHOUT ROWID;
CREATE TABLE carrier (
  carrier_id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  kind TEXT NOT NULL,
  settings TEXT NOT NULL, -- sealed JSON
  draining INTEGER NOT NULL DEFAULT 0
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
  account_id INTEGER NOT NULL, -- 0 for every account
  sender TEXT NOT NULL, -- empty for every sender
  operators TEXT, -- NULL for all
  priority INTEGER NOT NULL,
  weight INTEGER NOT NULL,
  pool_id TEXT REFERENCES pool,
  ring_seconds REAL, -- NULL for the carrier's setting
  PRIMARY KEY (channel, prefix, carrier_id, account_id, sender)
) STRICT, WITHOUT ROWID;
CREATE TABLE cost (
  carrier_id TEXT NOT NULL REFERENCES carrier,
  category TEXT NOT NULL, -- empty for every category
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty for every operator
  price_micros INTEGER NOT NULL,
  currency TEXT, -- NULL for the installation's
  PRIMARY KEY (carrier_id, category, prefix, operator)
) STRICT, WITHOUT ROWID;

-- One row: the table of operators is only ever read and replaced whole.
CREATE TABLE operators (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  content TEXT NOT NULL
) STRICT;
INSERT INTO operators VALUES (1, '');

-- Templates, and hooks that answered 410.
CREATE TABLE chat_template (
  template_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  template TEXT NOT NULL,
  signature TEXT NOT NULL,
  status TEXT NOT NULL,
  carrier_id TEXT -- NULL if an operator added it
) STRICT;
CREATE TABLE sms_template (
  template_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  name TEXT NOT NULL,
  template TEXT NOT NULL, -- sealed
  UNIQUE (account_id, name)
) STRICT;
CREATE INDEX sms_template_of_account ON sms_template (account_id, template_id);
CREATE TABLE stopped_hook (
  account_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  stopped INTEGER NOT NULL DEFAULT 1, -- 0: it was resumed
  changed_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);

-- Guards. The settings are one row.
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
  until INTEGER, -- NULL until an operator changes it
  PRIMARY KEY (account_id, kind, prefix)
) STRICT, WITHOUT ROWID;

-- Traffic to prefixes and its pattern.
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

-- Admin users, and their changes: the audit log is append-only.
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
  expires_at INTEGER, -- NULL for no end
  proved_at INTEGER, -- NULL for a token that an owner issued
  UNIQUE (user, label)
) STRICT, WITHOUT ROWID;

-- Failed logins. Bounded: a row for each user, and for unknown names and addresses a number of shared ones.
CREATE TABLE login_tally (
  name TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  until INTEGER NOT NULL,
  code_step INTEGER NOT NULL DEFAULT -1 -- of the last one-time code that was used
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  audit_id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  via TEXT NOT NULL,
  action TEXT NOT NULL,
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
  answer TEXT, -- sealed; NULL until it is known
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_request_kept ON admin_request (keep_until);
`
