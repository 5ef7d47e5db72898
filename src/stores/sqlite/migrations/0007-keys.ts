/** Keys that may do less, that expire, and that tell when they were used. Those from before may do everything. */
export const KEYS = `
ALTER TABLE api_key ADD COLUMN scopes TEXT NOT NULL DEFAULT '["send","otp","templates","balance"]';
ALTER TABLE api_key ADD COLUMN expires_at INTEGER; -- NULL for never
ALTER TABLE api_key ADD COLUMN last_used_at INTEGER; -- NULL while it was not used
`
