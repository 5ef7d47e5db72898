-- The tables as the migrations up to 6 of earlier builds made them.

-- 1
-- One row: the revision of the directory and that of its prices, the key that seals by its name, and a sealed secret by
-- which phones are told apart without being kept.
CREATE TABLE meta (
  one smallint PRIMARY KEY CHECK (one = 1),
  revision bigint NOT NULL,
  price_revision bigint NOT NULL,
  sealing_key text NOT NULL,
  phone_secret text NOT NULL,
  books_from bigint NOT NULL -- no posting is booked before that any more
) WITH (fillfactor = 10);
INSERT INTO meta VALUES (1, 1, 1, '', '', 0);

-- One row: the next message counter. Apart, for whoever changes the set-up holds the row of meta and may need a counter.
CREATE TABLE message_counter (
  one smallint PRIMARY KEY CHECK (one = 1),
  next bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO message_counter VALUES (1, 1);

-- Every opening of the database has a number of its own, which never comes again. A node that lives beats.
CREATE SEQUENCE node_number AS integer;
CREATE TABLE node (
  node integer PRIMARY KEY,
  beat bigint NOT NULL,
  delivers smallint NOT NULL
) WITH (fillfactor = 10);

-- What a node may write in a bucket hangs on its row here: every transaction changes it first. Whoever takes over from a
-- node deletes its rows first, and so waits for what it has under way and ends what it would begin. Whoever changes the key
-- that seals, or closes a month, changes all of these rows, so that no transaction goes by what was before.
CREATE TABLE lease (
  bucket smallint NOT NULL,
  node integer NOT NULL,
  batch bigint NOT NULL, -- the last one that was written here
  sealing_key text NOT NULL,
  books_from bigint NOT NULL,
  swept_to bigint NOT NULL, -- the message up to which sweeping has gone through the bucket
  PRIMARY KEY (bucket, node)
) WITH (fillfactor = 10);

-- The directory.
CREATE TABLE account (
  account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  currency text NOT NULL,
  state text NOT NULL,
  hook_secrets text NOT NULL, -- sealed JSON
  settings text NOT NULL,
  old_secrets_until bigint -- NULL for as long as they are there
);
CREATE TABLE api_key (
  hash text COLLATE "C" PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account,
  name text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  scopes text NOT NULL,
  test smallint NOT NULL,
  expires_at bigint, -- NULL for never
  last_used_at bigint -- NULL while it was not used
);
CREATE TABLE sender (
  account_id bigint NOT NULL REFERENCES account,
  channel text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  approved smallint NOT NULL,
  details text, -- JSON of state, reason, countries, ids
  PRIMARY KEY (account_id, channel, name)
);
CREATE TABLE price (
  account_id bigint NOT NULL, -- 0 for every account
  currency text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL, -- empty for every operator
  valid_from bigint NOT NULL, -- 0 for ever before
  valid_until bigint, -- NULL for ever after
  price_micros bigint NOT NULL CHECK (price_micros >= 0),
  PRIMARY KEY (account_id, currency, channel, prefix, operator, valid_from),
  CHECK (valid_until > valid_from)
);
CREATE TABLE carrier (
  carrier_id text COLLATE "C" PRIMARY KEY,
  channel text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  settings text NOT NULL, -- sealed JSON
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
  account_id bigint NOT NULL, -- 0 for every account
  sender text COLLATE "C" NOT NULL, -- empty for every sender
  operators text, -- NULL for all
  priority integer NOT NULL,
  weight integer NOT NULL,
  pool_id text COLLATE "C" REFERENCES pool,
  ring_seconds double precision, -- NULL for as long as the carrier is set to
  PRIMARY KEY (channel, prefix, carrier_id, account_id, sender)
);
CREATE TABLE cost (
  carrier_id text COLLATE "C" NOT NULL REFERENCES carrier,
  prefix text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL, -- empty for every operator
  price_micros bigint NOT NULL,
  currency text, -- NULL for that of the installation
  PRIMARY KEY (carrier_id, prefix, operator)
);
-- One row: the table of operators is only ever read and replaced whole.
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
  carrier_id text -- NULL when an operator noted it by hand
);
CREATE TABLE stopped_hook (
  account_id bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, address)
);
-- One row.
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
  account_id bigint NOT NULL, -- 0 for all accounts
  kind text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  raised_at bigint NOT NULL,
  seen double precision NOT NULL,
  usual double precision NOT NULL,
  state text NOT NULL,
  until bigint, -- NULL until an operator says something else
  PRIMARY KEY (account_id, kind, prefix)
);
CREATE TABLE admin_user (
  name text COLLATE "C" PRIMARY KEY,
  role text NOT NULL,
  state text NOT NULL,
  password_hash text, -- NULL without a password
  totp_secret text -- sealed JSON
);
CREATE TABLE admin_token (
  hash text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" NOT NULL REFERENCES admin_user,
  label text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint, -- NULL for ever
  UNIQUE ("user", label)
);

-- Appended, never edited.
CREATE TABLE audit (
  audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  via text NOT NULL,
  deed text NOT NULL,
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
  answer text, -- sealed; NULL until it is kept
  keep_until bigint NOT NULL,
  PRIMARY KEY (actor, key)
);
CREATE INDEX admin_request_kept ON admin_request (keep_until);

-- Traffic to prefixes and its pattern.
CREATE TABLE traffic (
  account_id bigint NOT NULL, -- 0 for all accounts
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

-- 2
-- Money. The checks are the last line of defence: no statement may ever meet them. The postings of an account are
-- numbered without a gap, and the pots know how many there are.
CREATE TABLE pots (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  paid bigint NOT NULL,
  available bigint NOT NULL,
  held bigint NOT NULL CHECK (held >= 0),
  earned bigint NOT NULL,
  postings bigint NOT NULL,
  credit_limit bigint NOT NULL CHECK (credit_limit >= 0),
  low_balance bigint, -- available below this is reported; NULL for never
  low_told smallint NOT NULL, -- 1: it was reported, and has not risen above since
  PRIMARY KEY (bucket, account_id),
  CHECK (available >= -credit_limit),
  CHECK (paid + available + held + earned = 0)
) WITH (fillfactor = 10);
CREATE TABLE posting (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  posting_id bigint NOT NULL,
  msg_id bigint, -- NULL for what a person posted
  kind text NOT NULL,
  amount_micros bigint NOT NULL CHECK (amount_micros > 0),
  at bigint NOT NULL,
  -- Of what a person posted.
  made_by text,
  note text,
  -- Of charges.
  channel text,
  operator text,
  parts integer,
  carrier_id text,
  cost_micros bigint,
  cost_currency text,
  PRIMARY KEY (bucket, account_id, posting_id)
);
CREATE INDEX posting_of_message ON posting (bucket, msg_id) WHERE msg_id IS NOT NULL;
CREATE INDEX posting_of_person ON posting (bucket, account_id, at) WHERE msg_id IS NULL;
CREATE FUNCTION refuse_to_change_postings() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'a posting is never changed and never removed'; END $$;
CREATE TRIGGER posting_stays BEFORE UPDATE OR DELETE ON posting
  FOR EACH ROW EXECUTE FUNCTION refuse_to_change_postings();

-- What people posted and what was charged, summed up in the transaction of the postings. Empty texts are not known.
CREATE TABLE posting_total (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  month integer NOT NULL, -- 202611 is November 2026, UTC
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

-- What a month came to when it was closed.
CREATE TABLE closed_month (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  month integer NOT NULL,
  closing_micros bigint NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (bucket, account_id, month)
);

-- What was used of limits, in slots of time: in the bucket of the account, or of the key where it is of all accounts.
CREATE TABLE usage (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL, -- 0 for all accounts
  key text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  messages bigint NOT NULL,
  micros bigint NOT NULL,
  keep_until bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, key, slot)
);
CREATE INDEX usage_kept ON usage (bucket, keep_until);

-- Messages. Version, status and journey change with every turn, the others never; room is left for a turn to stay on its
-- page.
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
-- What the steps of a message carry: a sealed JSON list, one for each step.
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

-- Open messages. Node 0: waits for due_at. Any other: held by that node, and then due_at says nothing.
CREATE TABLE due (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  node integer NOT NULL,
  channel text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL,
  PRIMARY KEY (bucket, msg_id)
);
CREATE INDEX due_waiting ON due (bucket, channel, due_at) WHERE node = 0;
CREATE INDEX due_held ON due (node) WHERE node <> 0;

-- Reports. due_at is NULL behind an unsettled one of the same message.
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
  PRIMARY KEY (bucket, msg_id, number)
);
CREATE INDEX report_pending ON report (bucket, account_id) WHERE state = 'pending';
CREATE INDEX report_waiting ON report (bucket, due_at) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
CREATE INDEX report_held ON report (node) WHERE state = 'pending' AND node <> 0;
CREATE INDEX report_failed ON report (bucket, msg_id) WHERE state = 'failed';

-- Receipts. Carriers' ids stand in the bucket of their message, so that a turn is written in one place; they are found in
-- all buckets at once, by an index that does not begin with it. An id that a carrier gives out anew stands here twice.
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
-- Receipts that came before their id was known, in buckets of their own. One that was handed to a node stays, with the
-- node's number, until it is swept: the node may vanish before it has recorded it.
CREATE TABLE parked_receipt (
  bucket smallint NOT NULL, -- of the carrier's id
  carrier_id text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  detail text NOT NULL,
  parked_id bigint GENERATED ALWAYS AS IDENTITY,
  at bigint NOT NULL,
  node integer NOT NULL,
  PRIMARY KEY (bucket, carrier_id, ref, outcome)
);
CREATE INDEX parked_receipt_kept ON parked_receipt (bucket, at);

-- What people write to our numbers, in the bucket of the carrier that brings it. Parts wait for the others of their
-- message, and what a carrier may bring again is known.
CREATE TABLE inbound_message (
  bucket smallint NOT NULL,
  inbound_id bigint GENERATED ALWAYS AS IDENTITY,
  carrier_id text NOT NULL,
  sender text NOT NULL,
  recipient text NOT NULL,
  text text NOT NULL, -- sealed
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
  text text NOT NULL, -- sealed JSON
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

-- Who does not want messages of an account any more.
CREATE TABLE opt_out (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  phone text COLLATE "C" NOT NULL,
  sender text COLLATE "C" NOT NULL, -- empty for all of the account
  set_by text NOT NULL,
  at bigint NOT NULL,
  opt_out_id bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (bucket, account_id, phone, sender)
);
CREATE INDEX opt_out_of_account ON opt_out (account_id);
CREATE INDEX opt_out_in_order ON opt_out (bucket, opt_out_id);
CREATE INDEX opt_out_of_phone ON opt_out (bucket, phone, opt_out_id);

-- How far sweeping has come. Messages up to this one were gone through for this deed, on behalf of those who keep things
-- for so many days. It goes back to the beginning when somebody begins to keep them for so long only; furthest does not.
CREATE TABLE sweep_mark (
  bucket smallint NOT NULL,
  deed text COLLATE "C" NOT NULL,
  days integer NOT NULL,
  msg_id bigint NOT NULL,
  furthest bigint NOT NULL,
  PRIMARY KEY (bucket, deed, days)
);
-- Messages that a mark had passed while they were open, or a report of theirs was pending, and that are so no more.
CREATE TABLE sweep_left (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  PRIMARY KEY (bucket, msg_id)
);

-- Short links.
CREATE TABLE link (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  code text COLLATE "C" NOT NULL,
  url text NOT NULL, -- sealed
  expires_at bigint NOT NULL,
  people bigint NOT NULL,
  robots bigint NOT NULL,
  told smallint NOT NULL,
  PRIMARY KEY (bucket, msg_id, code)
);
CREATE INDEX link_of_code ON link (code);

-- What became of calls, added up by day.
CREATE TABLE call_total (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  day integer NOT NULL, -- since 1970, UTC
  carrier_id text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL, -- empty when nobody knew it
  outcome text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  ring_ms bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, day, carrier_id, operator, outcome)
) WITH (fillfactor = 50);
CREATE INDEX call_total_of_day ON call_total (day);
CREATE INDEX call_total_kept ON call_total (bucket, day);

-- What must not happen twice.
CREATE TABLE idempotency (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  body_hash text NOT NULL,
  draft text NOT NULL, -- sealed, as the outcomes are
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
  template text NOT NULL, -- sealed
  PRIMARY KEY (bucket, account_id, name)
);
CREATE INDEX sms_template_in_order ON sms_template (bucket, account_id, template_id);
-- Codes that phones were given by calls, in the bucket of the message and found by the phone in all of them.
CREATE TABLE call_code (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  phone text COLLATE "C" NOT NULL, -- as apart-from-tests.ts has it, as client_id of unique_id is
  account_id bigint NOT NULL,
  code text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (bucket, msg_id)
);
CREATE INDEX call_code_of_phone ON call_code (phone, at);
CREATE INDEX call_code_kept ON call_code (bucket, at);

-- 3
CREATE TABLE carrier_seat (
  carrier_id text COLLATE "C" NOT NULL,
  seat integer NOT NULL,
  node integer NOT NULL,
  PRIMARY KEY (carrier_id, seat)
);

-- 4
ALTER TABLE node ADD COLUMN name text NOT NULL DEFAULT '',
  ADD COLUMN role text NOT NULL DEFAULT 'all',
  ADD COLUMN started_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN beat_at bigint NOT NULL DEFAULT 0;

-- 5
-- One row at most: nobody works here while it is there.
CREATE TABLE moving (
  one smallint PRIMARY KEY CHECK (one = 1),
  move_id text NOT NULL, -- the same in both databases
  direction text NOT NULL, -- in or out
  other text NOT NULL, -- from where or to where, for people
  place text NOT NULL -- JSON: how far it has come, where it is on its way in
);

-- 6
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
