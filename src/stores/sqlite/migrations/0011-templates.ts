/** Lists of one account's SMS templates in the order of their ids. It only adds. */
export const TEMPLATES = `
CREATE INDEX sms_template_of_account ON sms_template (account_id, template_id);
`
