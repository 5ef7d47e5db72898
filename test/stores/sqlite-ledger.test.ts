/** The ledger on SQLite knows accounts from one transaction to the next, but never what is no longer so. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { migrate } from '../../src/stores/sqlite/schema/schema.ts'
import { SqliteLedger } from '../../src/stores/sqlite/session/ledger.ts'
import { SqlStatement } from '../../src/stores/sqlite/statement/statement.ts'
import { openVault } from '../../src/stores/vault/open-vault.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const ACCOUNTS = 5
const vault = openVault(TEST_KEYS)
let folder: string
let database: DatabaseSync
/** Another connection, as of a tool. */
let other: DatabaseSync

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
  const file = join(folder, 'posthorn.db')
  database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF')
  migrate(database)
  const insert = database.prepare(
    `INSERT INTO account_balance (account_id, paid, available, held, earned, credit_limit, low_reported)
     VALUES (?, -1000000, 1000000, 0, 0, 0, 0)`,
  )
  for (let id = 1; id <= ACCOUNTS; id += 1) insert.run(id)
  other = new DatabaseSync(file)
})
afterEach(() => {
  database.close()
  other.close()
  rmSync(folder, { recursive: true })
})

const availableIn = (of: DatabaseSync, id: number) =>
  of.prepare('SELECT available FROM account_balance WHERE account_id = ?').get(id)?.['available']

function transact(ledger: SqliteLedger, work: () => void, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): void {
  database.exec('BEGIN IMMEDIATE')
  ledger.begin(Number(database.prepare('PRAGMA data_version').get()?.['data_version']))
  work()
  ledger.flush()
  ledger.end()
  database.exec(end)
  if (end === 'ROLLBACK') ledger.forget()
}

it('has the stored balances in every transaction, whatever was written in between', () => {
  const random = new SeededRandom(3)
  const ledgers = [new SqliteLedger({ database, vault }), new SqliteLedger({ database, vault })]
  const ways = [
    'ledger',
    'ledger',
    'ledger',
    'rolled back',
    'other connection',
    'other statement',
    'checkpoint',
  ] as const
  for (let step = 0; step < 600; step += 1) {
    const ledger = ledgers[random.below(2)] as SqliteLedger
    const id = 1 + random.below(ACCOUNTS)
    const hold = () => ledger.move('hold', id, step + 1, 1 + random.below(9), step)
    const way = ways[random.below(ways.length)] ?? 'ledger'
    const change = `UPDATE account_balance SET available = available + 7, paid = paid - 7 WHERE account_id = ${id}`
    if (way === 'ledger') transact(ledger, hold)
    if (way === 'rolled back') transact(ledger, hold, 'ROLLBACK')
    if (way === 'other connection') other.exec(change)
    if (way === 'checkpoint') other.exec('PRAGMA wal_checkpoint(RESTART)')
    transact(ledger, () => {
      for (let each = 1; each <= ACCOUNTS; each += 1) {
        expect(ledger.balanceOf(each)?.available, `${step}: ${way}`).toBe(availableIn(other, each))
      }
    })
  }
})

it('reads an account once while nothing else is written', () => {
  const ledger = new SqliteLedger({ database, vault })
  const read = vi.spyOn(SqlStatement.prototype, 'first')
  for (let msgId = 1; msgId <= 10; msgId += 1) transact(ledger, () => ledger.move('hold', 1, msgId, 5, 0))
  expect((read.mock.calls as unknown[][]).filter(([id]) => id === 1)).toHaveLength(1)
  expect(availableIn(other, 1)).toBe(999_950)
  read.mockRestore()
})
