/**
 * The index of phones by stretches of messages (message-stretches.ts), so that a new entry falls near those before it and
 * not anywhere in an index of years.
 */
export const STRETCHES = `
DROP INDEX message_of_phone;
CREATE INDEX message_of_phone ON message (msg_id >> 20, phone, msg_id);
`
