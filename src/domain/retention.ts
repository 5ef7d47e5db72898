/** How long things are kept. Whatever is kept, the postings of the ledger stay for ever: they are the book. */

export const DAY_MS = 86_400_000

/** Part of the settings of an account. Days count from the acceptance of a message; null is for ever. */
export interface AccountRetention {
  /** What messages carry, where their links lead, bodies of reports, words of carriers. An open message keeps them. */
  readonly textsKeptDays: number | null
  /** All that is known of a message, its phone included. Never less than its texts are kept. */
  readonly recordsKeptDays: number | null
}

export const DEFAULT_ACCOUNT_RETENTION: AccountRetention = { textsKeptDays: 90, recordsKeptDays: 400 }

/** Of the whole installation, in days; null is for ever. */
export interface InstallationRetention {
  /** What only serves delivery, from the acceptance of an ended message: settled reports, carriers' ids of parts. */
  readonly settledKeptDays: number | null
  /** What people write to our numbers. */
  readonly inboundKeptDays: number | null
}

/** The rule that a retention breaks, as a clause; null when it breaks none. */
export function faultOfRetention({ textsKeptDays, recordsKeptDays }: AccountRetention): string | null {
  for (const days of [textsKeptDays, recordsKeptDays]) {
    if (days !== null && !(Number.isInteger(days) && days >= 0 && days <= MOST_DAYS)) {
      return `days of keeping must be whole numbers from 0 to ${MOST_DAYS}`
    }
  }
  const areKept = recordsKeptDays === null || (textsKeptDays !== null && textsKeptDays <= recordsKeptDays)
  return areKept ? null : 'texts cannot be kept longer than the records of their messages'
}

const MOST_DAYS = 36_500
