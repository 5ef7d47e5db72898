/** One of the two databases of a move, as the move uses it. Every method rejects with a StoreError. */
import { StoreError } from '../../ports/records/store-errors.ts'
import type { Cell } from '../rows/cells/cell.ts'
import type { StoreKind } from '../tables/declaration.ts'
import type { Crossing } from './crossings.ts'
import type { MoveMark, MovePlace } from './mark.ts'

/** The place cannot be reached, so that nothing is known of it. */
export class EndUnreachable extends StoreError {}

export type Rows = readonly (readonly Cell[])[]

/** For each column of the target, the SQL that reads it. */
export type ColumnReading = readonly (readonly [column: string, sql: string])[]

export interface ReadRows {
  readonly rows: Rows
  /** The key of the last row, after which the next batch begins. */
  readonly after: readonly Cell[]
}

export interface Counters {
  readonly nextCounter: number
  /** The last node number that was assigned. */
  readonly lastNode: number
}

export interface MoveEnd {
  /** For messages to operators. */
  readonly name: string
  /** Selects the SQL of a crossing. */
  readonly kind: StoreKind
  /** Keeps other processes out if a database exists, and changes nothing. Returns whether it holds an installation. */
  enter(): Promise<boolean>
  /** Returns the mark found by `enter`. */
  mark(): Promise<MoveMark | null>
  /** Returns, as found by `enter`, the name of the sealing key and a secret sealed with it. */
  seal(): Promise<readonly [key: string, secret: string]>
  /** Migrates the tables to the current schema. */
  prepare(): Promise<void>
  /** Null removes the mark. No process starts to work here once a mark is committed. */
  setMark(mark: MoveMark | null): Promise<void>
  /** Keeps other processes from changing anything until `close`. */
  hold(): Promise<void>
  count(crossing: Crossing): Promise<number>
  /** Returns the rows after this key, in key order; no rows at the end. */
  read(crossing: Crossing, reading: ColumnReading, after: readonly Cell[] | null, most: number): Promise<ReadRows>
  /** Writes the rows and the progress of the move in one transaction. */
  write(crossing: Crossing, columns: readonly string[], rows: Rows, place: MovePlace): Promise<void>
  counters(): Promise<Counters>
  /** Continues all sequences from here, once all tables are copied. */
  settle(counters: Counters): Promise<void>
  /** Counts open messages and reports that are to be sent. */
  open(): Promise<readonly [messages: number, reports: number]>
  /** Returns the discrepancies found; none if the ledger is right. */
  verifyLedger(): Promise<readonly string[]>
  close(): Promise<void>
}
