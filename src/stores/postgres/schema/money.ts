/**
 * Balances, postings and counters. Like all tables that grow with traffic they begin with `bucket`: that of the
 * account, of the message (domain/ids/message-id.ts), or of a carrier's id (bucket-of.ts). It is the distribution
 * column on
 * Citus. The checks are the last line of defence: no statement should ever violate them.
 */
export const MONEY_TABLES = `
-- The four balances of an account, which sum to zero. Its postings are numbered without gaps, and counted here.
CREATE TABLE account_balance (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  paid bigint NOT NULL,
  available bigint NOT NULL,
  held bigint NOT NULL CONSTRAINT held_is_not_negative CHECK (held >= 0),
  earned bigint NOT NULL,
  postings bigint NOT NULL,
  credit_limit bigint NOT NULL CONSTRAINT credit_limit_is_not_negative CHECK (credit_limit >= 0),
  low_balance bigint, -- reported if the available balance falls below it; NULL for never
  low_reported smallint NOT NULL, -- 1: it was reported, and has not risen above since
  PRIMARY KEY (bucket, account_id),
  CONSTRAINT available_is_within_credit CHECK (available >= -credit_limit),
  CONSTRAINT balances_add_up CHECK (paid + available + held + earned = 0)
) WITH (fillfactor = 10);
CREATE TABLE posting (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  posting_id bigint NOT NULL,
  msg_id bigint, -- NULL for a payment
  kind text NOT NULL,
  amount_micros bigint NOT NULL CHECK (amount_micros > 0),
  at bigint NOT NULL,
  -- Of payments.
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
CREATE INDEX posting_of_payment ON posting (bucket, account_id, at) WHERE msg_id IS NULL;
CREATE FUNCTION refuse_to_change_postings() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'a posting is never changed and never removed'; END $$;
CREATE TRIGGER posting_stays BEFORE UPDATE OR DELETE ON posting
  FOR EACH ROW EXECUTE FUNCTION refuse_to_change_postings();

-- Payments and charges, summed up in the transaction of the postings. Unknown texts are empty.
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

-- The totals of closed months.
CREATE TABLE closed_month (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  month integer NOT NULL,
  closing_micros bigint NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (bucket, account_id, month)
);

-- Usage of limits by time slot: in the bucket of the account, or of the key for limits of all accounts combined.
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

-- Outcomes of calls and verifications, summed up by day.
CREATE TABLE call_total (
  bucket smallint NOT NULL,
  account_id bigint NOT NULL,
  day integer NOT NULL, -- since 1970, UTC
  carrier_id text COLLATE "C" NOT NULL,
  operator text COLLATE "C" NOT NULL, -- empty if unknown
  outcome text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  ring_ms bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, day, carrier_id, operator, outcome)
) WITH (fillfactor = 50);
CREATE INDEX call_total_of_day ON call_total (day);
CREATE INDEX call_total_kept ON call_total (bucket, day);
`
