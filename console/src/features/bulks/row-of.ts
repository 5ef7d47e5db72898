/** Rows of the file of a bulk. */

/** Returns the row of a line as a spreadsheet counts, below one of heads. For the API, the first line is 1. */
export function rowOf(line: number): number {
  return line + 1
}
