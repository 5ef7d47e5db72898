/**
 * Splits a TCP byte stream into SIP messages by their Content-Length (RFC 3261 section 18.3). Holds at most one
 * message's bytes. Once the start of the next message is unknown, it reports the reason and reads nothing more.
 */
import { MAX_HEAD_BYTES, MAX_MESSAGE_BYTES, parseHead, type SipHead, type SipMessage } from './message.ts'

const FIRST_BYTES = 2_048

export class SipStream {
  /** Why the stream cannot be read any further; null while it can. */
  broken: string | null = null
  #buffer = Buffer.allocUnsafe(FIRST_BYTES)
  #used = 0
  /** Bytes already searched for the end of the head. */
  #searched = 0
  #head: SipHead | null = null
  #bodyStart = 0

  /** Returns the messages that these bytes complete. */
  push(chunk: Uint8Array): SipMessage[] {
    const messages: SipMessage[] = []
    for (let at = 0; at < chunk.length && this.broken === null; ) {
      const room = MAX_MESSAGE_BYTES - this.#used
      const piece = chunk.subarray(at, at + room)
      at += piece.length
      this.#append(piece)
      for (let next = this.#next(); next !== null; next = this.#next()) messages.push(next)
      if (this.broken === null && this.#used === MAX_MESSAGE_BYTES) this.#giveUp('a message is too long')
    }
    return messages
  }

  #next(): SipMessage | null {
    if (this.#head === null) {
      this.#skipKeepAlives()
      const end = this.#buffer.subarray(0, this.#used).indexOf('\r\n\r\n', this.#searched)
      if (end > MAX_HEAD_BYTES || (end < 0 && this.#used > MAX_HEAD_BYTES)) return this.#giveUp('a head is too long')
      if (end < 0) {
        this.#searched = Math.max(0, this.#used - 3)
        return null
      }
      this.#head = parseHead(this.#buffer.toString('utf8', 0, end))
      if (this.#head === null) return this.#giveUp('what came is not SIP')
      this.#bodyStart = end + 4
    }
    const length = this.#bodyStart + (this.#head.contentLength ?? 0)
    if (length > MAX_MESSAGE_BYTES) return this.#giveUp('a message is too long')
    if (this.#used < length) return null
    const message = this.#head.withBody(Uint8Array.from(this.#buffer.subarray(this.#bodyStart, length)))
    this.#head = null
    this.#drop(length)
    return message
  }

  /** Empty lines between messages are keep-alives (7.5, RFC 5626 section 3.5.1). */
  #skipKeepAlives(): void {
    let at = 0
    while (at + 1 < this.#used && this.#buffer[at] === 13 && this.#buffer[at + 1] === 10) at += 2
    if (at > 0) this.#drop(at)
  }

  #append(piece: Uint8Array): void {
    if (this.#used + piece.length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#used + piece.length))
      this.#buffer.copy(larger, 0, 0, this.#used)
      this.#buffer = larger
    }
    this.#buffer.set(piece, this.#used)
    this.#used += piece.length
  }

  #drop(count: number): void {
    this.#buffer.copyWithin(0, count, this.#used)
    this.#used -= count
    this.#searched = 0
  }

  #giveUp(why: string): null {
    this.broken = why
    this.#used = 0
    this.#head = null
    this.#buffer = Buffer.alloc(0)
    return null
  }
}
