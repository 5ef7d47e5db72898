/** `posthorn bulk upload`: adds the lines of a CSV file to a bulk, a part at a time. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { CsvError, parse } from 'csv-parse'
import { writeCsv } from '../../operations/admin/fields/csv.ts'
import { beginCsv } from '../../operations/bulk/begin-csv.ts'
import { MAX_LINE_BYTES } from '../../operations/bulk/upload-errors.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import { readPositive } from '../command/option-readers.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Options {
  readonly account: number
  readonly bulk: number
  readonly file: string
}

interface Added {
  readonly lines: number
  readonly refused: number
  readonly skipped: number
  readonly estimate: number
  readonly currency: string
}

/** Of one request. */
const PART_LINES = 5_000
const PART_CHARACTERS = 500_000

export function bulkUploadCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'upload',
    summary: 'add the lines of a CSV file to a bulk; run it again to continue, lines that are stored are skipped',
    examples: [
      'posthorn bulk upload --server http://127.0.0.1:8081 --account 1 --bulk 1048641 --file lines.csv',
      'posthorn bulk upload --account 1 --bulk 1048641 --file lines.csv',
    ],
    settings: ASKING,
  })
    .requiredOption('--account <number>', 'the account', readPositive)
    .requiredOption('--bulk <number>', 'the bulk', readPositive)
    .requiredOption('--file <file>', 'CSV with a header row')
  return answerBy<Options>(command, terminal, async ({ account, bulk, file }, config) => {
    let [from_line, skipped] = [1, 0]
    let added: Added | null = null
    for await (const { csv, lines } of partsOf(file)) {
      const input = { params: { account, bulk }, query: {}, body: { csv, from_line } }
      added = (await askEndpoint('addBulkLines', input, config, terminal)) as Added
      skipped += added.skipped
      from_line += lines
    }
    if (added === null) throw new CannotDo(`${file}: has no lines`)
    const { lines, refused, estimate, currency } = added
    const before = skipped === 0 ? '' : ` ${skipped} were stored before.`
    const text = `The bulk has ${lines} lines, of which ${refused} are refused.${before} Estimate: ${estimate} ${currency}.`
    return { json: { ...added, skipped }, text }
  })
}

/** Each part has the header row. Rejects with CannotDo for a file that is no CSV. */
async function* partsOf(file: string): AsyncGenerator<{ readonly csv: string; readonly lines: number }> {
  const { delimiter, body } = await beginCsv(createReadStream(file) as AsyncIterable<Buffer>)
  const parser = parse({
    ...{ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_LINE_BYTES },
  })
  const source = Readable.from(body)
  source.on('error', (error) => parser.destroy(error)).pipe(parser)
  let header: readonly string[] | null = null
  let rows: (readonly string[])[] = []
  let characters = 0
  const part = () => ({ csv: writeCsv([...(header === null ? [] : [header]), ...rows]), lines: rows.length })
  try {
    for await (const row of parser as AsyncIterable<readonly string[]>) {
      if (header === null) {
        header = row
        continue
      }
      if (row.every((cell) => cell.trim() === '')) continue
      rows.push(row)
      characters += row.join().length
      if (rows.length < PART_LINES && characters < PART_CHARACTERS) continue
      yield part()
      rows = []
      characters = 0
    }
  } catch (error) {
    throw error instanceof CsvError ? new CannotDo(`${file}: ${error.message}`) : error
  }
  if (rows.length > 0) yield part()
}
