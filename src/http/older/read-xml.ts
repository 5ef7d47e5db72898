/** Reads a small XML document. Refuses document types, and with them entities of their own. */
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

const MAX_DEPTH = 4
const MAX_ELEMENTS = 5_000
const MAX_ATTRIBUTES = 16

/** Returns the root; null if the document is not well-formed, not UTF-8 or exceeds a limit. */
export function readXml(body: Buffer): XmlElement | null {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

function parse(text: string): XmlElement | null {
  const parser = new SaxesParser()
  const open: OpenElement[] = []
  let root: XmlElement | null = null
  let count = 0
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new RangeError('document type')
  })
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') throw new RangeError('encoding')
  })
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    const isTooLarge = count > MAX_ELEMENTS || open.length >= MAX_DEPTH
    if (isTooLarge || Object.keys(attributes).length > MAX_ATTRIBUTES) throw new RangeError('too large')
    open.push({ name, attributes, children: [], text: '' })
  })
  const take = (characters: string): void => {
    const element = open.at(-1)
    if (element !== undefined) element.text += characters
  }
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element === undefined) return
    const parent = open.at(-1)
    if (parent === undefined) root = element
    else parent.children.push(element)
  })
  parser.write(text).close()
  return root
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
