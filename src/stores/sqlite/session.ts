/** What all deeds of one opening of the database share. */
import type { DatabaseSync } from 'node:sqlite'
import type { Vault } from '../../ports/vault.ts'
import type { Purse } from './purse.ts'

export interface Session {
  readonly database: DatabaseSync
  /** The number of this opening as a gateway; 0 for a tool, which holds nothing. */
  readonly node: number
  readonly purse: Purse
  readonly vault: Vault
  /** The message up to which sweeping has gone through; what ends behind it is told to the sweeper. */
  readonly swept: { upTo: number }
}
