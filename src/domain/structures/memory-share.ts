/**
 * How much of a bounded memory one tenant may hold: less than what is left free. One tenant alone fills half of it, two
 * fill a third each, and so on, so that a tenant that holds little always has room.
 */

export function mayHold(held: number, free: number): boolean {
  return held < free
}

/** Returns how many more messages a tenant may take at once by that rule. */
export function allowance(held: number, free: number): number {
  return Math.max(0, Math.ceil((free - held) / 2))
}
