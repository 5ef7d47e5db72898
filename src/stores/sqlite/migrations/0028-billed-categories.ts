/** What carriers bill a part as: costs by category, and the category that an early receipt names. */
export const BILLED_CATEGORIES = `
CREATE TABLE cost_by_category (
  carrier_id TEXT NOT NULL REFERENCES carrier,
  category TEXT NOT NULL, -- empty for every category
  prefix TEXT NOT NULL,
  operator TEXT NOT NULL, -- empty for every operator
  price_micros INTEGER NOT NULL,
  currency TEXT, -- NULL for that of the installation
  PRIMARY KEY (carrier_id, category, prefix, operator)
) STRICT, WITHOUT ROWID;
INSERT INTO cost_by_category SELECT carrier_id, '', prefix, operator, price_micros, currency FROM cost;
DROP TABLE cost;
ALTER TABLE cost_by_category RENAME TO cost;
ALTER TABLE parked_receipt ADD COLUMN category TEXT; -- NULL when the carrier does not say
`
