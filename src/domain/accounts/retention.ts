/** How long data is kept. Postings of the ledger are kept forever. */

export const DAY_MS = 86_400_000

/** Part of the settings of an account. Days count from the acceptance of a message; null for no end. */
export interface AccountRetention {
  /** Message contents, link targets, report bodies, carriers' texts. An open message keeps them. */
  readonly textsKeptDays: number | null
  /** Everything about a message, its phone included. Never shorter than its texts are kept. */
  readonly recordsKeptDays: number | null
}

export const DEFAULT_ACCOUNT_RETENTION: AccountRetention = { textsKeptDays: 90, recordsKeptDays: 400 }

/** Of the whole installation, in days; null for no end. */
export interface InstallationRetention {
  /**
   * Data that only serves delivery, from the acceptance of an ended message: settled reports, carriers' ids of parts.
   */
  readonly settledKeptDays: number | null
  /** Inbound messages. */
  readonly inboundKeptDays: number | null
}

/** Returns the rule that a retention breaks, as a clause; null if it breaks none. */
export function faultOfRetention({ textsKeptDays, recordsKeptDays }: AccountRetention): string | null {
  for (const days of [textsKeptDays, recordsKeptDays]) {
    if (days !== null && !(Number.isInteger(days) && days >= 0 && days <= MAX_DAYS)) {
      return `days of keeping must be whole numbers from 0 to ${MAX_DAYS}`
    }
  }
  const areKept = recordsKeptDays === null || (textsKeptDays !== null && textsKeptDays <= recordsKeptDays)
  return areKept ? null : 'texts cannot be kept longer than the records of their messages'
}

const MAX_DAYS = 36_500
