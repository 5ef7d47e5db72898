CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  node INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  next_counter INTEGER NOT NULL,
  price_revision INTEGER NOT NULL DEFAULT 1,
  sealing_key TEXT NOT NULL DEFAULT '',
  phone_secret TEXT NOT NULL DEFAULT '',
  books_from INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO meta (one, node, revision, next_counter) VALUES (1, 0, 1, 1);
CREATE TABLE moving (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  move_id TEXT NOT NULL,
  direction TEXT NOT NULL,
  other TEXT NOT NULL,
  place TEXT NOT NULL
) STRICT;
CREATE TABLE account (
  account_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  hook_secrets TEXT NOT NULL,
  settings TEXT NOT NULL,
  old_secrets_until INTEGER
) STRICT;
CREATE TABLE api_key (
  hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  scopes TEXT NOT NULL DEFAULT '["send","otp","templates","balance"]',
  expires_at INTEGER,
  last_used_at INTEGER,
  test INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE sender (
  account_id INTEGER NOT NULL REFERENCES account,
  channel TEXT NOT NULL,
  name TEXT NOT NULL,
  approved INTEGER NOT NULL,
  details TEXT,
  PRIMARY KEY (account_id, channel, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE price (
  account_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  valid_until INTEGER,
  price_micros INTEGER NOT NULL CHECK (price_micros >= 0),
  PRIMARY KEY (account_id, currency, channel, prefix, operator, valid_from),
  CHECK (valid_until > valid_from)
) STRICT, WITHOUT ROWID;
CREATE TABLE carrier (
  carrier_id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  kind TEXT NOT NULL,
  settings TEXT NOT NULL,
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
  account_id INTEGER NOT NULL,
  sender TEXT NOT NULL,
  operators TEXT,
  priority INTEGER NOT NULL,
  weight INTEGER NOT NULL,
  pool_id TEXT REFERENCES pool,
  ring_seconds REAL,
  PRIMARY KEY (channel, prefix, carrier_id, account_id, sender)
) STRICT, WITHOUT ROWID;
CREATE TABLE cost (
  carrier_id TEXT NOT NULL REFERENCES carrier,
  category TEXT NOT NULL,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL,
  price_micros INTEGER NOT NULL,
  currency TEXT,
  PRIMARY KEY (carrier_id, category, prefix, operator)
) STRICT, WITHOUT ROWID;
CREATE TABLE operators (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  content TEXT NOT NULL
) STRICT;
INSERT INTO operators VALUES (1, '');
CREATE TABLE chat_template (
  template_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  template TEXT NOT NULL,
  signature TEXT NOT NULL,
  status TEXT NOT NULL,
  carrier_id TEXT
) STRICT;
CREATE TABLE sms_template (
  template_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account,
  name TEXT NOT NULL,
  template TEXT NOT NULL,
  UNIQUE (account_id, name)
) STRICT;
CREATE INDEX sms_template_of_account ON sms_template (account_id, template_id);
CREATE TABLE stopped_hook (
  account_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  stopped INTEGER NOT NULL DEFAULT 1,
  changed_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
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
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  prefix TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  seen REAL NOT NULL,
  usual REAL NOT NULL,
  state TEXT NOT NULL,
  until INTEGER,
  PRIMARY KEY (account_id, kind, prefix)
) STRICT, WITHOUT ROWID;
CREATE TABLE traffic (
  account_id INTEGER NOT NULL,
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
CREATE TABLE admin_user (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  password_hash TEXT,
  totp_secret TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE admin_token (
  hash TEXT PRIMARY KEY,
  user TEXT NOT NULL REFERENCES admin_user,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  proved_at INTEGER,
  UNIQUE (user, label)
) STRICT, WITHOUT ROWID;
CREATE TABLE login_tally (
  name TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  until INTEGER NOT NULL,
  code_step INTEGER NOT NULL DEFAULT -1
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
  answer TEXT,
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_request_kept ON admin_request (keep_until);
CREATE TABLE account_balance (
  account_id INTEGER PRIMARY KEY REFERENCES account,
  paid INTEGER NOT NULL,
  available INTEGER NOT NULL,
  held INTEGER NOT NULL CHECK (held >= 0),
  earned INTEGER NOT NULL,
  credit_limit INTEGER NOT NULL CHECK (credit_limit >= 0),
  low_balance INTEGER,
  low_reported INTEGER NOT NULL,
  CHECK (available >= -credit_limit),
  CHECK (paid + available + held + earned = 0)
) STRICT;
CREATE TABLE posting (
  posting_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  msg_id INTEGER,
  kind TEXT NOT NULL,
  amount_micros INTEGER NOT NULL CHECK (amount_micros > 0),
  at INTEGER NOT NULL,
  made_by TEXT,
  note TEXT,
  channel TEXT,
  operator TEXT,
  parts INTEGER,
  carrier_id TEXT,
  cost_micros INTEGER,
  cost_currency TEXT
) STRICT;
CREATE INDEX posting_of_message ON posting (msg_id) WHERE msg_id IS NOT NULL;
CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN
  SELECT RAISE(ABORT, 'a posting is never changed');
END;
CREATE TRIGGER posting_remains BEFORE DELETE ON posting BEGIN
  SELECT RAISE(ABORT, 'a posting is never removed');
END;
CREATE INDEX posting_of_payment ON posting (account_id, at) WHERE msg_id IS NULL;
CREATE TABLE posting_total (
  account_id INTEGER NOT NULL,
  month INTEGER NOT NULL,
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
CREATE TABLE closed_month (
  account_id INTEGER NOT NULL,
  month INTEGER NOT NULL,
  closing_micros INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage (
  account_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  slot INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  micros INTEGER NOT NULL,
  keep_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, key, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_kept ON usage (keep_until);
CREATE TABLE call_total (
  account_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  carrier_id TEXT NOT NULL,
  operator TEXT NOT NULL,
  outcome TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ring_ms INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, carrier_id, operator, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_total_of_day ON call_total (day);
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
  journey TEXT NOT NULL,
  operator TEXT,
  test INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX message_of_client ON message (account_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX message_of_phone ON message (msg_id >> 20, phone, msg_id);
CREATE TABLE message_text (
  msg_id INTEGER PRIMARY KEY,
  sealed BLOB NOT NULL
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
CREATE TABLE due (
  msg_id INTEGER PRIMARY KEY,
  node INTEGER NOT NULL,
  channel TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  tenant INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX due_waiting ON due (due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
CREATE INDEX due_held ON due (node) WHERE node <> 0;
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
  ends_at INTEGER,
  parked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (msg_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX report_pending ON report (account_id) WHERE state = 'pending';
CREATE INDEX report_waiting ON report (due_at) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
CREATE INDEX report_failed ON report (account_id) WHERE state = 'failed';
CREATE INDEX report_failed_of_message ON report (msg_id) WHERE state = 'failed';
CREATE INDEX report_of_hook ON report (account_id, substr(address, 1, instr(address || '?', '?') - 1), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
CREATE TABLE part_ref (
  carrier_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  msg_id INTEGER NOT NULL,
  step INTEGER NOT NULL,
  part INTEGER NOT NULL,
  PRIMARY KEY (carrier_id, ref)
) STRICT, WITHOUT ROWID;
CREATE INDEX part_ref_of_message ON part_ref (msg_id);
CREATE TABLE early_receipt (
  early_receipt_id INTEGER PRIMARY KEY,
  carrier_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  node INTEGER NOT NULL,
  category TEXT
) STRICT;
CREATE UNIQUE INDEX early_receipt_once ON early_receipt (carrier_id, ref, outcome);
CREATE INDEX early_receipt_kept ON early_receipt (at);
CREATE TABLE link (
  code TEXT PRIMARY KEY,
  msg_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  human_clicks INTEGER NOT NULL,
  bot_clicks INTEGER NOT NULL,
  reported INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX link_of_message ON link (msg_id);
CREATE TABLE inbound_message (
  inbound_id INTEGER PRIMARY KEY,
  carrier_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE inbound_part (
  carrier_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  reference INTEGER NOT NULL,
  total INTEGER NOT NULL,
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
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
CREATE TABLE opt_out (
  opt_out_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  phone TEXT NOT NULL,
  sender TEXT NOT NULL,
  set_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (account_id, phone, sender)
) STRICT;
CREATE INDEX opt_out_of_account ON opt_out (account_id);
CREATE INDEX opt_out_of_phone ON opt_out (phone);
CREATE TABLE sweep_mark (
  action TEXT NOT NULL,
  days INTEGER NOT NULL,
  msg_id INTEGER NOT NULL,
  furthest INTEGER NOT NULL,
  PRIMARY KEY (action, days)
) STRICT, WITHOUT ROWID;
CREATE TABLE sweep_skipped (
  msg_id INTEGER PRIMARY KEY
) STRICT;
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
CREATE INDEX early_receipt_of_node ON early_receipt (node) WHERE node > 0;
DROP INDEX due_held;
ALTER TABLE message ADD COLUMN contents BLOB;
ALTER TABLE early_receipt ADD COLUMN msg_id INTEGER; ALTER TABLE early_receipt ADD COLUMN step INTEGER;
   ALTER TABLE early_receipt ADD COLUMN part INTEGER; ALTER TABLE early_receipt ADD COLUMN peers TEXT;
CREATE TABLE inbound_number (
     carrier_id TEXT NOT NULL REFERENCES carrier,
     address TEXT NOT NULL,
     keyword TEXT NOT NULL,
     account_id INTEGER NOT NULL REFERENCES account,
     hook TEXT,
     PRIMARY KEY (carrier_id, address, keyword)
   ) STRICT, WITHOUT ROWID;
   ALTER TABLE inbound_message ADD COLUMN account_id INTEGER; ALTER TABLE inbound_message ADD COLUMN event_id INTEGER;
   ALTER TABLE inbound_message ADD COLUMN facts TEXT;
   CREATE INDEX inbound_message_of_account ON inbound_message (account_id, event_id) WHERE account_id IS NOT NULL;
ALTER TABLE report ADD COLUMN position INTEGER;
   CREATE UNIQUE INDEX report_of_feed ON report (account_id, position) WHERE position IS NOT NULL;
   CREATE TABLE event_feed (
     account_id INTEGER PRIMARY KEY,
     last INTEGER NOT NULL,
     acknowledged INTEGER NOT NULL
   ) STRICT;
ALTER TABLE inbound_number ADD COLUMN reply TEXT; ALTER TABLE inbound_number ADD COLUMN reply_sender TEXT;
   ALTER TABLE inbound_message ADD COLUMN reply TEXT;
   CREATE INDEX inbound_message_to_reply ON inbound_message (inbound_id) WHERE reply = 'pending';
ALTER TABLE meta ADD COLUMN hook_revision INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE account_hooks (
     account_id INTEGER PRIMARY KEY REFERENCES account,
     revision INTEGER NOT NULL,
     hooks TEXT NOT NULL,
     secrets TEXT NOT NULL
   ) STRICT;
   CREATE INDEX account_hooks_changed ON account_hooks (revision);
CREATE TABLE bulk (
     bulk_id INTEGER PRIMARY KEY,
     account_id INTEGER NOT NULL,
     test INTEGER NOT NULL,
     message TEXT NOT NULL,
     open INTEGER NOT NULL,
     due_at INTEGER,
     kept_since INTEGER,
     facts TEXT NOT NULL
   ) STRICT;
   CREATE INDEX bulk_of_account ON bulk (account_id, bulk_id);
   CREATE INDEX bulk_open ON bulk (account_id) WHERE open = 1;
   CREATE INDEX bulk_due ON bulk (due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX bulk_kept ON bulk (kept_since) WHERE kept_since IS NOT NULL;
   CREATE TABLE bulk_lines (
     bulk_id INTEGER NOT NULL,
     last_line INTEGER NOT NULL,
     sealed BLOB NOT NULL,
     PRIMARY KEY (bulk_id, last_line)
   ) STRICT;
   CREATE TABLE bulk_error (
     bulk_id INTEGER NOT NULL,
     line INTEGER NOT NULL,
     cause TEXT NOT NULL,
     PRIMARY KEY (bulk_id, line)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE bulk_total (
     bulk_id INTEGER NOT NULL,
     status TEXT NOT NULL,
     messages INTEGER NOT NULL,
     micros INTEGER NOT NULL,
     PRIMARY KEY (bulk_id, status)
   ) STRICT, WITHOUT ROWID;
CREATE INDEX report_to_replay ON report (account_id, substr(address, 1, instr(address || '?', '?') - 1), created_at, msg_id, number)
     WHERE state = 'failed' AND body <> '' AND position IS NULL;
DROP INDEX inbound_message_to_reply;
   CREATE INDEX inbound_message_to_reply ON inbound_message (account_id, inbound_id) WHERE reply = 'pending';
CREATE TABLE one_time_token (hash TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE INDEX one_time_token_expiry ON one_time_token (expires_at);
ALTER TABLE admin_user ADD COLUMN account_id INTEGER REFERENCES account;
   CREATE INDEX admin_user_of_account ON admin_user (account_id) WHERE account_id IS NOT NULL;
   CREATE INDEX audit_of_actor ON audit (actor);
CREATE TABLE notification_target (
     name TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     address TEXT,
     recipients TEXT NOT NULL,
     secret TEXT,
     min_severity TEXT NOT NULL,
     kinds TEXT,
     repeat_minutes INTEGER,
     sent_at INTEGER,
     failed_at INTEGER,
     last_error TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE alarm (
     alarm_id INTEGER PRIMARY KEY AUTOINCREMENT,
     kind TEXT NOT NULL,
     subject TEXT NOT NULL,
     severity TEXT NOT NULL,
     state TEXT NOT NULL,
     detail TEXT NOT NULL,
     opened_at INTEGER NOT NULL,
     acknowledged_at INTEGER,
     acknowledged_by TEXT,
     resolved_at INTEGER,
     notified_at INTEGER,
     seen_by TEXT NOT NULL
   ) STRICT;
   CREATE TABLE notification (
     target TEXT NOT NULL,
     alarm_id INTEGER NOT NULL,
     event TEXT NOT NULL,
     at INTEGER NOT NULL,
     due_at INTEGER NOT NULL,
     tries INTEGER NOT NULL,
     PRIMARY KEY (target, alarm_id)
   ) STRICT, WITHOUT ROWID;
CREATE TABLE message_total (
     level INTEGER NOT NULL,
     slot INTEGER NOT NULL,
     account_id INTEGER NOT NULL,
     event TEXT NOT NULL,
     channel TEXT NOT NULL,
     carrier_id TEXT NOT NULL,
     operator TEXT NOT NULL,
     country TEXT NOT NULL,
     sender TEXT NOT NULL,
     currency TEXT NOT NULL,
     cost_currency TEXT NOT NULL,
     parts INTEGER NOT NULL,
     price_micros INTEGER NOT NULL,
     cost_micros INTEGER NOT NULL,
     messages INTEGER NOT NULL,
     PRIMARY KEY (level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency)
   ) STRICT, WITHOUT ROWID;
CREATE TABLE alarm_rule (
     kind TEXT PRIMARY KEY,
     enabled INTEGER NOT NULL,
     open_after_seconds INTEGER,
     resolve_after_seconds INTEGER,
     threshold REAL
   ) STRICT, WITHOUT ROWID;
CREATE TABLE passkey (
     credential_id TEXT PRIMARY KEY,
     user TEXT NOT NULL REFERENCES admin_user,
     name TEXT NOT NULL,
     public_key TEXT NOT NULL,
     counter INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     UNIQUE (user, name)
   ) STRICT, WITHOUT ROWID;
ALTER TABLE one_time_token ADD COLUMN user TEXT;
   CREATE INDEX one_time_token_of_user ON one_time_token (user) WHERE user IS NOT NULL;
ALTER TABLE report ADD COLUMN try_log TEXT;
CREATE INDEX message_of_account ON message (msg_id >> 20, account_id);
   CREATE INDEX posting_of_account ON posting (posting_id >> 14, account_id);
CREATE TABLE link_total (
     account_id INTEGER NOT NULL,
     day INTEGER NOT NULL,
     bulk_id INTEGER NOT NULL,
     target TEXT NOT NULL,
     address TEXT NOT NULL,
     human_clicks INTEGER NOT NULL,
     bot_clicks INTEGER NOT NULL,
     links INTEGER NOT NULL,
     first_at INTEGER NOT NULL,
     last_at INTEGER NOT NULL,
     PRIMARY KEY (account_id, day, bulk_id, target)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX link_total_of_day ON link_total (day, account_id, bulk_id, target);
ALTER TABLE stopped_hook ADD COLUMN test INTEGER NOT NULL DEFAULT 0;
SELECT 1;
CREATE TABLE message_count (
     entry_id INTEGER PRIMARY KEY,
     part INTEGER NOT NULL,
     counts TEXT NOT NULL
   ) STRICT;
DROP INDEX message_of_client;
   CREATE INDEX message_of_client ON message (client_id, account_id, test) WHERE client_id IS NOT NULL;
CREATE TABLE posting_total_by_month (
     month INTEGER NOT NULL,
     account_id INTEGER NOT NULL,
     kind TEXT NOT NULL,
     channel TEXT NOT NULL,
     operator TEXT NOT NULL,
     carrier_id TEXT NOT NULL,
     cost_currency TEXT NOT NULL,
     postings INTEGER NOT NULL,
     parts INTEGER NOT NULL,
     amount_micros INTEGER NOT NULL,
     cost_micros INTEGER NOT NULL,
     PRIMARY KEY (month, account_id, kind, channel, operator, carrier_id, cost_currency)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO posting_total_by_month (account_id, month, kind, channel, operator, carrier_id, cost_currency, postings, parts, amount_micros, cost_micros)
     SELECT account_id, month, kind, channel, operator, carrier_id, cost_currency, postings, parts, amount_micros, cost_micros FROM posting_total ORDER BY month, account_id, kind, channel, operator, carrier_id, cost_currency;
   DROP TABLE posting_total;
   ALTER TABLE posting_total_by_month RENAME TO posting_total;
