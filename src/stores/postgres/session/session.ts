/** Shared by all commands of one transaction: the connection, the node, the ledger, and the work after the commit. */
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell, Value } from '../../rows/cells/cell.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection, QueryResult } from '../connection/connection.ts'
import { LeaseLost } from '../connection/lease-lost.ts'
import { onRows, type SqlStatement } from '../connection/statement.ts'
import type { Acknowledged } from './acknowledged.ts'
import { BucketTotals } from './bucket-totals.ts'
import { PostgresLedger } from './ledger.ts'

type LeaseRow = readonly [bucket: number, sealingKey: string, booksFrom: number, sweptTo: number]

const TAKE_LEASE = onRows<[...LeaseRow]>(
  `UPDATE lease SET batch = $3 FROM unnest($4::bigint[]) AS new (batch)
   WHERE lease.bucket = $1 AND lease.node = $2 AND lease.batch >= new.batch
   RETURNING lease.bucket, sealing_key, books_from, swept_to`,
)

export interface SessionTools {
  readonly node: number
  readonly vault: Vault
  readonly hashPhone: HashPhone
  readonly acknowledged: Pick<Acknowledged, 'batchOf'>
  /** Returns the first of so many unused message counters, outside of this transaction. */
  readonly nextCounters: (count: number) => Promise<number>
  /** Reports wait in these buckets that no node was notified of. */
  readonly onReports: (buckets: readonly number[]) => void
  /** A look for early receipts after a commit failed. */
  readonly onMissedReceipts: () => void
}

export class Session {
  readonly node: number
  readonly ledger: PostgresLedger
  readonly totals = new BucketTotals()
  /** Run after the commit, each statement in its own transaction: they see what others committed since. */
  readonly afterCommit: ((connection: Connection) => Promise<void>)[] = []
  readonly #connection: Connection
  readonly #tools: SessionTools
  /** The server answered, and more statements follow: to be called in transactions of very many. */
  readonly onProgress: () => void
  #sealingKey = ''
  #booksFrom = 0
  readonly #sweptTo = new Map<number, number>()
  #leased: Promise<unknown> = Promise.resolve()
  readonly #underWay: Promise<unknown>[] = []
  #failure: Error | null = null
  #isCommitted = false
  readonly #reportBuckets: number[] = []

  constructor(connection: Connection, tools: SessionTools, onProgress: () => void = () => {}) {
    this.onProgress = onProgress
    this.#connection = connection
    this.#tools = tools
    this.node = tools.node
    this.ledger = new PostgresLedger(this)
  }

  /**
   * Opens the transaction under the node's leases of these buckets. Without a lease, later calls fail with LeaseLost.
   */
  begin(buckets: readonly number[], batch: number): void {
    void this.run('BEGIN').catch(ignore)
    const asked = new ByBucket<readonly Cell[]>()
    for (const bucket of buckets) asked.add(bucket, [this.#tools.acknowledged.batchOf(bucket)])
    const taken = this.#inBuckets(TAKE_LEASE, asked, (statement, of, columns) =>
      this.#send(statement, [of, this.node, batch, ...columns]),
    )
    const note = (results: readonly QueryResult<LeaseRow>[]) => {
      const rows = results.flatMap(({ rows }) => rows)
      for (const row of rows) this.#noteLease(row)
      if (rows.length < asked.entries().length) this.#fail(new LeaseLost())
    }
    this.#leased = Promise.all(taken).then(note, ignore)
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
    statement: SqlStatement<Row>,
    ...values: readonly Value[]
  ): Promise<readonly Row[]> {
    return (await this.execute(statement, ...values)).rows
  }

  /** Returns the row count too. */
  async execute<Row extends readonly Cell[]>(
    statement: SqlStatement<Row>,
    ...values: readonly Value[]
  ): Promise<QueryResult<Row>> {
    const result = await this.#send(statement, values)
    if (this.#failure !== null) throw this.#failure
    return result
  }

  /** Queries with these rows as columns. */
  async queryRows<Row extends readonly Cell[]>(
    statement: SqlStatement<Row>,
    rows: ByBucket<readonly Cell[]>,
  ): Promise<readonly Row[]> {
    const read = this.#inBuckets(statement, rows, (each, of, columns) => this.query(each, of, ...columns))
    return (await Promise.all(read)).flat()
  }

  /** Sends a change without waiting; if it fails, the transaction fails. */
  write(statement: SqlStatement, ...values: readonly Value[]): void {
    this.#send(statement, values).catch(ignore)
  }

  /** Updates or deletes rows by columns of keys and new values. */
  update(statement: SqlStatement, rows: ByBucket<readonly Cell[]>): void {
    this.#inBuckets(statement, rows, (each, of, columns) => this.write(each, of, ...columns))
  }

  /** Inserts rows whose cells are in the order of the statement's columns. */
  insert(statement: SqlStatement, rows: ByBucket<readonly Cell[]>): void {
    this.#inBuckets(statement, rows, (each, of, columns) => this.write(each, of, this.node, ...columns))
  }

  /** Runs a statement about the transaction itself, such as a savepoint. */
  async run(sql: string): Promise<void> {
    this.#underWay.push(this.#connection.run(sql).catch((error: Error) => this.#fail(error)))
    await this.#underWay.at(-1)
    if (this.#failure !== null) throw this.#failure
  }

  /** Sends the commit after all statements. Rejects with the first failure, and then nothing was written. */
  async commit(): Promise<void> {
    const tag = await this.#connection.run('COMMIT')
    await Promise.all(this.#underWay)
    if (this.#failure !== null) throw this.#failure
    if (tag !== 'COMMIT') throw new Error(`the database answered ${tag} to a commit`)
    this.#isCommitted = true
  }

  /** Lets the server begin with what was sent so far, while this transaction computes what follows. */
  flush(): void {
    this.#connection.flush()
  }

  hashPhone(phone: string): string {
    return this.#tools.hashPhone(phone)
  }

  nextCounters(count: number): Promise<number> {
    return this.#tools.nextCounters(count)
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
    await this.#connection.run('ROLLBACK').catch(ignore)
    await Promise.all(this.#underWay)
    return this.#failure
  }

  #send<Row extends readonly Cell[]>(
    statement: SqlStatement<Row>,
    values: readonly Value[],
  ): Promise<QueryResult<Row>> {
    const sent = this.#connection.execute(statement, values)
    this.#underWay.push(sent.catch((error: Error) => this.#fail(error)))
    return sent
  }

  /** Sends one statement for all buckets if all are on one server, and else one for each. */
  #inBuckets<Row extends readonly Cell[], Sent>(
    statement: SqlStatement<Row>,
    rows: ByBucket<readonly Cell[]>,
    send: (statement: SqlStatement<Row>, of: Value, columns: readonly Value[]) => Sent,
  ): readonly Sent[] {
    const entries = rows.entries()
    const { ofMany } = statement
    if (entries.length < 2 || ofMany === null || this.#connection.isSpread) {
      return entries.map(([bucket, each]) => send(statement, bucket, columnsOf(each)))
    }
    const buckets = entries.flatMap(([bucket, each]) => each.map(() => bucket))
    return [send(ofMany, buckets, columnsOf(entries.flatMap(([, each]) => each)))]
  }

  #noteLease([bucket, sealingKey, booksFrom, sweptTo]: LeaseRow): void {
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
