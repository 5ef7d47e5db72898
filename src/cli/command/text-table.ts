/** Tables and lists as plain text. */

/** Pads columns to their widest cell, with two spaces between them. */
export function writeTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows].map((row) => row.map(clean))
  const widths = heads.map((_head, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) => writeRow(row, widths)).join('\n')
}

/** Writes one `name  value` per line. */
export function writeFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map((fact) => writeRow(fact.map(clean), [width])).join('\n')
}

function writeRow(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()
}

/** Texts of carriers and clients must not move the cursor or break a line. */
function clean(cell: string): string {
  return cell.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
}
