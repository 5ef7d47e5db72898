/** The keys with which login servers sign: any text, but those of Standard Webhooks are bytes in base64. */

/** Text that is no base64 leaves a few bytes, which can be guessed. */
export const MIN_SIGNING_BYTES = 16

const PREFIX = /^(?:v1,)?(?:whsec_)?/

/** Returns the bytes behind `whsec_`, before which Supabase writes `v1,`; null if there are too few. */
export function readWebhookSecret(key: string): Buffer | null {
  const secret = Buffer.from(key.replace(PREFIX, ''), 'base64')
  return secret.length < MIN_SIGNING_BYTES ? null : secret
}

/** Returns whether requests can be signed with it. What has no prefix may be the key of another kind of server. */
export function isSigningKey(key: string): boolean {
  return PREFIX.exec(key)?.[0] === '' || readWebhookSecret(key) !== null
}
