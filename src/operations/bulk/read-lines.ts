/**
 * Reads uploaded lines from a stream of bytes, as CSV with a header row or as one JSON object per line, in bounded
 * memory. Reads on only when the caller asks for the next line.
 */
import { CsvError, parse } from 'csv-parse'
import { isObject } from '../../contract/envelope.ts'
import { Refused } from '../../contract/refused.ts'
import { MAX_LINE_BYTES, UPLOAD_ERRORS } from './upload-errors.ts'

export type LineFormat = 'csv' | 'ndjson'

/** The fields of one line; null if it is not an object. */
export type RawLine = Readonly<Record<string, unknown>> | null

type Bytes = AsyncIterable<Buffer>

/** `columns` are required in the header of CSV. The iterator throws Refused for a body that cannot be read on. */
export function readLines(bytes: Bytes, format: LineFormat, columns: readonly string[]): AsyncIterable<RawLine> {
  return format === 'csv' ? readCsv(bytes, columns) : readJsonLines(bytes)
}

async function* readCsv(bytes: Bytes, required: readonly string[]): AsyncGenerator<RawLine> {
  const checkHeader = (header: readonly string[]): string[] => {
    const names = header.map((name) => name.trim())
    const missing = required.find((name) => !names.includes(name))
    if (missing !== undefined) throw new Refused(UPLOAD_ERRORS.noColumn(missing))
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new Refused(UPLOAD_ERRORS.columnTwice(twice.slice(0, MAX_NAME)))
    return names
  }
  // Collected apart, because a parser that fails drops the records before the wrong one.
  const records: RawLine[] = []
  const parser = parse({
    ...{ bom: true, columns: checkHeader, skip_empty_lines: true, relax_column_count: true },
    ...{ max_record_size: MAX_LINE_BYTES, delimiter: [',', ';'] },
    on_record: (record: NonNullable<RawLine>) => {
      records.push(record)
      return null
    },
  })
  let failure: Error | null = null
  parser.on('error', (error) => {
    failure ??= error
  })
  parser.resume()
  for await (const chunk of bytes) {
    await new Promise<void>((resolve) => void parser.write(chunk, () => resolve()))
    yield* records.splice(0)
    if (failure !== null) throw refusalOf(failure)
  }
  await new Promise<void>((resolve) => void parser.once('close', resolve).end())
  yield* records
  if (failure !== null) throw refusalOf(failure)
}

function refusalOf(error: Error): Error {
  return error instanceof CsvError ? new Refused(UPLOAD_ERRORS.csv(error.message)) : error
}

const MAX_NAME = 64
const LINE_FEED = 0x0a

async function* readJsonLines(bytes: Bytes): AsyncGenerator<RawLine> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = chunk.subarray(start, end)
      yield* readJsonLine(rest.length === 0 ? line : Buffer.concat([rest, line]))
      rest = Buffer.alloc(0)
      start = end + 1
    }
    if (start < chunk.length) rest = Buffer.concat([rest, chunk.subarray(start)])
    if (rest.length > MAX_LINE_BYTES) throw new Refused(UPLOAD_ERRORS.lineTooLong)
  }
  yield* readJsonLine(rest)
}

/** Skips a blank line. */
function* readJsonLine(line: Buffer): Generator<RawLine> {
  if (line.length > MAX_LINE_BYTES) throw new Refused(UPLOAD_ERRORS.lineTooLong)
  const text = line.toString('utf8').trim()
  if (text === '') return
  try {
    const value: unknown = JSON.parse(text)
    yield isObject(value) ? value : null
  } catch {
    yield null
  }
}
