/** What carriers bill a part as: costs by category, and the category that an early receipt names. */
export const BILLED_CATEGORIES = `
ALTER TABLE cost ADD COLUMN category text COLLATE "C" NOT NULL DEFAULT ''; -- empty for every category
ALTER TABLE cost DROP CONSTRAINT cost_pkey;
ALTER TABLE cost ADD PRIMARY KEY (carrier_id, category, prefix, operator);
ALTER TABLE parked_receipt ADD COLUMN category text; -- NULL when the carrier does not say
`
