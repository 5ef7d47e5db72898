/** What the look for stranded receipts reads does not depend on how many receipts are parked. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { CarrierReceipt } from '../../src/ports/carriers/carrier.ts'
import { PARKED_FOR_MS } from '../../src/ports/stores/delivery-store.ts'
import { sweepBuckets } from '../../src/stores/commands/sweeping/sweep-rows.ts'
import { DatabaseHosts } from '../../src/stores/postgres/connection/database-hosts.ts'
import { LastingConnection, SHORT_WORK } from '../../src/stores/postgres/connection/lasting-connection.ts'
import { allStatements, type SqlStatement } from '../../src/stores/postgres/connection/statement.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { runOn } from '../../src/stores/postgres/session/run-command.ts'
import { openVault } from '../../src/stores/vault/open-vault.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING, buildStep } from '../support/build-message.ts'
import { TEST_CARRIER, taken } from '../support/make-turn.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('the look for stranded receipts', () => {
  let database: TestDatabase
  let story: StoreStory
  beforeEach(async () => {
    database = await postgres.takeDatabase()
    const open = () => openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
    story = await StoreStory.begin(async () => ({ open, openTool: open, remove: () => database.giveBack() }))
  })
  afterEach(() => story.end())

  const park = (refs: readonly string[]) => story.store.matchReceipts(refs.map(receiptOf), BEGINNING)
  const claimAt = (seconds: number, limit: number) => story.store.claimDue({ now: BEGINNING + seconds * 1_000, limit })

  it('does not read parked receipts', async () => {
    await park(Array.from({ length: 3_000 }, (_, index) => `unknown-${index}`))
    const [{ node: number } = {}] = await database.query('SELECT node FROM node')
    const node = Number(number)
    await database.query(`UPDATE early_receipt SET node = ${node} WHERE ref LIKE '%7'`)
    expect(await rowsRead(ofDead(), `'{0,${node}}', '{${node},1000000}', 100`)).toBe(0)
    await database.query(`UPDATE early_receipt SET node = ${node + 1} WHERE ref = 'unknown-8'`)
    expect(await rowsRead(ofDead(), `'{0,${node}}', '{${node},1000000}', 100`)).toBe(1)
  })

  it('reads a page of them after a failure, not all that come before', async () => {
    await park(Array.from({ length: 3_000 }, (_, index) => `unknown-${index}`))
    const [{ after } = {}] = await database.query('SELECT min(early_receipt_id) + 2000 AS after FROM early_receipt')
    expect(await rowsRead(unassigned(), `${after}, 100`)).toBe(100)
  })

  it('finds what was missed when a look after a commit failed, behind many others, a page a second', async () => {
    await claimAt(0, 100)
    const refs = Array.from({ length: 25 }, (_, part) => `ref-${part}`)
    const message = await story.accepted(await story.account(), { plan: [buildStep('sms', { parts: 25 })] })
    await park(Array.from({ length: 95 }, (_, index) => `unknown-${index}`))
    await park(refs)
    await database.query('ALTER TABLE early_receipt RENAME TO away')
    expect((await story.record(taken(message, refs), { held: false })).earlyReceipts).toEqual([])
    await database.query('ALTER TABLE away RENAME TO early_receipt')
    const found: string[] = []
    const nextLooks: (number | null)[] = []
    for (const seconds of [1, 1.5, 2, 3, 4]) {
      const { earlyReceipts, nextDueAt } = await claimAt(seconds, 50)
      found.push(...earlyReceipts.map(({ receipt }) => receipt.ref))
      nextLooks.push(nextDueAt === null ? null : (nextDueAt - BEGINNING) / 1_000)
    }
    expect(found.toSorted()).toEqual(refs.toSorted())
    // At last, when the message itself is due.
    expect(nextLooks).toEqual([2, 2, 3, 3_600, 3_600])
  })

  it('leaves the sweep to delete expired ones a few buckets at a time', async () => {
    await park(Array.from({ length: 640 }, (_, index) => `unknown-${index}`))
    const buckets = async () => {
      const rows = await database.query('SELECT DISTINCT bucket FROM early_receipt ORDER BY 1')
      return rows.map(({ bucket }) => Number(bucket))
    }
    const before = await buckets()
    const some = before.slice(0, 4)
    const lasting = new LastingConnection(new DatabaseHosts(database.url), SHORT_WORK)
    const keeping = { settledKeptDays: 30, inboundKeptDays: 90 }
    await runOn(
      await lasting.connection(),
      openVault(TEST_KEYS),
      sweepBuckets(some, BEGINNING + PARKED_FOR_MS, keeping),
    )
    await lasting.close()
    expect(await buckets()).toEqual(before.slice(4))
    await story.sweep(BEGINNING + PARKED_FOR_MS)
    expect(await buckets()).toEqual([])
  })

  /** The rows of the table that the statement reads, those that it drops included. */
  async function rowsRead({ text }: SqlStatement, values: string): Promise<number> {
    for (const [name, value] of Object.entries(SHORT_WORK)) await database.query(`SET ${name} = '${value}'`)
    await database.query(`PREPARE look AS ${text}`)
    const [row] = await database.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) EXECUTE look(${values})`)
    await database.query('DEALLOCATE look')
    const [explained] = (row?.['QUERY PLAN'] ?? []) as readonly { readonly Plan: Plan }[]
    return scannedRows(explained?.Plan)
  }
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

function scannedRows(plan: Plan | undefined): number {
  if (plan === undefined) return 0
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': dropped = 0 } = plan
  const rechecked = plan['Rows Removed by Index Recheck'] ?? 0
  const own = plan['Relation Name'] === 'early_receipt' ? Math.round((rows + dropped + rechecked) * loops) : 0
  return (plan.Plans ?? []).reduce((sum, each) => sum + scannedRows(each), own)
}

function receiptOf(ref: string): CarrierReceipt {
  return { carrierId: TEST_CARRIER, ref, outcome: 'delivered', detail: '' }
}

const ofDead = () => statementWith('early_receipt.node > new.above')
const unassigned = () => statementWith('WHERE node = 0 AND early_receipt_id > $1')

function statementWith(part: string): SqlStatement {
  const found = allStatements().find(({ text }) => text.includes(part))
  if (found === undefined) throw new Error(`no statement has ${part}`)
  return found
}
