/** The old secrets of hooks have an end. Those from before sign until they are retired by hand. */
export const HOOK_SECRETS = `
ALTER TABLE account ADD COLUMN old_secrets_until INTEGER; -- NULL for as long as they are there
`
