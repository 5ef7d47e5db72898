/** One of the two databases of a move, as the other end knows it. Every method rejects with a StoreError. */
import type { Cell } from '../rows/cell.ts'
import type { Crossing } from './crossings.ts'
import type { MoveMark, MovePlace } from './mark.ts'

export type Rows = readonly (readonly Cell[])[]

/** For each column of the target what is read for it. */
export type Reading = readonly (readonly [column: string, sql: string])[]

export interface ReadRows {
  readonly rows: Rows
  /** The key of the last one, behind which the next batch begins. */
  readonly after: readonly Cell[]
}

export interface Counters {
  readonly nextCounter: number
  /** The last number of a node that was given out. */
  readonly lastNode: number
}

export interface MoveEnd {
  /** For people. */
  readonly name: string
  /** Which SQL of a crossing is read here. */
  readonly kind: 'sqlite' | 'postgres'
  /** Keeps everybody else away, if there is anything, and changes nothing. Whether an installation is here. */
  enter(): Promise<boolean>
  /** Of what was found by `enter`. */
  mark(): Promise<MoveMark | null>
  /** Of what was found by `enter`: the name of the key that seals, and a secret that it has sealed. */
  seal(): Promise<readonly [key: string, secret: string]>
  /** Gives the tables their present shape. */
  prepare(): Promise<void>
  /** Null takes the mark away. Nobody begins to work here from the commit on that sets it. */
  setMark(mark: MoveMark | null): Promise<void>
  /** Nobody changes anything here until it is closed. */
  hold(): Promise<void>
  columnsOf(table: string): Promise<readonly string[]>
  count(crossing: Crossing): Promise<number>
  /** Behind the row with this key, in the order of keys; no rows at the end. */
  read(crossing: Crossing, reading: Reading, after: readonly Cell[] | null, most: number): Promise<ReadRows>
  /** Writes the rows, and in the same transaction how far the move has come. */
  write(crossing: Crossing, columns: readonly string[], rows: Rows, place: MovePlace): Promise<void>
  counters(): Promise<Counters>
  /** When all tables are there: whatever is numbered goes on from here. */
  settle(counters: Counters): Promise<void>
  /** Open messages, and reports that are to be told. */
  open(): Promise<readonly [messages: number, reports: number]>
  /** The sentences; none when the book is right. */
  verifyLedger(): Promise<readonly string[]>
  close(): Promise<void>
}
