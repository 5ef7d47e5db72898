/** The audit log: who changed what, appended in the transaction of the change itself and never edited. */

export interface AuditEntry {
  readonly at: number
  /** The name of the admin user, or of the person at the command line. */
  readonly actor: string
  readonly via: 'admin API' | 'command line'
  /** The endpoint that was asked: `createAccount`. */
  readonly deed: string
  /** What was changed, in words: `account 3`, `route sms 49… to main`. */
  readonly subject: string
  /** As it was; null when there was nothing. Never holds a secret. */
  readonly before: unknown
  /** As it is now; null when there is nothing any more. Never holds a secret. */
  readonly after: unknown
}

/** The subject of entries about an API key. */
export function subjectOfKey(keyId: string, account: number): string {
  return `key ${keyId} of account ${account}`
}
