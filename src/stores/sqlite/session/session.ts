/** Shared by all commands of one opening of the database. */
import type { DatabaseSync } from 'node:sqlite'
import type { Vault } from '../../../ports/system/vault.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import type { SqliteLedger } from './ledger.ts'
import type { OpenDatabase } from './open-database.ts'
import type { SqliteTotals } from './sqlite-totals.ts'

export interface Session {
  readonly database: DatabaseSync
  /** The number of this opening as a gateway; 0 for a tool, which holds nothing. */
  readonly node: number
  readonly ledger: SqliteLedger
  /** The statistics of messages. */
  readonly totals: SqliteTotals
  readonly vault: Vault
  readonly hashPhone: HashPhone
  readonly whileAlone: OpenDatabase['whileAlone']
  /** The message up to which sweeping has advanced; messages that end behind it are reported to the sweeper. */
  readonly swept: { upTo: number }
  /** Whether receipts may be parked. Only a gateway parks any, and a file has one. */
  readonly parked: { mayExist: boolean }
}
