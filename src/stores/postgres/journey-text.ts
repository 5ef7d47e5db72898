/**
 * What rare statements read of a journey. It is kept as text, for PostgreSQL's JSON takes neither NUL nor halves of
 * characters, which carriers' words may hold. No text inside it can look like a key: its quotes are escaped.
 */

/** The number under a key that stands in a journey once; NULL when it is null there. */
export function numberIn(column: string, key: 'dueAt' | 'heldMicros' | 'chargedMicros'): string {
  return `substring(${column} FROM '"${key}":([0-9]+)')::bigint`
}

export function phaseIn(column: string): string {
  return `substring(${column} FROM '"phase":"([a-z]+)"')`
}
