/**
 * The text of a delivery receipt, `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:… text:…` (SMPP 3.4,
 * appendix B). Carriers write it differently, so reading requires only an id or a state, in any letter case and order,
 * with colons or equals signs.
 */
export interface ReceiptText {
  /** The carrier's id of the message; empty if the text has none. */
  readonly id: string
  /** The carrier's word for the state; empty if the text has none. */
  readonly stat: string
  /** The carrier's error code; empty if the text has none. */
  readonly err: string
}

export interface WrittenReceipt extends ReceiptText {
  /** Milliseconds since 1970, both. */
  readonly submittedAt: number
  readonly doneAt: number
  readonly delivered: boolean
  /** The text of the message; its first 20 characters are written. */
  readonly text: string
}

/** Characters that are searched for fields; what follows is the message's text or noise. */
const READ_CHARACTERS = 500

/** Ids may contain colons; an empty one is followed by the next field. */
const ID = /\bid[:=]\s*(?!(?:sub|dlvrd|submit|done|stat|state|status|err|text)[ _:=])([^\s;,]{1,65})(?=[\s;,]|$)/i
const STATE = /\bstat(?:us|e)?[:=]\s*([a-z\d]{1,20})/i

/** Returns null for a text that is no receipt. */
export function readReceiptText(text: string): ReceiptText | null {
  const head = headOf(text)
  const id = ID.exec(head)?.[1] ?? ''
  const stat = STATE.exec(head)?.[1] ?? ''
  const err = /\berr[:=]\s*([\w.-]{1,20})/i.exec(head)?.[1] ?? ''
  return id === '' && stat === '' ? null : { id, stat, err }
}

/**
 * Returns whether a text has the form of a receipt, whatever its message type: it begins with an id and has a state and
 * another field. A state is enough if the id is outside of the text.
 */
export function looksLikeReceipt(text: string, hasId = false): boolean {
  const head = headOf(text)
  if (!STATE.test(head)) return false
  return hasId || (BEGINS_WITH_ID.test(head) && OTHER_FIELD.test(head))
}

const BEGINS_WITH_ID = /^\s*id[:=]\s*[^\s;,]{1,65}[\s;,]/i
const OTHER_FIELD = /\b(?:sub|dlvrd|err|submit[ _]?date|done[ _]?date)[:=]/i

function headOf(text: string): string {
  const read = text.slice(0, READ_CHARACTERS)
  const end = read.search(/\btext[:=]/i)
  return end === -1 ? read : read.slice(0, end)
}

export function writeReceiptText(facts: WrittenReceipt): string {
  const { id, stat, err, delivered, submittedAt, doneAt, text } = facts
  const dates = `submit date:${writeDate(submittedAt)} done date:${writeDate(doneAt)}`
  return `id:${id} sub:001 dlvrd:00${delivered ? 1 : 0} ${dates} stat:${stat} err:${err} text:${text.slice(0, 20)}`
}

let lastMinute = { minute: Number.NaN, date: '' }

/** YYMMDDhhmm, UTC. Cached, because many receipts have the same minute. */
function writeDate(at: number): string {
  const minute = Math.floor(at / 60_000)
  if (lastMinute.minute !== minute) {
    lastMinute = { minute, date: new Date(at).toISOString().replace(/\D/g, '').slice(2, 12) }
  }
  return lastMinute.date
}
