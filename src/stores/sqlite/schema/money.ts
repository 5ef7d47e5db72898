/** Balances, postings and counters. The checks are the last line of defence: no statement should ever violate them. */
export const MONEY_TABLES = `
-- The four balances of an account, which sum to zero.
CREATE TABLE account_balance (
  account_id INTEGER PRIMARY KEY REFERENCES account,
  paid INTEGER NOT NULL,
  available INTEGER NOT NULL,
  held INTEGER NOT NULL CHECK (held >= 0),
  earned INTEGER NOT NULL,
  credit_limit INTEGER NOT NULL CHECK (credit_limit >= 0),
  low_balance INTEGER, -- reported if the available balance falls below it; NULL for never
  low_reported INTEGER NOT NULL, -- 1: it was reported, and has not risen above since
  CHECK (available >= -credit_limit),
  CHECK (paid + available + held + earned = 0)
) STRICT;

-- Never updated and never deleted.
CREATE TABLE posting (
  posting_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  msg_id INTEGER, -- NULL for a payment
  kind TEXT NOT NULL,
  amount_micros INTEGER NOT NULL CHECK (amount_micros > 0),
  at INTEGER NOT NULL,
  made_by TEXT, -- of payments, as note is
  note TEXT,
  channel TEXT, -- of charges, as all that follow are
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

-- Payments and charges, summed up in the transaction of the postings. Unknown texts are empty.
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

-- The totals of closed months.
CREATE TABLE closed_month (
  account_id INTEGER NOT NULL,
  month INTEGER NOT NULL,
  closing_micros INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- Usage of limits by time slot.
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

-- Outcomes of calls and verifications, summed up by day.
CREATE TABLE call_total (
  account_id INTEGER NOT NULL,
  day INTEGER NOT NULL, -- since 1970, UTC
  carrier_id TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty if unknown
  outcome TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ring_ms INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, carrier_id, operator, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_total_of_day ON call_total (day);
`
