/** Workbooks as spreadsheets write them, and those that are broken or hostile. */
import { Zip, ZipDeflate, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readXlsx, type XlsxOptions, type XlsxSheet } from '../../src/sheets/read-xlsx.ts'
import { SheetError } from '../../src/sheets/sheet-error.ts'
import { readSheetText } from '../../src/sheets/sheet-text.ts'
import { readEntry } from '../../src/sheets/unzip.ts'
import { writeLinks, writeParts, writeXlsx } from '../support/write-xlsx.ts'

const MIB = 1024 * 1024
const utf8 = (text: string) => new TextEncoder().encode(text)

function run<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}

const readAll = (bytes: Uint8Array, options: Partial<XlsxOptions> = {}): XlsxSheet =>
  run(readXlsx(bytes, { maxRows: 1_000, ...options }))

function faultOf(bytes: Uint8Array, options: Partial<XlsxOptions> = {}): string {
  try {
    readAll(bytes, options)
    return 'none'
  } catch (error) {
    if (!(error instanceof SheetError)) throw error
    return `${error.fault}: ${error.message}`
  }
}

const OPTIONAL = [
  ['t', 'sharedStrings', 'texts.xml'],
  ['f', 'styles', 'styles.xml'],
] as const

/** A workbook of one sheet with this content, and with parts beside it. */
function workbookOf(rows: string, parts: Readonly<Record<string, string>> = {}, workbook = ''): Uint8Array {
  return writeParts({
    'xl/workbook.xml': `<workbook xmlns:r="r">${workbook}<sheets><sheet name="A" r:id="s"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': writeLinks([
      ['s', 'worksheet', 'sheet.xml'],
      ...Object.keys(parts).flatMap((part) => OPTIONAL.filter(([, , target]) => part === `xl/${target}`)),
    ]),
    'xl/sheet.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  })
}

describe('a workbook', () => {
  test('is read as rows of texts, with blank rows and cells in their places', () => {
    const bytes = writeXlsx([
      {
        name: 'Rates',
        rows: [
          ['Acme & Söhne'],
          [],
          ['Country', 'MCC', null, 'Price', 'From'],
          ['Germany', 262, null, 0.0712, new Date('2027-01-01')],
          [null],
        ],
      },
    ])
    expect(readAll(bytes).rows).toEqual([
      ['Acme & Söhne'],
      [],
      ['Country', 'MCC', '', 'Price', 'From'],
      ['Germany', '262', '', '0.0712', '2027-01-01'],
    ])
  })

  test('offers its sheets, hidden ones last, and reads the first that is shown', () => {
    const bytes = writeXlsx([
      { name: 'Notes', rows: [['internal']], hidden: true },
      { name: 'SMS', rows: [['sms']] },
      { name: 'Voice', rows: [['voice']] },
    ])
    expect(readAll(bytes)).toEqual({ sheets: ['SMS', 'Voice', 'Notes'], sheet: 'SMS', rows: [['sms']] })
    expect(readAll(bytes, { sheet: 'Notes' }).rows).toEqual([['internal']])
    expect(faultOf(bytes, { sheet: 'RCS' })).toBe('sheet: the sheets are: SMS, Voice, Notes')
  })

  test.each([
    ['0.07', '0.07'],
    ['7.1999999999999995E-2', '0.072'],
    ['1.2E-5', '0.000012'],
    ['491701234501', '491701234501'],
    ['1E+21', '1000000000000000000000'],
    ['-3', '-3'],
  ])('has the number %s as %s', (stored, text) => {
    expect(readAll(workbookOf(`<row><c><v>${stored}</v></c></row>`)).rows).toEqual([[text]])
  })

  test('has days and times by its number formats, and those of old Macs', () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;;[Red]General"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/></cellXfs></styleSheet>`
    const cells =
      '<row><c s="1"><v>46388.5</v></c><c s="2"><v>46388.5</v></c><c s="3"><v>46388</v></c><c s="3"><v>59</v></c></row>'
    expect(readAll(workbookOf(cells, { 'xl/styles.xml': styles })).rows).toEqual([
      ['2027-01-01T12:00:00', '46388.5', '2027-01-01', '1900-02-28'],
    ])
    const mac = workbookOf(
      '<row><c s="3"><v>44926</v></c></row>',
      { 'xl/styles.xml': styles },
      '<workbookPr date1904="1"/>',
    )
    expect(readAll(mac).rows).toEqual([['2027-01-01']])
  })

  test('has texts in pieces, inline texts, values of formulas, words for yes, no and errors', () => {
    const texts =
      '<sst><si><r><t>Acme</t></r><r><t xml:space="preserve"> Mobile</t></r><rPh><t>reading</t></rPh></si></sst>'
    const row =
      '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>a_x0009_b</t></is></c><c t="str"><f>A1&amp;"x"</f><v>x</v></c>' +
      '<c><f>1/4</f><v>0.25</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>'
    expect(readAll(workbookOf(row, { 'xl/texts.xml': texts })).rows).toEqual([
      ['Acme Mobile', 'a\tb', 'x', '0.25', 'TRUE', '#N/A'],
    ])
  })

  test('may have prefixes before its names, and places that only some cells name', () => {
    const rows =
      '<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row r="3"><c r="AA3"><v>4</v></c></row>'
    const prefixed = rows.replaceAll(/<(\/?)(\w)/g, '<$1x:$2')
    const [first, blank, third] = readAll(workbookOf(prefixed)).rows
    expect([first, blank, third?.length, third?.at(-1)]).toEqual([['1', '', '', '2', '3'], [], 27, '4'])
  })

  test('may be written as a stream, whose lengths stand behind the entries', () => {
    const pieces: Uint8Array[] = []
    const zip = new Zip((_, piece) => pieces.push(piece))
    const parts = {
      '_rels/.rels': writeLinks([['a', 'officeDocument', 'xl/workbook.xml']]),
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="s"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': writeLinks([['s', 'worksheet', 'sheet.xml']]),
      'xl/sheet.xml': '<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>',
    }
    for (const [path, xml] of Object.entries(parts)) {
      const entry = new ZipDeflate(path)
      zip.add(entry)
      entry.push(utf8(xml), true)
    }
    zip.end()
    expect(readAll(Buffer.concat(pieces)).rows).toEqual([['7']])
  })

  test('yields so that other work runs while a large one is read', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`Country ${at}`, at, at / 7])
    const work = readXlsx(writeXlsx([{ name: 'A', rows }]), { maxRows: 20_000 })
    let slices = 0
    let next = work.next()
    while (next.done !== true) {
      slices += 1
      next = work.next()
    }
    expect(next.value.rows.at(-1)?.slice(0, 2)).toEqual(['Country 19999', '19999'])
    expect(slices).toBeGreaterThan(50)
  })
})

describe('refused is', () => {
  test('what is no workbook', () => {
    expect(faultOf(utf8('Country,MCC'))).toBe('format: the file is not an XLSX workbook')
    expect(faultOf(zipSync({ 'content.xml': utf8('<office/>') }))).toBe('format: the file is not an XLSX workbook')
    expect(faultOf(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0))).toMatch(/^locked: .* save it as XLSX without one$/)
  })

  test('a file that ends early, at any place', () => {
    const bytes = writeXlsx([
      {
        name: 'A',
        rows: [
          ['Country', 'Price'],
          ['Germany', 0.07],
        ],
      },
    ])
    const directory = Buffer.from(bytes).indexOf('PK\x01\x02')
    const lengths = Array.from({ length: Math.floor(directory / 17) }, (_, at) => at * 17)
    const faults = lengths.map((length) => faultOf(bytes.subarray(0, length)))
    expect(faults.filter((fault) => !/^(broken|format|sheet): /.test(fault))).toEqual([])
  })

  test('more blank rows and cells than a sheet has by accident, before they cost time', () => {
    const blank = (rows: number) => '<row></row>'.repeat(rows)
    const wide = (cells: number) => `<row><c><v>1</v></c>${'<c s="1"/>'.repeat(cells - 1)}</row>`
    expect(readAll(workbookOf(`${wide(100)}${blank(100_000)}`)).rows).toHaveLength(1)
    expect(readAll(workbookOf(wide(200_000))).rows).toHaveLength(1)
    const fault = 'blank: the sheet has more than 300000 blank rows and cells: delete them'
    expect(faultOf(workbookOf(blank(300_001)))).toBe(fault)
    expect(faultOf(workbookOf(wide(300_101)))).toBe(fault)
    expect(faultOf(workbookOf(`<row>${'<c/>'.repeat(99)}</row>`.repeat(3_001)))).toBe(fault)
  })

  test('an entry that unpacks to more than the rest of the budget, whatever length it declares', () => {
    const file = Buffer.from(zipSync({ bomb: new Uint8Array(64 * MIB) }))
    const declared = 22
    file.writeUInt32LE(10, declared)
    expect(file.length).toBeLessThan(MIB)
    let taken = 0
    const work = readEntry(file, 'bomb', { bytes: 8 * MIB }, ({ length }) => {
      taken += length
    })
    expect(() => run(work)).toThrow('the unpacked file is too large')
    expect(taken).toBeLessThanOrEqual(8 * MIB)
  })

  test('a text without end, whatever it is: spaces, a comment, an attribute', () => {
    const long = ' '.repeat(8 * MIB)
    for (const xml of [`<a>${long}</a>`, `<a><!--${long}--></a>`, `<a b="${long}"/>`]) {
      expect(faultOf(workbookOf('', { 'xl/sheet.xml': xml }))).toBe('broken: the file is damaged: a text is too long')
    }
  })

  test('a part that is missing, and a text', () => {
    const files = { 'xl/texts.xml': '<sst/>' }
    expect(faultOf(workbookOf('<row><c t="s"><v>7</v></c></row>', files))).toMatch('a text is missing')
    const links = { 'xl/_rels/workbook.xml.rels': writeLinks([['s', 'worksheet', 'other.xml']]) }
    expect(faultOf(workbookOf('', links))).toBe('broken: the file is incomplete: it has no xl/other.xml')
  })

  test('a document type, elements in elements, attributes without end, other encodings', () => {
    const withSheet = (xml: string) => workbookOf('', { 'xl/sheet.xml': xml })
    expect(faultOf(withSheet('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'))).toMatch('document type')
    expect(faultOf(withSheet('<a>'.repeat(1_000)))).toMatch('nested too deeply')
    expect(faultOf(withSheet(`<a ${Array.from({ length: 200 }, (_, at) => `a${at}="1"`).join(' ')}/>`))).toMatch(
      'attributes',
    )
    expect(faultOf(withSheet('<worksheet><sheetData></worksheet>'))).toMatch('its content cannot be read')
  })

  test('too many rows, cells and characters', () => {
    const row = (number: number) => `<row r="${number}"><c><v>1</v></c></row>`
    expect(faultOf(workbookOf(row(1_001)))).toBe('rows: the sheet has more than 1000 rows')
    expect(faultOf(workbookOf(row(1_000)))).toBe('none')
    expect(faultOf(workbookOf(row(2) + row(1)))).toBe('broken: the file is damaged: row 1 is not in order')
    expect(faultOf(workbookOf('<row><c r="CW1"><v>1</v></c></row>'))).toBe('cells: row 1 has more than 100 columns')
    const long = `<row><c t="str"><v>${'x'.repeat(32_768)}</v></c></row>`
    expect(faultOf(workbookOf(long))).toBe('cells: a cell has more than 32767 characters')
  })

  test('a file with thousands of parts', () => {
    const parts = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`part${at}`, utf8('x')]))
    expect(faultOf(zipSync(parts))).toBe('size: the file has more than 1000 parts')
  })
})

describe('the text of a file', () => {
  const textOf = (bytes: Uint8Array) => run(readSheetText(bytes, { maxRows: 100 }))

  test('binary files are refused, also those that begin as a text, and texts of other code pages are not', () => {
    const refuse = (bytes: Uint8Array) => expect(() => textOf(bytes)).toThrow('the file is not a CSV or XLSX file')
    refuse(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))
    refuse(Buffer.concat([utf8('%PDF-1.7\n'), Uint8Array.of(0, 1, 2, 0xff)]))
    refuse(Uint8Array.of(0xff, 0xfe, 0x01, 0x00, 0x02, 0x00))
    expect(textOf(Uint8Array.of(0x8d, 0x2c, 0x9d, 0x0a)).text).toHaveLength(4)
  })

  test('of a workbook has the rows as lines', () => {
    const bytes = writeXlsx([{ name: 'A', rows: [['a, b', 'say "hi"'], [], ['two\nlines', 1.5]] }])
    expect(textOf(bytes)).toEqual({ text: '"a, b","say ""hi"""\n\ntwo lines,1.5\n', sheets: ['A'], sheet: 'A' })
  })

  test('of a text file has its characters, of UTF-8, UTF-16 and old Windows', () => {
    for (const bytes of [
      utf8('Österreich;1,5 €'),
      Buffer.from('\ufeffÖsterreich;1,5 €', 'utf16le'),
      Buffer.from([0xd6, ...utf8('sterreich;1,5 '), 0x80]),
    ]) {
      expect(textOf(bytes)).toEqual({ text: 'Österreich;1,5 €', sheets: [], sheet: null })
    }
  })
})
