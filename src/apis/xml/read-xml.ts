/**
 * Reads a small XML document piece by piece, so that its key is checked before all of it is parsed. Refuses document
 * types, and with them entities of their own.
 */
import { SaxesParser } from 'saxes'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Without that of its children. */
  readonly text: string
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[]
  text: string
}

export const PIECE_BYTES = 4 * 1024

const MAX_DEPTH = 4
const MAX_ELEMENTS = 5_000
const MAX_ATTRIBUTES = 16

export class XmlReader {
  readonly #body: Buffer
  readonly #parser = new SaxesParser()
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  readonly #open: OpenElement[] = []
  #root: XmlElement | null = null
  #position = 0
  #elements = 0
  #attributes = 0

  constructor(body: Buffer) {
    this.#body = body
    this.#listen()
  }

  /**
   * The root, from the end of its start tag on; complete once nothing is left. Null before, and for a document that is
   * not well-formed, not UTF-8 or exceeds a limit.
   */
  get root(): XmlElement | null {
    return this.#root
  }

  /** Reads the next piece; returns whether more is left. Reads no further than the piece with an error. */
  read(): boolean {
    const piece = this.#body.subarray(this.#position, this.#position + PIECE_BYTES)
    this.#position += PIECE_BYTES
    const isLast = this.#position >= this.#body.length
    try {
      this.#parser.write(this.#decoder.decode(piece, { stream: !isLast }))
      if (isLast) this.#parser.close()
      return !isLast
    } catch {
      this.#root = null
      return false
    }
  }

  #listen(): void {
    const parser = this.#parser
    parser.on('error', (error) => {
      throw error
    })
    parser.on('doctype', () => {
      throw new RangeError('document type')
    })
    parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
      if (encoding.toLowerCase() !== 'utf-8') throw new RangeError('encoding')
    })
    parser.on('opentagstart', () => {
      this.#elements += 1
      this.#attributes = 0
      if (this.#elements > MAX_ELEMENTS || this.#open.length >= MAX_DEPTH) throw new RangeError('too large')
    })
    // Not at the end of the tag: the parser would have read thousands by then.
    parser.on('attribute', () => {
      this.#attributes += 1
      if (this.#attributes > MAX_ATTRIBUTES) throw new RangeError('too large')
    })
    parser.on('opentag', ({ name, attributes }) => {
      const element = { name, attributes, children: [], text: '' }
      this.#open.at(-1)?.children.push(element)
      this.#open.push(element)
      this.#root ??= element
    })
    const take = (characters: string): void => {
      const element = this.#open.at(-1)
      if (element !== undefined) element.text += characters
    }
    parser.on('text', take)
    parser.on('cdata', take)
    parser.on('closetag', () => void this.#open.pop())
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Characters that XML 1.0 does not allow are left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
