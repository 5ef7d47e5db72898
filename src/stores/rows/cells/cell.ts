/** A cell of a row, in either store. Booleans are 0 and 1; only sealed texts are bytes. */
export type Cell = string | number | null | Uint8Array

/** A value of a statement: a cell, or a list of them. */
export type Value = Cell | readonly Cell[]

/** Returns the value as one cell: a list as JSON. */
export function toCell(value: Value): Cell {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value
}

/** The cells of a row by the names of their columns. */
export type Row = Readonly<Record<string, Cell>>
