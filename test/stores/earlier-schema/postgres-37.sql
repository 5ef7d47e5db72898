CREATE TABLE meta (
  one smallint PRIMARY KEY CHECK (one = 1),
  revision bigint NOT NULL,
  price_revision bigint NOT NULL,
  sealing_key text NOT NULL,
  phone_secret text NOT NULL,
  books_from bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO meta VALUES (1, 1, 1, '', '', 0);
CREATE TABLE message_counter (
  one smallint PRIMARY KEY CHECK (one = 1),
  next bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO message_counter VALUES (1, 1);
CREATE SEQUENCE node_number AS integer;
CREATE TABLE node (
  node integer PRIMARY KEY,
  heartbeat bigint NOT NULL,
  delivers smallint NOT NULL,
  name text NOT NULL DEFAULT '',
  role text NOT NULL DEFAULT 'all',
  started_at bigint NOT NULL DEFAULT 0,
  heartbeat_at bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
CREATE TABLE lease (
  bucket smallint NOT NULL,
  node integer NOT NULL,
  batch bigint NOT NULL,
  sealing_key text NOT NULL,
  books_from bigint NOT NULL,
  swept_to bigint NOT NULL,
  PRIMARY KEY (bucket, node)
) WITH (fillfactor = 10);
CREATE TABLE carrier_slot (
  carrier_id text COLLATE "C" NOT NULL,
  slot integer NOT NULL,
  node integer NOT NULL,
  PRIMARY KEY (carrier_id, slot)
);
CREATE TABLE moving (
  one smallint PRIMARY KEY CHECK (one = 1),
  move_id text NOT NULL,
  direction text NOT NULL,
  other text NOT NULL,
  place text NOT NULL
);
CREATE TABLE rewind (
  id smallint PRIMARY KEY CHECK (id = 1),
  at bigint NOT NULL
);
CREATE TABLE account (
  account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  currency text NOT NULL,
  state text NOT NULL,
  hook_secrets text NOT NULL,
  settings text NOT NULL,
  old_secrets_until bigint
);
CREATE TABLE api_key (
  hash text COLLATE "C" PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account,
  name text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  scopes text NOT NULL,
  test smallint NOT NULL,
  expires_at bigint,
  last_used_at bigint
);
CREATE TABLE sender (
  account_id bigint NOT NULL REFERENCES account,
  channel text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  approved smallint NOT NULL,
  details text,
  PRIMARY KEY (account_id, channel, name)
);
CREATE TABLE price (
  account_id bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL,
  valid_from bigint NOT NULL,
  valid_until bigint,
  price_micros bigint NOT NULL CHECK (price_micros >= 0),
  PRIMARY KEY (account_id, currency, channel, prefix, operator, valid_from),
  CHECK (valid_until > valid_from)
);
CREATE TABLE carrier (
  carrier_id text COLLATE "C" PRIMARY KEY,
  channel text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  settings text NOT NULL,
  draining smallint NOT NULL DEFAULT 0
);
CREATE TABLE pool (
  pool_id text COLLATE "C" PRIMARY KEY,
  numbers text NOT NULL,
  code_digits integer NOT NULL
);
CREATE TABLE route (
  channel text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  carrier_id text COLLATE "C" NOT NULL REFERENCES carrier,
  account_id bigint NOT NULL,
  sender text COLLATE "C" NOT NULL,
  operators text,
  priority integer NOT NULL,
  weight integer NOT NULL,
  pool_id text COLLATE "C" REFERENCES pool,
  ring_seconds double precision,
  PRIMARY KEY (channel, prefix, carrier_id, account_id, sender)
);
CREATE TABLE cost (
  carrier_id text COLLATE "C" NOT NULL REFERENCES carrier,
  prefix text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL,
  price_micros bigint NOT NULL,
  currency text,
  category text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (carrier_id, category, prefix, operator)
);
CREATE TABLE operators (
  one smallint PRIMARY KEY CHECK (one = 1),
  content text NOT NULL
);
INSERT INTO operators VALUES (1, '');
CREATE TABLE chat_template (
  template_id bigint PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account,
  template text NOT NULL,
  signature text NOT NULL,
  status text NOT NULL,
  carrier_id text
);
CREATE TABLE stopped_hook (
  account_id bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  hash text COLLATE "C" GENERATED ALWAYS AS (md5(address)) STORED,
  stopped smallint NOT NULL DEFAULT 1,
  changed_at bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, hash)
);
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
CREATE TABLE guard_settings (
  one smallint PRIMARY KEY CHECK (one = 1),
  content text NOT NULL
);
INSERT INTO guard_settings VALUES (1, '{}');
CREATE TABLE listed_number (
  list text COLLATE "C" NOT NULL,
  digits text COLLATE "C" NOT NULL,
  whole smallint NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (list, digits, whole)
);
CREATE TABLE traffic_alarm (
  account_id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  raised_at bigint NOT NULL,
  seen double precision NOT NULL,
  usual double precision NOT NULL,
  state text NOT NULL,
  until bigint,
  PRIMARY KEY (account_id, kind, prefix)
);
CREATE TABLE admin_user (
  name text COLLATE "C" PRIMARY KEY,
  role text NOT NULL,
  state text NOT NULL,
  password_hash text,
  totp_secret text
);
CREATE TABLE admin_token (
  hash text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" NOT NULL REFERENCES admin_user,
  label text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  proved_at bigint,
  UNIQUE ("user", label)
);
CREATE TABLE login_tally (
  name text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  until bigint NOT NULL,
  code_step bigint NOT NULL DEFAULT -1
);
CREATE TABLE audit (
  audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  via text NOT NULL,
  action text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  before text NOT NULL,
  after text NOT NULL
);
CREATE INDEX audit_of_subject ON audit (subject, audit_id);
CREATE FUNCTION refuse_to_edit() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit log is not edited'; END $$;
CREATE TRIGGER audit_is_not_edited BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_to_edit();
CREATE TABLE admin_request (
  actor text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  body_hash text NOT NULL,
  answer text,
  keep_until bigint NOT NULL,
  PRIMARY KEY (actor, key)
);
CREATE INDEX admin_request_kept ON admin_request (keep_until);
CREATE TABLE traffic (
  account_id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  count bigint NOT NULL,
  before bigint NOT NULL,
  mean double precision NOT NULL,
  slots bigint NOT NULL,
  PRIMARY KEY (account_id, kind, prefix)
);
CREATE INDEX traffic_kept ON traffic (slot);
CREATE TABLE account_balance (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  paid bigint NOT NULL,
  available bigint NOT NULL,
  held bigint NOT NULL CONSTRAINT held_is_not_negative CHECK (held >= 0),
  earned bigint NOT NULL,
  postings bigint NOT NULL,
  credit_limit bigint NOT NULL CONSTRAINT credit_limit_is_not_negative CHECK (credit_limit >= 0),
  low_balance bigint,
  low_reported smallint NOT NULL,
  PRIMARY KEY (bucket, account_id),
  CONSTRAINT available_is_within_credit CHECK (available >= -credit_limit),
  CONSTRAINT balances_add_up CHECK (paid + available + held + earned = 0)
) WITH (fillfactor = 10);
CREATE TABLE posting (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  posting_id bigint NOT NULL,
  msg_id bigint,
  kind text NOT NULL,
  amount_micros bigint NOT NULL CHECK (amount_micros > 0),
  at bigint NOT NULL,
  made_by text,
  note text,
  channel text,
  operator text,
  parts integer,
  carrier_id text,
  cost_micros bigint,
  cost_currency text,
  PRIMARY KEY (bucket, account_id, posting_id)
);
CREATE INDEX posting_of_message ON posting (bucket, msg_id) WHERE msg_id IS NOT NULL;
CREATE INDEX posting_of_payment ON posting (bucket, account_id, at) WHERE msg_id IS NULL;
CREATE FUNCTION refuse_to_change_postings() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'a posting is never changed and never removed'; END $$;
CREATE TRIGGER posting_stays BEFORE UPDATE OR DELETE ON posting
  FOR EACH ROW EXECUTE FUNCTION refuse_to_change_postings();
CREATE TABLE posting_total (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  month integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL,
  carrier_id text COLLATE "C" NOT NULL,
  cost_currency text COLLATE "C" NOT NULL,
  postings bigint NOT NULL,
  parts bigint NOT NULL,
  amount_micros bigint NOT NULL,
  cost_micros bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, month, kind, channel, operator, carrier_id, cost_currency)
) WITH (fillfactor = 50);
CREATE INDEX posting_total_of_month ON posting_total (month);
CREATE TABLE closed_month (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  month integer NOT NULL,
  closing_micros bigint NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (bucket, account_id, month)
);
CREATE TABLE usage (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  messages bigint NOT NULL,
  micros bigint NOT NULL,
  keep_until bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, key, slot)
);
CREATE INDEX usage_kept ON usage (bucket, keep_until);
CREATE TABLE call_total (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  day integer NOT NULL,
  carrier_id text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  ring_ms bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, day, carrier_id, operator, outcome)
) WITH (fillfactor = 50);
CREATE INDEX call_total_of_day ON call_total (day);
CREATE INDEX call_total_kept ON call_total (bucket, day);
CREATE TABLE message (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  account_id bigint NOT NULL,
  client_id text,
  phone text COLLATE "C" NOT NULL,
  plan text NOT NULL,
  hook text,
  report_steps smallint NOT NULL,
  currency text NOT NULL,
  created_at bigint NOT NULL,
  version integer NOT NULL,
  status text NOT NULL,
  journey text NOT NULL,
  operator text,
  test smallint NOT NULL,
  PRIMARY KEY (bucket, msg_id)
) WITH (fillfactor = 70);
CREATE INDEX message_of_phone ON message (bucket, phone, msg_id);
CREATE INDEX message_of_client ON message (bucket, account_id, client_id, msg_id) WHERE client_id IS NOT NULL;
CREATE TABLE message_text (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  sealed bytea NOT NULL,
  PRIMARY KEY (bucket, msg_id)
);
CREATE TABLE event (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  version integer NOT NULL,
  number integer NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  step integer NOT NULL,
  carrier_id text,
  detail text NOT NULL,
  PRIMARY KEY (bucket, msg_id, version, number)
);
CREATE TABLE due (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  node integer NOT NULL,
  channel text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL,
  tenant bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (bucket, msg_id)
);
CREATE INDEX due_waiting ON due (bucket, due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (bucket, channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
CREATE INDEX due_held ON due (node) WHERE node <> 0;
CREATE TABLE report (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  number integer NOT NULL,
  account_id bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  state text NOT NULL,
  node integer NOT NULL,
  due_at bigint,
  tries integer NOT NULL,
  tried_at bigint,
  detail text NOT NULL,
  ends_at bigint,
  parked smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (bucket, msg_id, number)
);
CREATE INDEX report_pending ON report (bucket, account_id) WHERE state = 'pending';
CREATE INDEX report_waiting ON report (bucket, due_at) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
CREATE INDEX report_held ON report (node) WHERE state = 'pending' AND node <> 0;
CREATE INDEX report_failed ON report (bucket, msg_id) WHERE state = 'failed';
CREATE TABLE part_ref (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  step integer NOT NULL,
  part integer NOT NULL,
  carrier_id text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL
);
CREATE INDEX part_ref_of_carrier ON part_ref (carrier_id, ref);
CREATE INDEX part_ref_of_message ON part_ref (bucket, msg_id);
CREATE TABLE early_receipt (
  bucket smallint NOT NULL,
  carrier_id text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  detail text NOT NULL,
  early_receipt_id bigint GENERATED ALWAYS AS IDENTITY,
  at bigint NOT NULL,
  node integer NOT NULL,
  category text,
  PRIMARY KEY (bucket, carrier_id, ref, outcome)
);
CREATE INDEX early_receipt_kept ON early_receipt (bucket, at);
CREATE TABLE inbound_message (
  bucket smallint NOT NULL,
  inbound_id bigint GENERATED ALWAYS AS IDENTITY,
  carrier_id text NOT NULL,
  sender text NOT NULL,
  recipient text NOT NULL,
  text text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (bucket, inbound_id)
);
CREATE INDEX inbound_message_in_order ON inbound_message (inbound_id);
CREATE TABLE inbound_part (
  bucket smallint NOT NULL,
  carrier_id text COLLATE "C" NOT NULL,
  sender text COLLATE "C" NOT NULL,
  recipient text COLLATE "C" NOT NULL,
  reference bigint NOT NULL,
  total integer NOT NULL,
  number integer NOT NULL,
  text text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (bucket, carrier_id, sender, recipient, reference, total, number)
);
CREATE INDEX inbound_part_at ON inbound_part (at);
CREATE TABLE inbound_key (
  bucket smallint NOT NULL,
  carrier_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  keep_until bigint NOT NULL,
  PRIMARY KEY (bucket, carrier_id, key)
);
CREATE INDEX inbound_key_until ON inbound_key (bucket, keep_until);
CREATE TABLE opt_out (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  phone text COLLATE "C" NOT NULL,
  sender text COLLATE "C" NOT NULL,
  set_by text NOT NULL,
  at bigint NOT NULL,
  opt_out_id bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (bucket, account_id, phone, sender)
);
CREATE INDEX opt_out_of_account ON opt_out (account_id);
CREATE INDEX opt_out_in_order ON opt_out (bucket, opt_out_id);
CREATE INDEX opt_out_of_phone ON opt_out (bucket, phone, opt_out_id);
CREATE TABLE sweep_mark (
  bucket smallint NOT NULL,
  action text COLLATE "C" NOT NULL,
  days integer NOT NULL,
  msg_id bigint NOT NULL,
  furthest bigint NOT NULL,
  PRIMARY KEY (bucket, action, days)
);
CREATE TABLE sweep_skipped (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  PRIMARY KEY (bucket, msg_id)
);
CREATE TABLE link (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  code text COLLATE "C" NOT NULL,
  url text NOT NULL,
  expires_at bigint NOT NULL,
  human_clicks bigint NOT NULL,
  bot_clicks bigint NOT NULL,
  reported smallint NOT NULL,
  PRIMARY KEY (bucket, msg_id, code)
);
CREATE INDEX link_of_code ON link (code);
CREATE TABLE idempotency (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  body_hash text NOT NULL,
  draft text NOT NULL,
  outcomes text NOT NULL,
  keep_until bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, key)
);
CREATE INDEX idempotency_kept ON idempotency (bucket, keep_until);
CREATE TABLE unique_id (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  msg_id bigint NOT NULL,
  parts integer NOT NULL,
  PRIMARY KEY (bucket, account_id, client_id)
);
CREATE TABLE sms_template (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  template_id bigint NOT NULL,
  template text NOT NULL,
  PRIMARY KEY (bucket, account_id, name)
);
CREATE INDEX sms_template_in_order ON sms_template (bucket, account_id, template_id);
CREATE TABLE call_code (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  phone text COLLATE "C" NOT NULL,
  account_id bigint NOT NULL,
  code text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (bucket, msg_id)
);
CREATE INDEX call_code_of_phone ON call_code (phone, at);
CREATE INDEX call_code_kept ON call_code (bucket, at);
DO $$
DECLARE
  this_week bigint := greatest(0, floor((extract(epoch FROM clock_timestamp()) * 1000 - 1767225600000) / 604800000));
  cut record;
  index record;
  definitions text[];
  primary_key text;
BEGIN
  FOR cut IN SELECT * FROM (VALUES
    ('message', 8), ('message_text', 8), ('event', 8), ('report', 1), ('part_ref', 1)) AS cuts (name, weeks)
  LOOP
    definitions := '{}';
    primary_key := NULL;
    FOR index IN
      SELECT pg_class.relname AS name, indisprimary AS is_key, pg_get_indexdef(indexrelid) AS definition,
        pg_get_constraintdef(pg_constraint.oid) AS key
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        LEFT JOIN pg_constraint ON conindid = indexrelid AND contype = 'p'
      WHERE indrelid = cut.name::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, index.name || '_first');
      IF index.is_key THEN primary_key := index.key; ELSE definitions := definitions || index.definition; END IF;
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', cut.name, cut.name || '_first');
    EXECUTE format(
      'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (msg_id)',
      cut.name, cut.name || '_first');
    IF primary_key IS NOT NULL THEN EXECUTE format('ALTER TABLE %I ADD %s', cut.name, primary_key); END IF;
    FOR position IN 1 .. cardinality(definitions) LOOP EXECUTE definitions[position]; END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)',
      cut.name, cut.name || '_first', (this_week / cut.weeks + 1) * cut.weeks * 549755813888);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', cut.name || '_rest', cut.name);
  END LOOP;
END $$;
CREATE INDEX report_of_hook ON report (bucket, account_id, md5(split_part(address, '?', 1)), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'part_ref'::regclass LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', part);
  END LOOP;
END $$;
CREATE INDEX early_receipt_of_node ON early_receipt (node, early_receipt_id);
DO $$
   DECLARE
     part regclass;
   BEGIN
     FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'message'::regclass LOOP
       EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
     END LOOP;
   END $$;
ALTER TABLE early_receipt ADD COLUMN msg_id bigint, ADD COLUMN step integer, ADD COLUMN part integer,
   ADD COLUMN peers text;
CREATE TABLE inbound_number (
     carrier_id text COLLATE "C" NOT NULL REFERENCES carrier,
     address text COLLATE "C" NOT NULL,
     keyword text COLLATE "C" NOT NULL,
     account_id bigint NOT NULL REFERENCES account,
     hook text,
     PRIMARY KEY (carrier_id, address, keyword)
   );
   ALTER TABLE inbound_message ADD COLUMN account_id bigint, ADD COLUMN event_id bigint, ADD COLUMN facts text;
   CREATE INDEX inbound_message_of_account ON inbound_message (bucket, account_id, event_id)
     WHERE account_id IS NOT NULL;
ALTER TABLE report ADD COLUMN position bigint;
   CREATE INDEX report_of_feed ON report (bucket, account_id, position) WHERE position IS NOT NULL;
   CREATE TABLE event_feed (
     bucket smallint NOT NULL,
     account_id bigint NOT NULL,
     last bigint NOT NULL,
     acknowledged bigint NOT NULL,
     PRIMARY KEY (bucket, account_id)
   ) WITH (fillfactor = 10);
ALTER TABLE inbound_number ADD COLUMN reply text, ADD COLUMN reply_sender text;
   ALTER TABLE inbound_message ADD COLUMN reply text;
   CREATE INDEX inbound_message_to_reply ON inbound_message (inbound_id) WHERE reply = 'pending';
ALTER TABLE meta ADD COLUMN hook_revision bigint NOT NULL DEFAULT 0;
   CREATE TABLE account_hooks (
     account_id bigint PRIMARY KEY REFERENCES account,
     revision bigint NOT NULL,
     hooks text NOT NULL,
     secrets text NOT NULL
   );
   CREATE INDEX account_hooks_changed ON account_hooks (revision);
CREATE TABLE bulk (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     account_id bigint NOT NULL,
     test smallint NOT NULL,
     message text NOT NULL,
     open smallint NOT NULL,
     due_at bigint,
     kept_since bigint,
     facts text NOT NULL,
     PRIMARY KEY (bucket, bulk_id)
   ) WITH (fillfactor = 50);
   CREATE INDEX bulk_of_account ON bulk (bucket, account_id, bulk_id);
   CREATE INDEX bulk_open ON bulk (bucket, account_id) WHERE open = 1;
   CREATE INDEX bulk_due ON bulk (due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX bulk_kept ON bulk (bucket, kept_since) WHERE kept_since IS NOT NULL;
   CREATE TABLE bulk_lines (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     last_line bigint NOT NULL,
     sealed bytea NOT NULL,
     PRIMARY KEY (bucket, bulk_id, last_line)
   );
   CREATE TABLE bulk_error (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     line bigint NOT NULL,
     cause text NOT NULL,
     PRIMARY KEY (bucket, bulk_id, line)
   );
   CREATE TABLE bulk_total (
     bucket smallint NOT NULL,
     bulk_id bigint NOT NULL,
     status text COLLATE "C" NOT NULL,
     messages bigint NOT NULL,
     micros bigint NOT NULL,
     PRIMARY KEY (bucket, bulk_id, status)
   ) WITH (fillfactor = 10);
CREATE INDEX report_to_replay ON report (bucket, account_id, md5(split_part(address, '?', 1)), created_at, msg_id, number)
     WHERE state = 'failed' AND body <> '' AND position IS NULL;
DROP INDEX inbound_message_to_reply;
   CREATE INDEX inbound_message_to_reply ON inbound_message (account_id, inbound_id) WHERE reply = 'pending';
CREATE TABLE one_time_token (hash text COLLATE "C" PRIMARY KEY, expires_at bigint NOT NULL);
   CREATE INDEX one_time_token_expiry ON one_time_token (expires_at);
ALTER TABLE admin_user ADD COLUMN account_id bigint REFERENCES account;
   CREATE INDEX admin_user_of_account ON admin_user (account_id) WHERE account_id IS NOT NULL;
   CREATE INDEX audit_of_actor ON audit (actor, audit_id);
CREATE TABLE notification_target (
     name text COLLATE "C" PRIMARY KEY,
     kind text NOT NULL,
     address text,
     recipients text NOT NULL,
     secret text,
     min_severity text NOT NULL,
     kinds text,
     repeat_minutes integer,
     sent_at bigint,
     failed_at bigint,
     last_error text
   );
   CREATE TABLE alarm (
     alarm_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     kind text COLLATE "C" NOT NULL,
     subject text COLLATE "C" NOT NULL,
     severity text NOT NULL,
     state text COLLATE "C" NOT NULL,
     detail text NOT NULL,
     opened_at bigint NOT NULL,
     acknowledged_at bigint,
     acknowledged_by text,
     resolved_at bigint,
     notified_at bigint,
     seen_by text NOT NULL
   );
   CREATE TABLE notification (
     target text COLLATE "C" NOT NULL,
     alarm_id bigint NOT NULL,
     event text COLLATE "C" NOT NULL,
     at bigint NOT NULL,
     due_at bigint NOT NULL,
     tries integer NOT NULL,
     PRIMARY KEY (target, alarm_id)
   );
CREATE TABLE message_total (
     bucket smallint NOT NULL,
     level smallint NOT NULL,
     slot integer NOT NULL,
     account_id bigint NOT NULL,
     event text COLLATE "C" NOT NULL,
     channel text COLLATE "C" NOT NULL,
     carrier_id text COLLATE "C" NOT NULL,
     operator text COLLATE "C" NOT NULL,
     country text COLLATE "C" NOT NULL,
     sender text COLLATE "C" NOT NULL,
     currency text COLLATE "C" NOT NULL,
     cost_currency text COLLATE "C" NOT NULL,
     parts bigint NOT NULL,
     price_micros bigint NOT NULL,
     cost_micros bigint NOT NULL,
     messages bigint NOT NULL,
     PRIMARY KEY (bucket, level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency)
   ) WITH (fillfactor = 50);
CREATE TABLE alarm_rule (
     kind text COLLATE "C" PRIMARY KEY,
     enabled smallint NOT NULL,
     open_after_seconds integer,
     resolve_after_seconds integer,
     threshold double precision
   );
CREATE TABLE passkey (
     credential_id text COLLATE "C" PRIMARY KEY,
     "user" text COLLATE "C" NOT NULL REFERENCES admin_user,
     name text COLLATE "C" NOT NULL,
     public_key text NOT NULL,
     counter bigint NOT NULL,
     created_at bigint NOT NULL,
     last_used_at bigint,
     UNIQUE ("user", name)
   );
ALTER TABLE one_time_token ADD COLUMN "user" text COLLATE "C";
   CREATE INDEX one_time_token_of_user ON one_time_token ("user") WHERE "user" IS NOT NULL;
ALTER TABLE report ADD COLUMN try_log text;
ALTER TABLE node ADD COLUMN version text NOT NULL DEFAULT '';
CREATE INDEX message_of_account ON message (bucket, account_id, msg_id);
CREATE TABLE link_total (
     bucket smallint NOT NULL,
     account_id bigint NOT NULL,
     day integer NOT NULL,
     bulk_id bigint NOT NULL,
     target text COLLATE "C" NOT NULL,
     address text NOT NULL,
     human_clicks bigint NOT NULL,
     bot_clicks bigint NOT NULL,
     links bigint NOT NULL,
     first_at bigint NOT NULL,
     last_at bigint NOT NULL,
     PRIMARY KEY (bucket, account_id, day, bulk_id, target)
   );
   CREATE INDEX link_total_of_day ON link_total (day, account_id, bulk_id, target);
   CREATE INDEX link_total_kept ON link_total (bucket, day);
ALTER TABLE stopped_hook ADD COLUMN test smallint NOT NULL DEFAULT 0;
INSERT INTO message_total (bucket, level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency, parts, price_micros, cost_micros, messages)
  SELECT 0, level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency, sum(parts)::bigint, sum(price_micros)::bigint, sum(cost_micros)::bigint, sum(messages)::bigint FROM message_total WHERE bucket <> 0 AND level IN (3, 4) GROUP BY level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency
  ON CONFLICT (bucket, level, slot, account_id, event, channel, carrier_id, operator, country, sender, currency, cost_currency) DO UPDATE SET parts = message_total.parts + excluded.parts, price_micros = message_total.price_micros + excluded.price_micros, cost_micros = message_total.cost_micros + excluded.cost_micros, messages = message_total.messages + excluded.messages;
DELETE FROM message_total WHERE bucket <> 0 AND level IN (3, 4);
