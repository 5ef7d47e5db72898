/** Shared by all commands of one transaction: the connection, the node, the ledger, and the work after the commit. */
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from '../rows/cell.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import type { Acknowledged } from './acknowledged.ts'
import { LeaseLost } from './lease-lost.ts'
import { PostgresLedger } from './ledger.ts'
import type { Link, QueryResult, Value } from './link.ts'
import { inBucket, type Statement } from './statement.ts'

const TAKE_LEASE = inBucket<[sealingKey: string, booksFrom: number, sweptTo: number]>(
  `UPDATE lease SET batch = $3 WHERE bucket = $1 AND node = $2 AND batch >= $4 RETURNING sealing_key, books_from, swept_to`,
)

export interface SessionTools {
  readonly node: number
  readonly vault: Vault
  readonly hashPhone: HashPhone
  readonly acknowledged: Pick<Acknowledged, 'batchOf'>
  /** Returns an unused message counter, outside of this transaction. */
  readonly nextCounter: () => Promise<number>
  /** Reports wait in these buckets that no node was notified of. */
  readonly onReports: (buckets: readonly number[]) => void
  /** A look for early receipts after a commit failed. */
  readonly onMissedReceipts: () => void
}

export class Session {
  readonly node: number
  readonly ledger: PostgresLedger
  /** Run after the commit, each statement in its own transaction: they see what others committed since. */
  readonly afterCommit: ((link: Link) => Promise<void>)[] = []
  readonly #link: Link
  readonly #tools: SessionTools
  #sealingKey = ''
  #booksFrom = 0
  readonly #sweptTo = new Map<number, number>()
  #leased: Promise<unknown> = Promise.resolve()
  readonly #underWay: Promise<unknown>[] = []
  #failure: Error | null = null
  #isCommitted = false
  readonly #reportBuckets: number[] = []

  constructor(link: Link, tools: SessionTools) {
    this.#link = link
    this.#tools = tools
    this.node = tools.node
    this.ledger = new PostgresLedger(this)
  }

  /**
   * Opens the transaction under the node's leases of these buckets. Without a lease, later calls fail with LeaseLost.
   */
  begin(buckets: readonly number[], batch: number): void {
    void this.run('BEGIN').catch(ignore)
    const taken = buckets.map(async (bucket) => {
      const { rows } = await this.#send(TAKE_LEASE, [
        bucket,
        this.node,
        batch,
        this.#tools.acknowledged.batchOf(bucket),
      ])
      if (rows[0] === undefined) this.#fail(new LeaseLost())
      else this.#noteLease(bucket, rows[0])
    })
    this.#leased = Promise.all(taken).catch(ignore)
    this.#underWay.push(this.#leased)
  }

  /** Resolves once the leases are confirmed; later statements are answered later. */
  async leased(): Promise<void> {
    await this.#leased
    if (this.#failure !== null) throw this.#failure
  }

  /** The beginning of the oldest open month: no posting is dated before it. */
  get booksFrom(): number {
    return this.#booksFrom
  }

  /** Sweeping may have skipped messages up to this one while they were open. */
  sweptTo(bucket: number): number {
    return this.#sweptTo.get(bucket) ?? 0
  }

  /** Seals with the key that the database names. Read it again after every await. */
  get vault(): Vault {
    this.#tools.vault.use(this.#sealingKey)
    return this.#tools.vault
  }

  async query<Row extends readonly Cell[]>(
    statement: Statement<Row>,
    ...values: readonly Value[]
  ): Promise<readonly Row[]> {
    return (await this.execute(statement, ...values)).rows
  }

  /** Returns the row count too. */
  async execute<Row extends readonly Cell[]>(
    statement: Statement<Row>,
    ...values: readonly Value[]
  ): Promise<QueryResult<Row>> {
    const result = await this.#send(statement, values)
    if (this.#failure !== null) throw this.#failure
    return result
  }

  /** Queries with these rows as columns. */
  queryRows<Row extends readonly Cell[]>(
    statement: Statement<Row>,
    bucket: number,
    rows: readonly (readonly Cell[])[],
  ): Promise<readonly Row[]> {
    return this.query(statement, bucket, ...columnsOf(rows))
  }

  /** Sends a change without waiting; if it fails, the transaction fails. */
  write(statement: Statement, ...values: readonly Value[]): void {
    this.#send(statement, values).catch(ignore)
  }

  /** Updates rows of the bucket from columns of new values. */
  update(statement: Statement, bucket: number, rows: readonly (readonly Cell[])[]): void {
    if (rows.length > 0) this.write(statement, bucket, ...columnsOf(rows))
  }

  /** Inserts rows whose cells are in the order of the statement's columns. */
  insert(statement: Statement, bucket: number, rows: readonly (readonly Cell[])[]): void {
    if (rows.length > 0) this.write(statement, bucket, this.node, ...columnsOf(rows))
  }

  /** Runs a statement about the transaction itself, such as a savepoint. */
  async run(sql: string): Promise<void> {
    this.#underWay.push(this.#link.run(sql).catch((error: Error) => this.#fail(error)))
    await this.#underWay.at(-1)
    if (this.#failure !== null) throw this.#failure
  }

  /** Sends the commit after all statements. Rejects with the first failure, and then nothing was written. */
  async commit(): Promise<void> {
    const tag = await this.#link.run('COMMIT')
    await Promise.all(this.#underWay)
    if (this.#failure !== null) throw this.#failure
    if (tag !== 'COMMIT') throw new Error(`the database answered ${tag} to a commit`)
    this.#isCommitted = true
  }

  hashPhone(phone: string): string {
    return this.#tools.hashPhone(phone)
  }

  nextCounter(): Promise<number> {
    return this.#tools.nextCounter()
  }

  noteReports(buckets: readonly number[]): void {
    this.#reportBuckets.push(...buckets)
  }

  missEarlyReceipts(): void {
    this.#tools.onMissedReceipts()
  }

  /** Reports rows that the transaction wrote, or may have written. */
  announce(): void {
    if (this.#reportBuckets.length > 0) this.#tools.onReports(this.#reportBuckets)
  }

  get isCommitted(): boolean {
    return this.#isCommitted
  }

  /** Returns the first failure, which caused the others; null if there was none. */
  async rollBack(): Promise<Error | null> {
    await this.#link.run('ROLLBACK').catch(ignore)
    await Promise.all(this.#underWay)
    return this.#failure
  }

  #send<Row extends readonly Cell[]>(statement: Statement<Row>, values: readonly Value[]): Promise<QueryResult<Row>> {
    const sent = this.#link.execute(statement, values)
    this.#underWay.push(sent.catch((error: Error) => this.#fail(error)))
    return sent
  }

  #noteLease(bucket: number, [sealingKey, booksFrom, sweptTo]: readonly [string, number, number]): void {
    this.#sealingKey = sealingKey
    this.#booksFrom = booksFrom
    this.#sweptTo.set(bucket, sweptTo)
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }
}

/** @param width number of columns, for an empty list of rows. */
export function columnsOf(
  rows: readonly (readonly Cell[])[],
  width = rows[0]?.length ?? 0,
): readonly (readonly Cell[])[] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null))
}

function ignore(): void {
  // The failure is already recorded for the transaction.
}
