/** How far a bulk is. */

/** Returns the share of its lines that are messages; null without lines that can be sent. */
export function doneOf(waiting: number, accepted: number): number | null {
  return waiting + accepted === 0 ? null : accepted / (waiting + accepted)
}
