/** Formats a column of cells as a PostgreSQL array: `{1,NULL,"a \"b\""}`. */
import type { Cell } from '../rows/cell.ts'

export function toArrayLiteral(cells: readonly Cell[]): string {
  let literal = '{'
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]
    if (at > 0) literal += ','
    if (cell === null || cell === undefined) literal += 'NULL'
    else if (typeof cell === 'number') literal += cell
    else if (typeof cell === 'string') literal += `"${cell.replace(/["\\]/g, '\\$&')}"`
    else literal += `"\\\\x${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('hex')}"`
  }
  return `${literal}}`
}
