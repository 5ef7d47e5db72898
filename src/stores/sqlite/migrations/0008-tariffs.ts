/**
 * Prices by operator and with validity dates, and the operator on messages. It only adds: prices from before are for
 * every operator and at all times, and of messages from before the operator is not known.
 */
export const TARIFFS = `
-- SQLite cannot widen a primary key in place.
CREATE TABLE dated_price (
  account_id INTEGER NOT NULL, -- 0 for every account
  currency TEXT NOT NULL,
  channel TEXT NOT NULL,
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty for every operator
  valid_from INTEGER NOT NULL, -- 0 for ever before
  valid_until INTEGER, -- NULL for ever after
  price_micros INTEGER NOT NULL CHECK (price_micros >= 0),
  PRIMARY KEY (account_id, currency, channel, prefix, operator, valid_from),
  CHECK (valid_until > valid_from)
) STRICT, WITHOUT ROWID;
INSERT INTO dated_price
  SELECT account_id, currency, channel, prefix, '', 0, NULL, price_micros FROM price;
DROP TABLE price;
ALTER TABLE dated_price RENAME TO price;

-- Grows with every change of a price: whoever has the prices of this revision need not read them again.
ALTER TABLE meta ADD COLUMN price_revision INTEGER NOT NULL DEFAULT 1;

ALTER TABLE message ADD COLUMN operator TEXT;
`
