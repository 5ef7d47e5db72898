/** The header that joins the parts of a long message: UDH information element 00 (3GPP TS 23.040, 9.2.3.24.1). */
export interface Concatenation {
  /** The same in all parts of one message. */
  readonly reference: number
  readonly total: number
  /** From 1. */
  readonly number: number
}

/** Set in esm_class when the payload begins with a header (SMPP 3.4, 5.2.12). */
export const UDH_INDICATOR = 0x40
export const MOST_PARTS = 255

/** Six bytes to stand in front of the text. */
export function writeConcatenation({ reference, total, number }: Concatenation): Uint8Array {
  return Uint8Array.of(0x05, 0x00, 0x03, reference, total, number)
}

/** The text behind the header that the payload begins with; empty when the header is longer than the payload. */
export function withoutHeader(payload: Uint8Array): Uint8Array {
  return payload.subarray(1 + (payload[0] ?? 0))
}
