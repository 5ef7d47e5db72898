/**
 * Encodes a column of cells as an array in PostgreSQL's binary format, which the server reads faster than text: the
 * dimension, the type of its elements, and each of them with its length.
 */
import type { Cell } from '../../rows/cells/cell.ts'

export type ArrayType = 'bigint' | 'integer' | 'smallint' | 'text' | 'bytea' | 'double precision'

/** The oid of the type, and its bytes; null if they vary. */
const ELEMENTS: Readonly<Record<ArrayType, readonly [oid: number, bytes: number | null]>> = {
  bigint: [20, 8],
  integer: [23, 4],
  smallint: [21, 2],
  'double precision': [701, 8],
  text: [25, null],
  bytea: [17, null],
}
/** Dimensions, whether there are nulls, the oid, the length of the dimension, the index of its first element. */
const HEAD_BYTES = 20
/** Of a UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3
/** Longer texts are faster to write with the native method. */
const SHORT_TEXT = 24
const NULL = -1
const FIRST_SCRATCH_BYTES = 65_536

/** Reused, because the size of texts is known only afterwards. */
let scratch = Buffer.allocUnsafeSlow(FIRST_SCRATCH_BYTES)

export function toBinaryArray(type: ArrayType, cells: readonly Cell[]): Buffer {
  const [oid, bytes] = ELEMENTS[type]
  reserve(0, HEAD_BYTES)
  let hasNull = 0
  let end = HEAD_BYTES
  for (const cell of cells) {
    if (cell === null || cell === undefined) {
      hasNull = 1
      end = writeLength(reserve(end, 4), NULL)
    } else if (bytes !== null) {
      writeLength(reserve(end, 4 + bytes), bytes)
      writeNumber(type, Number(cell), end + 4)
      end += 4 + bytes
    } else {
      end = typeof cell === 'object' ? writeBytes(cell, end) : writeText(String(cell), end)
    }
  }
  writeHead(cells.length, hasNull, oid)
  return Buffer.from(scratch.subarray(0, end))
}

function writeHead(length: number, hasNull: number, oid: number): void {
  scratch.writeInt32BE(1, 0)
  scratch.writeInt32BE(hasNull, 4)
  scratch.writeInt32BE(oid, 8)
  scratch.writeInt32BE(length, 12)
  scratch.writeInt32BE(1, 16)
}

function writeNumber(type: ArrayType, value: number, at: number): void {
  if (type === 'bigint') {
    scratch.writeInt32BE(Math.floor(value / 2 ** 32), at)
    scratch.writeInt32BE(value | 0, at + 4)
  } else if (type === 'integer') scratch.writeInt32BE(value, at)
  else if (type === 'smallint') scratch.writeInt16BE(value, at)
  else scratch.writeDoubleBE(value, at)
}

/** Returns where it ends. */
function writeText(text: string, start: number): number {
  reserve(start, 4 + text.length * MAX_UNIT_BYTES)
  const from = start + 4
  const end = from + (writeAscii(text, from) ? text.length : scratch.write(text, from))
  writeLength(start, end - from)
  return end
}

/** Returns false if the text is not short and plain. */
function writeAscii(text: string, from: number): boolean {
  if (text.length > SHORT_TEXT) return false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return false
    scratch[from + at] = unit
  }
  return true
}

function writeBytes(bytes: Uint8Array, start: number): number {
  reserve(start, 4 + bytes.length)
  scratch.set(bytes, writeLength(start, bytes.length))
  return start + 4 + bytes.length
}

function writeLength(at: number, length: number): number {
  return scratch.writeInt32BE(length, at)
}

/** Makes room behind `end`, which it returns. */
function reserve(end: number, bytes: number): number {
  if (end + bytes > scratch.length) {
    const larger = Buffer.allocUnsafeSlow(Math.max(end + bytes, scratch.length * 2))
    scratch.copy(larger, 0, 0, end)
    scratch = larger
  }
  return end
}
