/** What stands in one column of a row, in either store. Booleans are 0 and 1. */
export type Cell = string | number | null
