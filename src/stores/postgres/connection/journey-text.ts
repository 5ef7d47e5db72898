/**
 * SQL for fields of a journey in rare statements. The journey is stored as text, because PostgreSQL's JSON accepts
 * neither NUL nor lone surrogates, which carriers' texts may contain. No text in it can be mistaken for a key: its
 * quotes are escaped.
 */

/** Returns the number under a key that occurs once in a journey; NULL if it is null. */
export function numberInJourney(column: string, key: 'dueAt' | 'heldMicros' | 'chargedMicros'): string {
  return `substring(${column} FROM '"${key}":([0-9]+)')::bigint`
}

export function phaseIn(column: string): string {
  return `substring(${column} FROM '"phase":"([a-z]+)"')`
}
