/**
 * Texts sealed, and apart from what is known of their messages. Messages from before have theirs in their plan. It only
 * adds.
 */
export const SEALED_TEXTS = `
-- What the steps of a message carry: a sealed JSON list, one for each step.
CREATE TABLE message_text (
  msg_id INTEGER PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT;

-- The key that seals, by its name, and a sealed secret by which phones are told apart without being kept.
ALTER TABLE meta ADD COLUMN sealing_key TEXT NOT NULL DEFAULT '';
ALTER TABLE meta ADD COLUMN phone_secret TEXT NOT NULL DEFAULT '';
`
