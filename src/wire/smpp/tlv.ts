/** The optional parameters after the mandatory fields of a PDU (SMPP 3.4, 3.2.4), in the order on the wire. */
export interface Tlv {
  readonly tag: number
  /** May share memory with the bytes that it was read from. */
  readonly value: Uint8Array
}

export const NO_TLVS: readonly Tlv[] = []

/** SMPP 3.4, 5.3.2. */
export const TAGS = {
  statusText: 0x001d,
  receiptedMessageId: 0x001e,
  userMessageReference: 0x0204,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarNumber: 0x020f,
  interfaceVersion: 0x0210,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const

/** Returns the value of the first TLV with the tag. */
export function findTlv(tlvs: readonly Tlv[], tag: number): Uint8Array | null {
  for (const tlv of tlvs) if (tlv.tag === tag) return tlv.value
  return null
}

/** Reads a C-octet string, with or without its terminating zero. */
export function tlvText(value: Uint8Array): string {
  const end = value.indexOf(0)
  return latin1(value, end === -1 ? value.length : end)
}

/** Returns the bytes up to `end` as Latin-1. */
export function latin1(bytes: Uint8Array, end = bytes.length): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.toString('latin1', 0, end)
}

export function textTlv(tag: number, text: string): Tlv {
  return { tag, value: Buffer.from(`${text}\0`, 'latin1') }
}

export function byteTlv(tag: number, byte: number): Tlv {
  return { tag, value: Uint8Array.of(byte) }
}
