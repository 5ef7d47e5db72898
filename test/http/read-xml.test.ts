/** XML documents are read piece by piece, with the same result wherever the pieces end. */
import { expect, test } from 'vitest'
import { PIECE_BYTES, type XmlElement, XmlReader } from '../../src/apis/xml/read-xml.ts'

function readAll(text: string): { readonly root: XmlElement | null; readonly pieces: number } {
  const reader = new XmlReader(Buffer.from(text))
  let pieces = 1
  while (reader.read()) pieces += 1
  return { root: reader.root, pieces }
}

test('the root is known after the first piece, and complete after the last one', () => {
  const text = `<package key="17"><message>${'<msg>Hi</msg>'.repeat(2_000)}</message></package>`
  const reader = new XmlReader(Buffer.from(text))
  expect(reader.root).toBeNull()
  expect(reader.read()).toBe(true)
  expect(reader.root?.attributes).toEqual({ key: '17' })
  const { root, pieces } = readAll(text)
  expect(pieces).toBe(Math.ceil(text.length / PIECE_BYTES))
  expect(root?.children[0]?.children).toHaveLength(2_000)
})

test('the pieces may end anywhere in a tag, a letter or a reference', () => {
  const end = '<msg id="17">Привіт &lt; 🦊\r\n<![CDATA[<b>]]></msg>'
  const children = readAll(`<package>${end}</package>`).root?.children
  for (let before = PIECE_BYTES - 90; before < PIECE_BYTES; before += 1) {
    const { root } = readAll(`<package>${' '.repeat(before)}${end}</package>`)
    expect(root?.children).toEqual(children)
  }
})

test.each([
  ['attributes of the root', `<package${attributes(15_000)}/>`],
  ['attributes of an element', `<package><msg${attributes(15_000)}/></package>`],
  ['levels', `<package>${'<a>'.repeat(20_000)}`],
])('a document of many %s is refused in its first piece', (_, text) => {
  expect(readAll(text)).toEqual({ root: null, pieces: 1 })
})

test('an element has at most 16 attributes', () => {
  expect(readAll(`<package${attributes(16)}/>`).root?.attributes).toMatchObject({ a15: '1' })
  expect(readAll(`<package${attributes(17)}/>`).root).toBeNull()
})

test('a document that ends within a letter is refused', () => {
  const reader = new XmlReader(Buffer.from('<package>я</package>').subarray(0, 10))
  expect([reader.read(), reader.root]).toEqual([false, null])
})

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => ` a${index}="1"`).join('')
}
