/** The audit log: who changed what. Written in the transaction of the change and never edited. */

export interface AuditEntry {
  readonly at: number
  /** The name of the admin user, of the user at the command line, or of the API key: `key ab12`. */
  readonly actor: string
  readonly via: 'admin API' | 'command line' | 'client API' | 'MCP'
  /** The endpoint or operation that was called: `createAccount`. */
  readonly action: string
  /** What was changed, as text: `account 3`, `route sms 49… to main`. */
  readonly subject: string
  /** The value before; null if there was none. Never contains a secret. */
  readonly before: unknown
  /** The value after; null if there is none. Never contains a secret. */
  readonly after: unknown
}

/** Returns the subject of entries about an API key. */
export function subjectOfKey(keyId: string, account: number): string {
  return `key ${keyId} of account ${account}`
}

/**
 * Returns a value for the audit log: addresses in it have neither user information nor a query nor a fragment, where
 * clients and carriers put secrets.
 */
export function hideInAddresses(value: unknown): unknown {
  if (typeof value === 'string') return hideInAddress(value)
  if (Array.isArray(value)) return value.map(hideInAddresses)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideInAddresses(each)]))
}

/** A hook may have the form of a program before its address (domain/reports/report-target.ts). */
function hideInAddress(text: string): string {
  if (!/^(?:\s*|kannel:|jasmin:)https?:|^smpp:/i.test(text)) return text
  return text.replace(/[?#].*/s, '').replace(/^((?:kannel:|jasmin:)?[^:]*:[/\\\s]*)[^/\\]*@/, '$1')
}
