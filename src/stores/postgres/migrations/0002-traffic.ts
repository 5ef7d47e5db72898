/**
 * What grows with traffic. All of it begins with its `bucket`: that of its account, and of its message
 * (domain/message-id.ts), or of a carrier's id (bucket-of.ts). Distributed by that column, it works on Citus as it is.
 */
export const TRAFFIC = `
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
`
