/** Reads the answers of one HTTP/1.1 connection one after the other, of bounded size, and keeps what is asked for. */
import { type AnswerHead, parseAnswerHead } from './answer-head.ts'

const LINE_END = '\r\n'
const HEAD_END = '\r\n\r\n'
const MAX_HEAD_BYTES = 16_384
/** Of the size of a chunk and its extensions, and of a trailer. */
const MAX_LINE_BYTES = 4_096
const CHUNK_SIZE = /^([0-9a-fA-F]{1,8})[\t ]*(?:;.*)?$/
const SWITCHING_PROTOCOLS = 101
/** Heads with 1xx before the answer. */
const MAX_HINTS = 10

type Place = 'head' | 'length' | 'close' | 'chunk size' | 'chunk' | 'trailer' | 'end'

export class AnswerReader {
  readonly #maxBodyBytes: number
  /** Received and not read yet. */
  #rest = ''
  #place: Place = 'head'
  /** Bytes of the body, or of the chunk, that have not come yet. */
  #left = 0
  /** Of the answer so far. */
  #bytes = 0
  #head: AnswerHead | null = null
  #hints = 0
  /** How many bytes of the next body to keep. */
  #keeps = 0
  #kept = ''

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes
  }

  /** Of the answer that is being read; null before its status is known. */
  get head(): AnswerHead | null {
    return this.#head
  }

  /** The beginning of the body, a character for each byte; empty unless it is kept. */
  get body(): string {
    return this.#kept
  }

  /** Keeps so many bytes of the body that comes next. */
  keep(bytes: number): void {
    this.#keeps = bytes
  }

  /** More was received than the answer. */
  get hasMore(): boolean {
    return this.#rest !== ''
  }

  /** Returns true when the answer is complete. Throws if it is not HTTP or too long. */
  read(bytes: Buffer): boolean {
    this.#bytes += bytes.length
    this.#rest += bytes.toString('latin1')
    while (this.#place !== 'end') {
      const next = this.#step()
      if (this.#bytes > MAX_HEAD_BYTES + this.#maxBodyBytes) throw new Error('the answer is too long')
      if (next === null) return false
      this.#place = next
    }
    return true
  }

  /** Prepares for the next answer. */
  restart(): void {
    this.#place = 'head'
    this.#bytes = 0
    this.#head = null
    this.#hints = 0
    this.#keeps = 0
    this.#kept = ''
  }

  /** Reads one part of the answer. Returns what follows; null if more must come. */
  #step(): Place | null {
    switch (this.#place) {
      case 'head':
        return this.#readHead()
      case 'length':
        return this.#skip() ? 'end' : null
      case 'chunk size':
        return this.#readChunkSize()
      case 'chunk':
        return this.#skip() ? this.#readChunkEnd() : null
      case 'trailer': {
        const line = this.#readLine()
        return line === null ? null : line === '' ? 'end' : 'trailer'
      }
      default:
        this.#keep(this.#rest.length)
        this.#rest = ''
        return null
    }
  }

  #readHead(): Place | null {
    const text = this.#readUpTo(HEAD_END, MAX_HEAD_BYTES)
    if (text === null) return null
    const head = parseAnswerHead(text)
    if (head.status === SWITCHING_PROTOCOLS) throw new Error('the answer is not HTTP')
    if (head.status < 200) {
      this.#hints += 1
      if (this.#hints > MAX_HINTS) throw new Error('the answer is too long')
      return 'head'
    }
    this.#head = head
    if (head.body === 'chunked') return 'chunk size'
    if (head.body === 'until close') return 'close'
    this.#left = head.body
    return 'length'
  }

  #readChunkSize(): Place | null {
    const line = this.#readLine()
    if (line === null) return null
    const digits = CHUNK_SIZE.exec(line)?.[1]
    if (digits === undefined) throw new Error('the answer has a malformed chunk')
    this.#left = Number.parseInt(digits, 16)
    return this.#left === 0 ? 'trailer' : 'chunk'
  }

  #readChunkEnd(): Place | null {
    const line = this.#readLine()
    if (line === null) return null
    if (line !== '') throw new Error('the answer has a malformed chunk')
    return 'chunk size'
  }

  #readLine(): string | null {
    return this.#readUpTo(LINE_END, MAX_LINE_BYTES)
  }

  /** Returns the text before `end`; null if that has not come yet. */
  #readUpTo(end: string, max: number): string | null {
    const at = this.#rest.indexOf(end)
    if (at > max || (at < 0 && this.#rest.length > max + end.length)) throw new Error('the answer is too long')
    if (at < 0) return null
    const text = this.#rest.slice(0, at)
    this.#rest = this.#rest.slice(at + end.length)
    return text
  }

  /** Returns true when all of it has come. */
  #skip(): boolean {
    const skipped = Math.min(this.#left, this.#rest.length)
    this.#keep(skipped)
    this.#left -= skipped
    this.#rest = this.#rest.slice(skipped)
    return this.#left === 0
  }

  /** Keeps the next bytes of the body, as far as they are asked for. */
  #keep(bytes: number): void {
    const wanted = Math.min(bytes, this.#keeps - this.#kept.length)
    if (wanted > 0) this.#kept += this.#rest.slice(0, wanted)
  }
}
