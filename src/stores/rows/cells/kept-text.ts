/** Cleans texts from the network for storage. */
import { isStorable } from '../../../domain/text/hidden-characters.ts'

/** Longest stored text of a timeline or report detail, characters. */
const LONGEST_DETAIL = 500

/** Truncates the text of a carrier or a hook. */
export function bounded(detail: string): string {
  return keepable(detail.length > LONGEST_DETAIL ? detail.slice(0, LONGEST_DETAIL) : detail)
}

/** Longest stored inbound message, sender and recipient, characters: a carrier may send anything. */
const LONGEST_INBOUND = 65_536
const LONGEST_ADDRESS = 255
const LONGEST_REF = 256

/** The text of an inbound message. */
export function inboundText(text: string): string {
  return keepable(text.slice(0, LONGEST_INBOUND))
}

/** The sender or recipient of an inbound message. */
export function inboundAddress(address: string): string {
  return keepable(address.slice(0, LONGEST_ADDRESS))
}

/** A carrier's id of a message that an inbound message names. */
export function inboundRef(ref: string): string {
  return keepable(ref.slice(0, LONGEST_REF))
}

/** Removes NUL and replaces lone surrogates, which databases reject. */
function keepable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '').toWellFormed()
}
