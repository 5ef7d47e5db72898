/** Texts from the network as stores keep them: without what no database can hold. */

/** Longest text of a timeline or report detail that is kept, characters. */
const LONGEST_DETAIL = 500

/** The words of a carrier or a hook, short. */
export function bounded(detail: string): string {
  return keepable(detail.length > LONGEST_DETAIL ? detail.slice(0, LONGEST_DETAIL) : detail)
}

/** The text without NUL and without halves of characters, which databases stumble over. */
export function keepable(text: string): string {
  const kept = text.includes('\0') ? text.replaceAll('\0', '') : text
  return kept.isWellFormed() ? kept : kept.toWellFormed()
}
