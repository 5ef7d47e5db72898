/** Writes XLSX workbooks as spreadsheets do: texts shared, numbers and days as numbers with a style. */
import { strToU8, type Zippable, zipSync } from 'fflate'

/** A `Date` is a day. */
type XlsxCell = string | number | Date | null

export interface XlsxTab {
  readonly name: string
  readonly rows: readonly (readonly XlsxCell[])[]
  readonly hidden?: boolean
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const DAY_MS = 24 * 3600 * 1000

export function writeXlsx(tabs: readonly XlsxTab[]): Uint8Array {
  const texts = [...new Set(tabs.flatMap(({ rows }) => rows.flat().filter((cell) => typeof cell === 'string')))]
  const places = new Map(texts.map((text, at) => [text, at]))
  return writeParts({
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${tabs
      .map(
        ({ name, hidden }, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': writeLinks([
      ...tabs.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['texts', 'sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles', '/xl/styles.xml'],
    ]),
    ...Object.fromEntries(tabs.map((tab, at) => [`xl/worksheets/sheet${at + 1}.xml`, writeTab(tab, places)])),
    'xl/styles.xml': `<styleSheet ${MAIN}><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}>${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
  })
}

/** Writes a workbook of these parts, with what leads to `xl/workbook.xml`. */
export function writeParts(parts: Readonly<Record<string, string>>): Uint8Array {
  const files: Zippable = { '_rels/.rels': strToU8(HEAD + writeLinks([['rId1', 'officeDocument', 'xl/workbook.xml']])) }
  for (const [path, xml] of Object.entries(parts)) files[path] = strToU8(HEAD + xml)
  return zipSync(files)
}

export function writeLinks(links: readonly (readonly [id: string, type: string, target: string])[]): string {
  const each = links.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}

function writeTab({ rows }: XlsxTab, places: ReadonlyMap<string, number>): string {
  const lines = rows.map((cells, at) => {
    const written = cells.map((cell, column) => writeCell(cell, `${String.fromCharCode(65 + column)}${at + 1}`, places))
    return `<row r="${at + 1}">${written.join('')}</row>`
  })
  return `<worksheet ${MAIN}><sheetData>${lines.join('')}</sheetData></worksheet>`
}

function writeCell(cell: XlsxCell, place: string, places: ReadonlyMap<string, number>): string {
  if (cell === null) return `<c r="${place}"/>`
  if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${places.get(cell)}</v></c>`
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  return `<c r="${place}" s="1"><v>${(cell.getTime() - Date.UTC(1899, 11, 30)) / DAY_MS}</v></c>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
