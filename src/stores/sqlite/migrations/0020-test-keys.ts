/** Keys whose messages reach simulated phones alone, and those messages. All from before are live. */
export const TEST_KEYS = `
ALTER TABLE api_key ADD COLUMN test INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN test INTEGER NOT NULL DEFAULT 0;
`
