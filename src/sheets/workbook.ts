/** The parts of a workbook that say where its sheets, texts and styles are. */
import { isDateFormat, type NumberStyles, plainText } from './cell-value.ts'
import { readXmlPart, type XmlListener } from './read-xml.ts'
import { SheetError } from './sheet-error.ts'
import type { UnpackBudget } from './unzip.ts'

export interface Workbook {
  /** Those that are shown come first, in the order of their tabs. */
  readonly sheets: readonly { readonly name: string; readonly part: string }[]
  readonly styles: NumberStyles
  readonly texts: readonly string[]
}

export interface OpenFile {
  readonly bytes: Uint8Array
  readonly budget: UnpackBudget
  /** Characters of texts that may still be kept. */
  characters: number
}

/** Maximum characters of a cell in a spreadsheet. */
const MAX_CELL_CHARACTERS = 32_767
const MAX_SHEETS = 1_000

export function* readWorkbook(file: OpenFile): Generator<undefined, Workbook> {
  const [main] = [...(yield* readLinks(file, '')).values()].filter(({ type }) => type === 'officeDocument')
  if (main === undefined) throw new SheetError('format', 'the file is not an XLSX workbook')
  const links = yield* readLinks(file, main.part)
  const shown: Workbook['sheets'][number][] = []
  const hidden: Workbook['sheets'][number][] = []
  let since1904 = false
  yield* readPart(file, main.part, {
    open: (name, attributes) => {
      if (name === 'workbookPr') since1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const link = links.get(
        attributes['r:id'] ?? Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '',
      )
      if (link?.type !== 'worksheet' || shown.length + hidden.length === MAX_SHEETS) return
      const isShown = (attributes['state'] ?? 'visible') === 'visible'
      ;(isShown ? shown : hidden).push({ name: attributes['name'] ?? '', part: link.part })
    },
  })
  const partOf = (type: string) => [...links.values()].find((link) => link.type === type)?.part
  const styles = { dates: yield* readDateStyles(file, partOf('styles')), since1904 }
  return { sheets: [...shown, ...hidden], styles, texts: yield* readTexts(file, partOf('sharedStrings')) }
}

interface Link {
  /** The last word of its address: `worksheet`. */
  readonly type: string
  readonly part: string
}

/** Returns where the ids of a part lead; those of the whole file for an empty name. */
function* readLinks(file: OpenFile, part: string): Generator<undefined, ReadonlyMap<string, Link>> {
  const at = part.lastIndexOf('/') + 1
  const [folder, name] = [part.slice(0, at), part.slice(at)]
  const links = new Map<string, Link>()
  yield* readXmlPart(file.bytes, `${folder}_rels/${name}.rels`, file.budget, {
    open: (tag, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) => {
      if (tag !== 'Relationship' || id === undefined || mode === 'External') return
      links.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part: pathOf(folder, target) })
    },
  })
  return links
}

/** Addresses begin at the folder of their part, or with a slash at the root. */
function pathOf(folder: string, target: string): string {
  const path: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}

/** Returns whether cells of each style are dates. */
function* readDateStyles(file: OpenFile, part: string | undefined): Generator<undefined, readonly boolean[]> {
  const codes = new Map<number, string>()
  const dates: boolean[] = []
  let inCells = false
  yield* readOptional(file, part, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      const id = Number(numFmtId)
      if (name === 'numFmt') codes.set(id, formatCode)
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) dates.push(isDateFormat(id, codes.get(id)))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return dates
}

/** Returns the texts that cells name by their number. Readings of Asian characters are not part of a text. */
function* readTexts(file: OpenFile, part: string | undefined): Generator<undefined, readonly string[]> {
  const texts: string[] = []
  let [inText, inReading, current] = [false, false, '']
  yield* readOptional(file, part, {
    open: (name) => {
      if (name === 'si') current = ''
      if (name === 'rPh') inReading = true
      inText = name === 't'
    },
    text: (text) => {
      if (!inText || inReading) return
      current += text
    },
    close: (name) => {
      inText = false
      if (name === 'rPh') inReading = false
      if (name === 'si') texts.push(keep(file, plainText(current)))
    },
  })
  return texts
}

/** Returns the text, if it is not too long and room is left. */
export function keep(file: OpenFile, text: string): string {
  if (text.length > MAX_CELL_CHARACTERS) {
    throw new SheetError('cells', `a cell has more than ${MAX_CELL_CHARACTERS} characters`)
  }
  // Every text costs memory, also an empty one.
  file.characters -= text.length + 1
  if (file.characters < 0) throw new SheetError('size', 'the cells have too much text')
  return text
}

/** Throws SheetError if the file has not the part. */
export function* readPart(file: OpenFile, part: string, listener: XmlListener): Generator<undefined, void> {
  const found = yield* readXmlPart(file.bytes, part, file.budget, listener)
  if (!found) throw new SheetError('broken', `the file is incomplete: it has no ${part}`)
}

/** Reads a part that a workbook may do without. */
function* readOptional(file: OpenFile, part: string | undefined, listener: XmlListener): Generator<undefined, void> {
  if (part !== undefined) yield* readPart(file, part, listener)
}
