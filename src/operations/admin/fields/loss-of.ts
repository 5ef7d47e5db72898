/** What a file takes away that replaces everything: a mistaken one, such as a part of a table, would stop traffic. */
export interface Replacement {
  /** Entries of the file. */
  readonly read: number
  /** Entries before. */
  readonly stored: number
  /** Those of before that the file has not. */
  readonly removed: number
}

/** Returns what a user must confirm: that nothing is left, or that most goes; null for neither. */
export function lossOf({ read, stored, removed }: Replacement): 'all' | 'most' | null {
  if (read === 0) return 'all'
  return removed > stored / 2 ? 'most' : null
}
