/** Messages and their rows, inbound messages, and keys that prevent duplicates. */
export const MESSAGE_TABLES = `
-- Messages. Version, status and journey change with every turn, the others never; the fill factor keeps updates on their
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
-- The contents of a message: a sealed JSON list, one for each step.
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

-- Open messages. Node 0: waits for due_at. Any other: held by that node; due_at is unused.
CREATE TABLE due (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  node integer NOT NULL,
  channel text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL,
  tenant bigint NOT NULL DEFAULT 0, -- 0 waits for due_at; any other stands in a queue
  PRIMARY KEY (bucket, msg_id)
);
CREATE INDEX due_waiting ON due (bucket, due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (bucket, channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
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
  ends_at bigint, -- NULL: the default lifetime after its creation
  parked smallint NOT NULL DEFAULT 0, -- 1: waits for its hook alone
  PRIMARY KEY (bucket, msg_id, number)
);
CREATE INDEX report_pending ON report (bucket, account_id) WHERE state = 'pending';
CREATE INDEX report_waiting ON report (bucket, due_at) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
CREATE INDEX report_held ON report (node) WHERE state = 'pending' AND node <> 0;
CREATE INDEX report_failed ON report (bucket, msg_id) WHERE state = 'failed';

-- Receipts. Carriers' ids are in the bucket of their message, so that a turn is written in one bucket; look-ups search all
-- buckets by an index that does not begin with it. An id that a carrier reuses is here twice.
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
-- Receipts that arrived before their id was known, in buckets by id. One assigned to a message stays, with the node's
-- number, until it is swept: the node may crash before recording it. It matches no other message.
CREATE TABLE early_receipt (
  bucket smallint NOT NULL, -- of the carrier's id
  carrier_id text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  detail text NOT NULL,
  early_receipt_id bigint GENERATED ALWAYS AS IDENTITY,
  at bigint NOT NULL,
  node integer NOT NULL,
  category text, -- NULL if the carrier does not report it
  PRIMARY KEY (bucket, carrier_id, ref, outcome)
);
CREATE INDEX early_receipt_kept ON early_receipt (bucket, at);

-- Inbound messages, in the bucket of their account, or of their carrier if they have none. Parts wait for the others of their message; keys detect repeats.
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

-- Opt-outs.
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

-- Progress of sweeping: messages up to this one were visited for this action and retention period. It is reset when another
-- account begins to use the period; furthest is not.
CREATE TABLE sweep_mark (
  bucket smallint NOT NULL,
  action text COLLATE "C" NOT NULL,
  days integer NOT NULL,
  msg_id bigint NOT NULL,
  furthest bigint NOT NULL,
  PRIMARY KEY (bucket, action, days)
);
-- Messages that a mark skipped because they were open or had a report pending, and that no longer are.
CREATE TABLE sweep_skipped (
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
  human_clicks bigint NOT NULL,
  bot_clicks bigint NOT NULL,
  reported smallint NOT NULL, -- 1: a report of a click was written
  PRIMARY KEY (bucket, msg_id, code)
);
CREATE INDEX link_of_code ON link (code);

-- Keys that prevent duplicates.
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
-- Codes that phones got by calls, in the bucket of the message; look-ups by phone search all buckets.
CREATE TABLE call_code (
  bucket smallint NOT NULL,
  msg_id bigint NOT NULL,
  phone text COLLATE "C" NOT NULL, -- as in apart-from-tests.ts, like client_id of unique_id
  account_id bigint NOT NULL,
  code text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (bucket, msg_id)
);
CREATE INDEX call_code_of_phone ON call_code (phone, at);
CREATE INDEX call_code_kept ON call_code (bucket, at);
`
