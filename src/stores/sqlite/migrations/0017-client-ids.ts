/** Messages by the ids that clients gave them; those without one take no room in it. It only adds. */
export const CLIENT_IDS = `
CREATE INDEX message_of_client ON message (account_id, client_id) WHERE client_id IS NOT NULL;
`
