/** Reads the XML parts of a workbook as a stream of tags and texts. Refuses document types, and with them entities. */
import { DecodeUTF8 } from 'fflate'
import { SaxesParser } from 'saxes'
import { SheetError } from './sheet-error.ts'
import { readEntry, type UnpackBudget } from './unzip.ts'

const MAX_DEPTH = 32
const MAX_ATTRIBUTES = 100
/** Characters between two tags, which the parser keeps. */
const MAX_TEXT = 1024 * 1024
/** The parser counts its position too far by what it was given last, which may be unpacked from very little. */
const PIECE_CHARACTERS = 64 * 1024

export interface XmlListener {
  /** Names are without their prefix of a namespace. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** Returns whether the file has the part. Yields after each piece of the file. Throws SheetError. */
export function* readXmlPart(
  file: Uint8Array,
  name: string,
  budget: UnpackBudget,
  listener: XmlListener,
): Generator<undefined, boolean> {
  const parser = new TagParser(listener)
  const decoder = new DecodeUTF8((text) => parser.write(text))
  try {
    return yield* readEntry(file, name, budget, (piece, isLast) => {
      decoder.push(piece, isLast)
      if (isLast) parser.close()
    })
  } catch (error) {
    if (error instanceof SheetError) throw error
    refuse('its content cannot be read')
  }
}

class TagParser {
  readonly #parser = new SaxesParser()
  readonly #listener: XmlListener
  #depth = 0
  #attributes = 0
  /** Where the last tag began. */
  #position = 0

  constructor(listener: XmlListener) {
    this.#listener = listener
    this.#limit()
    this.#listen()
  }

  write(text: string): void {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      this.#parser.write(text.slice(at, at + PIECE_CHARACTERS))
      if (this.#parser.position - this.#position > MAX_TEXT) refuse('a text is too long')
    }
  }

  close(): void {
    this.#parser.close()
  }

  #limit(): void {
    const parser = this.#parser
    parser.on('error', (error) => {
      throw error
    })
    parser.on('doctype', () => refuse('it declares a document type'))
    parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
      if (encoding.toLowerCase() !== 'utf-8') refuse('it is not in UTF-8')
    })
    parser.on('opentagstart', () => {
      this.#depth += 1
      this.#attributes = 0
      this.#position = parser.position
      if (this.#depth > MAX_DEPTH) refuse('its elements are nested too deeply')
    })
    parser.on('attribute', () => {
      this.#attributes += 1
      if (this.#attributes > MAX_ATTRIBUTES) refuse('an element has too many attributes')
    })
  }

  #listen(): void {
    const [parser, listener] = [this.#parser, this.#listener]
    parser.on('opentag', ({ name, attributes }) => listener.open?.(localName(name), attributes))
    const take = (text: string) => listener.text?.(text)
    parser.on('text', take)
    parser.on('cdata', take)
    parser.on('closetag', ({ name }) => {
      this.#depth -= 1
      this.#position = parser.position
      listener.close?.(localName(name))
    })
  }
}

function refuse(why: string): never {
  throw new SheetError('broken', `the file is damaged: ${why}`)
}

/** Some programs write `x:row` for `row`. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
