/** A cell of a row, in either store. Booleans are 0 and 1; only sealed texts are bytes. */
export type Cell = string | number | null | Uint8Array

/** The cells of a row by the names of their columns. */
export type Row = Readonly<Record<string, Cell>>
