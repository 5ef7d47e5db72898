/** Limits for listing hooks with waiting reports. */

/** The others of an account are listed once reports no longer wait for these. */
export const MAX_HOOKS_OF_ACCOUNT = 200
/** Listing ends with the account that reaches it. */
export const MAX_WAITING_HOOKS = 5_000
