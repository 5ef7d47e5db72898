/** Texts from the network as stores keep them: without what no database can hold. */

/** Longest text of a timeline or report detail that is kept, characters. */
const LONGEST_DETAIL = 500

/** The words of a carrier or a hook, short. */
export function bounded(detail: string): string {
  return keepable(detail.length > LONGEST_DETAIL ? detail.slice(0, LONGEST_DETAIL) : detail)
}

/** Longest inbound message, sender and recipient that are kept, characters: a carrier may bring anything. */
const LONGEST_INBOUND = 65_536
const LONGEST_ADDRESS = 255

/** The text of an inbound message. */
export function inboundText(text: string): string {
  return keepable(text.slice(0, LONGEST_INBOUND))
}

/** The sender or recipient of an inbound message. */
export function inboundAddress(address: string): string {
  return keepable(address.slice(0, LONGEST_ADDRESS))
}

/** The text without NUL and without halves of characters, which databases stumble over. */
function keepable(text: string): string {
  const kept = text.includes('\0') ? text.replaceAll('\0', '') : text
  return kept.isWellFormed() ? kept : kept.toWellFormed()
}
