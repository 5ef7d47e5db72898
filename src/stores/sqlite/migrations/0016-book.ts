/**
 * The book: credit limits, who posted and why, what charges were for, monthly totals, months that are closed, and costs by
 * operator in currencies of their own. It only adds: of charges from before it is not known what they were for.
 */
export const BOOK = `
-- SQLite cannot add a check in place.
CREATE TABLE wider_pots (
  account_id INTEGER PRIMARY KEY REFERENCES account,
  paid INTEGER NOT NULL,
  available INTEGER NOT NULL,
  held INTEGER NOT NULL CHECK (held >= 0),
  earned INTEGER NOT NULL,
  credit_limit INTEGER NOT NULL CHECK (credit_limit >= 0),
  low_balance INTEGER, -- available below this is reported; NULL for never
  low_told INTEGER NOT NULL, -- 1: it was reported, and has not risen above since
  CHECK (available >= -credit_limit),
  CHECK (paid + available + held + earned = 0)
) STRICT;
INSERT INTO wider_pots SELECT account_id, paid, available, held, earned, 0, NULL, 0 FROM pots;
DROP TABLE pots;
ALTER TABLE wider_pots RENAME TO pots;

-- Of what a person posted.
ALTER TABLE posting ADD COLUMN made_by TEXT;
ALTER TABLE posting ADD COLUMN note TEXT;
CREATE INDEX posting_of_person ON posting (account_id, at) WHERE msg_id IS NULL;
-- Of charges.
ALTER TABLE posting ADD COLUMN channel TEXT;
ALTER TABLE posting ADD COLUMN operator TEXT;
ALTER TABLE posting ADD COLUMN parts INTEGER;
ALTER TABLE posting ADD COLUMN carrier_id TEXT;
ALTER TABLE posting ADD COLUMN cost_micros INTEGER;
ALTER TABLE posting ADD COLUMN cost_currency TEXT;
CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN
  SELECT RAISE(ABORT, 'a posting is never changed');
END;
CREATE TRIGGER posting_remains BEFORE DELETE ON posting BEGIN
  SELECT RAISE(ABORT, 'a posting is never removed');
END;

-- What people posted and what was charged, summed up in the transaction of the postings. Empty texts are not known.
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
INSERT INTO posting_total
  SELECT account_id, CAST(strftime('%Y%m', at / 1000, 'unixepoch') AS INTEGER), kind, '', '', '', '',
    count(*), 0, sum(amount_micros), 0
  FROM posting WHERE kind IN ('top-up', 'charge') GROUP BY 1, 2, 3;

-- What a month came to when it was closed. No posting is booked before books_from any more.
CREATE TABLE closed_month (
  account_id INTEGER NOT NULL,
  month INTEGER NOT NULL,
  closing_micros INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
ALTER TABLE meta ADD COLUMN books_from INTEGER NOT NULL DEFAULT 0;

CREATE TABLE wider_cost (
  carrier_id TEXT NOT NULL REFERENCES carrier,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty for every operator
  price_micros INTEGER NOT NULL,
  currency TEXT, -- NULL for that of the installation
  PRIMARY KEY (carrier_id, prefix, operator)
) STRICT, WITHOUT ROWID;
INSERT INTO wider_cost SELECT carrier_id, prefix, '', price_micros, NULL FROM cost;
DROP TABLE cost;
ALTER TABLE wider_cost RENAME TO cost;
`
