/** The limits of one upload of lines, and the texts for clients that concern all of it. */
import { MAX_BULK_LINES } from '../../domain/bulk/bulk.ts'

/** Lines of one upload; the rest follows in another. */
export const MAX_UPLOAD_LINES = 100_000
export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024
export const MAX_LINE_BYTES = 16 * 1024
/** In the header of CSV. */
export const MAX_COLUMNS = 200

export const UPLOAD_ERRORS = {
  contentType: 'Content-Type must be text/csv or application/x-ndjson',
  noLines: 'The upload has no lines',
  notUploading: 'The bulk takes no lines: it was started or stopped',
  busy: 'Another upload adds lines to this bulk: ask bulk/status how many it has, and send the rest with from_line',
  lineTooLong: `A line is too long, at most ${MAX_LINE_BYTES} bytes`,
  tooManyBytes: `The upload is too large, at most ${MAX_UPLOAD_BYTES} bytes: send the rest with from_line`,
  tooManyLines: `The upload has too many lines, at most ${MAX_UPLOAD_LINES}: send the rest with from_line`,
  full: `The bulk has too many lines, at most ${MAX_BULK_LINES}`,
  fromLine: (lines: number) => `from_line: must be a number from 1 to ${lines + 1}, the line after the last one stored`,
  otherLine: (line: number, lines: number) =>
    `Line ${line} differs from the one stored: to add lines, send them with from_line=${lines + 1}`,
  refusedLine: (line: number, lines: number) =>
    `Line ${line} was refused before and can be sent now: send it as a new line, with from_line=${lines + 1}`,
  utf8: (line: number) => `The upload is not UTF-8 after line ${line}: save the file as UTF-8`,
  encoding: 'Content-Encoding is not supported: send the lines uncompressed',
  tooManyColumns: `The header has too many columns, at most ${MAX_COLUMNS}`,
  noColumn: (name: string) => `The header has no column ${name}`,
  columnTwice: (name: string) => `The header has the column ${name} twice`,
  csv: (reason: string) => `The CSV cannot be read: ${reason}`,
} as const
