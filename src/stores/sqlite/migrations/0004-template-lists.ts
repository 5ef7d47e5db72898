/** Chat templates remember the carrier whose list they are in; those from before were noted by hand. */
export const TEMPLATE_LISTS = `
ALTER TABLE chat_template ADD COLUMN carrier_id TEXT; -- NULL when an operator noted it by hand
`
