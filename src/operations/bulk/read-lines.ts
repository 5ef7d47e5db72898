/**
 * Reads uploaded lines from a stream of bytes, as CSV with a header row or as one JSON object per line, in bounded
 * memory. Reads on only when the caller asks for the next line. Keeps only the fields that are asked for: a client may
 * send many others, and no work is done on them.
 */
import { CsvError, parse } from 'csv-parse'
import { isObject } from '../../contract/request/envelope.ts'
import { JsonToken, keepExactIds, mayHaveUnusualIds } from '../../contract/request/read-json.ts'
import { Refused } from '../../contract/request/refused.ts'
import { beginCsv } from './begin-csv.ts'
import { MAX_COLUMNS, MAX_LINE_BYTES, UPLOAD_ERRORS } from './upload-errors.ts'

export type LineFormat = 'csv' | 'ndjson'

/** The fields of one line that were asked for; null if it is not an object. A list or object stands as `{}`. */
export type RawLine = Readonly<Record<string, unknown>> | null

type Bytes = AsyncIterable<Buffer>

/** A body that cannot be read on. The lines before were read. */
export class Unreadable extends Refused {}

export interface LineSource {
  readonly bytes: Bytes
  readonly format: LineFormat
  /** Number of the first line. */
  readonly fromLine: number
  /** Required in the header of CSV. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** Does a piece of work, at most a few milliseconds, in turn with that of others. */
  readonly run: (work: () => void) => Promise<void>
}

/** The iterator throws Unreadable. */
export async function* readLines(source: LineSource): AsyncGenerator<RawLine> {
  let line = source.fromLine - 1
  const sliced = { ...source, bytes: slicesOf(source.bytes, () => line) }
  for await (const raw of source.format === 'csv' ? readCsv(sliced) : readJsonLines(sliced)) {
    line += 1
    yield raw
  }
}

/** Bytes that are parsed at one time: a row of the wrong length costs an error with a stack, about 10 microseconds. */
const SLICE_BYTES = 1024

/** Checks that the bytes are UTF-8. */
async function* slicesOf(bytes: Bytes, lastLine: () => number): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const check = (slice?: Buffer) => {
    try {
      decoder.decode(slice, { stream: slice !== undefined })
    } catch {
      throw new Unreadable(UPLOAD_ERRORS.utf8(lastLine()))
    }
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES)
      check(slice)
      yield slice
    }
  }
  check()
}

async function* readCsv({ bytes, required, optional, run }: LineSource): AsyncGenerator<RawLine> {
  // Collected apart, because a parser that fails drops the records before the wrong one.
  const records: (readonly string[])[] = []
  // Without columns: with them, the parser copies all of them for each row that has more or fewer cells.
  const { delimiter, body } = await beginCsv(bytes)
  const parser = parse({
    bom: true,
    columns: false,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_LINE_BYTES,
    delimiter,
    on_record: (record: readonly string[]) => {
      records.push(record)
      return null
    },
  })
  let failure: Error | null = null
  parser.on('error', (error) => {
    failure ??= error
  })
  parser.resume()
  let columns: Columns | null = null
  function* parsed(): Generator<RawLine> {
    for (const cells of records.splice(0)) {
      if (columns === null) columns = columnsIn(cells, required, optional)
      else yield pick(columns, cells)
    }
    if (failure !== null) throw unreadable(failure)
  }
  for await (const slice of body) {
    let written: Promise<void> | undefined
    await run(() => {
      written = new Promise((resolve) => void parser.write(slice, () => resolve()))
    })
    await written
    yield* parsed()
  }
  await new Promise<void>((resolve) => void parser.once('close', resolve).end())
  yield* parsed()
}

/** Names of columns and where their cells are in a row. */
type Columns = readonly (readonly [name: string, index: number])[]

function columnsIn(header: readonly string[], required: readonly string[], optional: readonly string[]): Columns {
  if (header.length > MAX_COLUMNS) throw new Unreadable(UPLOAD_ERRORS.tooManyColumns)
  const names = header.map((name) => name.trim())
  const missing = required.find((name) => columnOf(names, name) < 0)
  if (missing !== undefined) throw new Unreadable(UPLOAD_ERRORS.noColumn(missing))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Unreadable(UPLOAD_ERRORS.columnTwice(twice.slice(0, MAX_NAME)))
  return [...required, ...optional]
    .map((name) => [name, columnOf(names, name)] as const)
    .filter(([, index]) => index >= 0)
}

/** Returns the place of the column; -1 without one. If none is written alike, capitals do not count. */
function columnOf(names: readonly string[], name: string): number {
  const exact = names.indexOf(name)
  if (exact >= 0) return exact
  const wanted = name.toLowerCase()
  const alike = names.flatMap((each, index) => (each.toLowerCase() === wanted ? index : []))
  if (alike.length > 1) throw new Unreadable(UPLOAD_ERRORS.columnTwice(name))
  return alike[0] ?? -1
}

function pick(columns: Columns, cells: readonly string[]): RawLine {
  return Object.fromEntries(columns.map(([name, index]) => [name, cells[index]]))
}

function unreadable(error: Error): Error {
  return error instanceof CsvError ? new Unreadable(UPLOAD_ERRORS.csv(error.message)) : error
}

const MAX_NAME = 64
const LINE_FEED = 0x0a
/** What JSON allows around a value. */
const BLANK: ReadonlySet<number | undefined> = new Set([LINE_FEED, 0x0d, 0x20, 0x09])

async function* readJsonLines({ bytes, required, optional, run }: LineSource): AsyncGenerator<RawLine> {
  const names = [...required, ...optional]
  const lines: RawLine[] = []
  let rest: Buffer = Buffer.alloc(0)
  const read = (slice: Buffer) => {
    let start = rest.length === 0 ? afterBlank(slice, 0) : 0
    for (let end = slice.indexOf(LINE_FEED); end >= 0; end = slice.indexOf(LINE_FEED, start)) {
      const line = slice.subarray(start, end)
      lines.push(...readJsonLine(rest.length === 0 ? line : Buffer.concat([rest, line]), names))
      rest = Buffer.alloc(0)
      start = afterBlank(slice, end + 1)
    }
    if (start < slice.length) rest = Buffer.concat([rest, slice.subarray(start)])
  }
  for await (const slice of bytes) {
    let failure: unknown = null
    await run(() => read(slice)).catch((error: unknown) => {
      failure = error
    })
    yield* lines.splice(0)
    if (failure !== null) throw failure
    if (rest.length > MAX_LINE_BYTES) throw new Unreadable(UPLOAD_ERRORS.lineTooLong)
  }
  yield* readJsonLine(rest, names)
}

/** Blank lines cost no work: megabytes of them may come. */
function afterBlank(slice: Buffer, start: number): number {
  let at = start
  while (BLANK.has(slice[at])) at += 1
  return at
}

/** Skips a blank line. */
function* readJsonLine(line: Buffer, names: readonly string[]): Generator<RawLine> {
  if (line.length > MAX_LINE_BYTES) throw new Unreadable(UPLOAD_ERRORS.lineTooLong)
  const text = line.toString('utf8').trim()
  if (text !== '') yield membersIn(text, names)
}

function membersIn(text: string, names: readonly string[]): RawLine {
  try {
    const parsed: unknown = JSON.parse(text)
    const value = mayHaveUnusualIds(text) ? keepExactIds(Buffer.from(`{"data":[${text}]}`), [parsed])[0] : parsed
    if (!isObject(value)) return null
    const own = names.filter((name) => Object.hasOwn(value, name))
    return Object.fromEntries(own.map((name) => [name, scalar(value[name])]))
  } catch {
    return null
  }
}

function scalar(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof JsonToken) ? {} : value
}
