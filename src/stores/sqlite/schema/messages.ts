/** Messages and their rows, inbound messages, and keys that prevent duplicates. */
export const MESSAGE_TABLES = `
-- Version, status and journey change with every turn, the others never.
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

-- The contents of a message: a sealed JSON list, one for each step.
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

-- Open messages. Node 0: waits for due_at. Any other: held by that node; due_at is unused.
CREATE TABLE due (
  msg_id INTEGER PRIMARY KEY,
  node INTEGER NOT NULL,
  channel TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  tenant INTEGER NOT NULL DEFAULT 0 -- 0 waits for due_at; any other stands in a queue
) STRICT;
CREATE INDEX due_waiting ON due (due_at) WHERE node = 0;
CREATE INDEX due_queued ON due (channel, tenant, due_at) WHERE node = 0 AND tenant > 0;
CREATE INDEX due_held ON due (node) WHERE node <> 0;

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
  ends_at INTEGER, -- NULL: the default lifetime after its creation
  parked INTEGER NOT NULL DEFAULT 0, -- 1: waits for its hook alone
  PRIMARY KEY (msg_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX report_pending ON report (account_id) WHERE state = 'pending';
CREATE INDEX report_waiting ON report (due_at) WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;
CREATE INDEX report_failed ON report (account_id) WHERE state = 'failed';
CREATE INDEX report_failed_of_message ON report (msg_id) WHERE state = 'failed';
CREATE INDEX report_of_hook ON report (account_id, substr(address, 1, instr(address || '?', '?') - 1), msg_id)
  WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL;

-- The part of each carrier id.
CREATE TABLE part_ref (
  carrier_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  msg_id INTEGER NOT NULL,
  step INTEGER NOT NULL,
  part INTEGER NOT NULL,
  PRIMARY KEY (carrier_id, ref)
) STRICT, WITHOUT ROWID;
CREATE INDEX part_ref_of_message ON part_ref (msg_id);

-- Receipts that arrived before their id was known. One assigned to a message stays, with the node's number, until it is
-- swept: the node may crash before recording it. It matches no other message.
CREATE TABLE early_receipt (
  early_receipt_id INTEGER PRIMARY KEY,
  carrier_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  node INTEGER NOT NULL,
  category TEXT -- NULL if the carrier does not report it
) STRICT;
CREATE UNIQUE INDEX early_receipt_once ON early_receipt (carrier_id, ref, outcome);
CREATE INDEX early_receipt_kept ON early_receipt (at);

-- Short links.
CREATE TABLE link (
  code TEXT PRIMARY KEY,
  msg_id INTEGER NOT NULL,
  url TEXT NOT NULL, -- sealed
  expires_at INTEGER NOT NULL,
  human_clicks INTEGER NOT NULL,
  bot_clicks INTEGER NOT NULL,
  reported INTEGER NOT NULL -- 1: a report of a click was written
) STRICT, WITHOUT ROWID;
CREATE INDEX link_of_message ON link (msg_id);

-- Inbound messages. Parts wait for the others of their message; keys detect repeats.
CREATE TABLE inbound_message (
  inbound_id INTEGER PRIMARY KEY,
  carrier_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  text TEXT NOT NULL, -- sealed
  at INTEGER NOT NULL
) STRICT;
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

-- Opt-outs.
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

-- Progress of sweeping: messages up to this one were visited for this action and retention period. It is reset when another
-- account begins to use the period; furthest is not.
CREATE TABLE sweep_mark (
  action TEXT NOT NULL,
  days INTEGER NOT NULL,
  msg_id INTEGER NOT NULL,
  furthest INTEGER NOT NULL,
  PRIMARY KEY (action, days)
) STRICT, WITHOUT ROWID;

-- Messages that a mark skipped because they were open or had a report pending, and that no longer are.
CREATE TABLE sweep_skipped (
  msg_id INTEGER PRIMARY KEY
) STRICT;

-- Keys that prevent duplicates.
CREATE TABLE idempotency (
  account_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  draft TEXT NOT NULL, -- sealed, as the outcomes are
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

-- Codes that phones got by calls.
CREATE TABLE call_code (
  msg_id INTEGER PRIMARY KEY,
  phone TEXT NOT NULL, -- as in apart-from-tests.ts, like client_id of unique_id
  account_id INTEGER NOT NULL,
  code TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX call_code_of_phone ON call_code (phone, at);
CREATE INDEX call_code_kept ON call_code (at);
`
