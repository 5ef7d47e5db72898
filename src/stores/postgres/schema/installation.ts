/**
 * Nodes, configuration and admin users, which every server of a cluster has in full. Times are milliseconds since 1970,
 * money is micros, lists and trees are JSON stored as text, booleans are 0 and 1. Texts are compared bytewise, whatever
 * the locale of the server.
 */
export const INSTALLATION_TABLES = `
-- One row: the revision of the directory and that of its prices, the name of the sealing key, and the sealed secret that
-- hashes the phones of erased recipients.
CREATE TABLE meta (
  one smallint PRIMARY KEY CHECK (one = 1),
  revision bigint NOT NULL,
  price_revision bigint NOT NULL,
  sealing_key text NOT NULL,
  phone_secret text NOT NULL,
  books_from bigint NOT NULL -- no posting is dated earlier
) WITH (fillfactor = 10);
INSERT INTO meta VALUES (1, 1, 1, '', '', 0);

-- One row: the next message counter. Separate, because a configuration change locks the row of meta and may need a counter.
CREATE TABLE message_counter (
  one smallint PRIMARY KEY CHECK (one = 1),
  next bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO message_counter VALUES (1, 1);

-- Every opening of the database gets its own number, which is never reused. A running node increments its heartbeat.
-- Times are the database's own, because clocks of nodes are not compared.
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

-- The right to write in a bucket: every transaction of a node updates its row here first. A node that takes over deletes the
-- rows of the dead node, which waits for its transactions in progress and blocks later ones. A change of the sealing key, or
-- the closing of a month, updates all rows, so that no transaction uses the previous state.
CREATE TABLE lease (
  bucket smallint NOT NULL,
  node integer NOT NULL,
  batch bigint NOT NULL, -- the last one written here
  sealing_key text NOT NULL,
  books_from bigint NOT NULL,
  swept_to bigint NOT NULL, -- the message up to which the bucket was swept
  PRIMARY KEY (bucket, node)
) WITH (fillfactor = 10);

-- Which node holds which slot of the carriers that limit an installation's connections or messages a second.
CREATE TABLE carrier_slot (
  carrier_id text COLLATE "C" NOT NULL,
  slot integer NOT NULL,
  node integer NOT NULL,
  PRIMARY KEY (carrier_id, slot)
);

-- One row at most: no gateway works here while it is there (posthorn move).
CREATE TABLE moving (
  one smallint PRIMARY KEY CHECK (one = 1),
  move_id text NOT NULL, -- the same in both databases
  direction text NOT NULL, -- in or out
  other text NOT NULL, -- source or target, for messages to operators
  place text NOT NULL -- JSON: the progress, of a move in
);

-- When a gateway last found that the database had gone back in time (acknowledged.ts).
CREATE TABLE rewind (
  id smallint PRIMARY KEY CHECK (id = 1),
  at bigint NOT NULL -- milliseconds, by the clock of the database
);

-- The directory.
CREATE TABLE account (
  account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  currency text NOT NULL,
  state text NOT NULL,
  hook_secrets text NOT NULL, -- sealed JSON
  settings text NOT NULL,
  old_secrets_until bigint -- NULL for no end
);
CREATE TABLE api_key (
  hash text COLLATE "C" PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account,
  name text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  scopes text NOT NULL,
  test smallint NOT NULL,
  expires_at bigint, -- NULL for never
  last_used_at bigint -- NULL if never used
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
  valid_from bigint NOT NULL, -- 0 for no beginning
  valid_until bigint, -- NULL for no end
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
  ring_seconds double precision, -- NULL for the carrier's setting
  PRIMARY KEY (channel, prefix, carrier_id, account_id, sender)
);
CREATE TABLE cost (
  carrier_id text COLLATE "C" NOT NULL REFERENCES carrier,
  prefix text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL, -- empty for every operator
  price_micros bigint NOT NULL,
  currency text, -- NULL for the installation's
  category text COLLATE "C" NOT NULL DEFAULT '', -- empty for every category
  PRIMARY KEY (carrier_id, category, prefix, operator)
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
  carrier_id text -- NULL if an operator added it
);
-- Hooks that answered 410. An address may be too long for an index.
CREATE TABLE stopped_hook (
  account_id bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  hash text COLLATE "C" GENERATED ALWAYS AS (md5(address)) STORED,
  stopped smallint NOT NULL DEFAULT 1, -- 0: it was resumed
  changed_at bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, hash)
);
CREATE INDEX stopped_hook_changed ON stopped_hook (changed_at);
CREATE INDEX stopped_hook_of_account ON stopped_hook (account_id, changed_at);
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
  until bigint, -- NULL until an operator changes it
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
  expires_at bigint, -- NULL for no end
  proved_at bigint, -- NULL for a token that an owner issued
  UNIQUE ("user", label)
);
-- Failed logins. Bounded: a row for each user, and for unknown names and addresses a number of shared ones.
CREATE TABLE login_tally (
  name text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  until bigint NOT NULL,
  code_step bigint NOT NULL DEFAULT -1 -- of the last one-time code that was used
);

-- Append-only.
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
  answer text, -- sealed; NULL until it is known
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
`
