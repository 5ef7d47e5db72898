/** The guards: settings and lists, opt-outs, what is counted for limits, and traffic with its alarms. It only adds. */
export const GUARDS = `
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
`
