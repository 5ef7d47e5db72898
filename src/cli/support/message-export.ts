/** `posthorn message export`: prints records of messages as CSV or JSON lines, a page at a time. */
import type { Command } from 'commander'
import Type from 'typebox'
import { readConfig } from '../../app/settings/config.ts'
import { endpointNamed } from '../../operations/admin/endpoints.ts'
import { plainCell, writeCsv } from '../../operations/admin/fields/csv.ts'
import type { ListPage } from '../../operations/admin/fields/take-page.ts'
import { RECORD_COLUMNS } from '../../operations/admin/messages/message-records.ts'
import { ASKING, newCommand, settingFlags } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'
import { addOptions, pick } from '../store/endpoint-command.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

/** Rows that are asked for at a time. */
const PAGE_ROWS = 1_000

export function messageExportCommand(terminal: Terminal): Command {
  // It asks for all pages.
  const which = Type.Omit(endpointNamed('listMessageRecords').body, ['most', 'after'])
  const command = newCommand({
    name: 'export',
    summary:
      'print one line for each message, ordered by msg_id, the highest first, without texts: CSV, or JSON lines with --json',
    examples: [
      'posthorn message export --from 2026-11-01T00:00:00Z --until 2026-12-01T00:00:00Z > november.csv',
      'posthorn message export --account 1 --json > messages.jsonl',
    ],
    settings: ASKING,
  })
  addOptions(command, which)
  return command.action(async () => {
    const config = readConfig(settingFlags(command), terminal.environment)
    const asked = { most: PAGE_ROWS, ...pick(which, command.opts()) }
    const write = command.opts<{ json?: true }>().json === true ? writeJsonLines : writeCells
    if (write === writeCells) terminal.out(writeCsv([RECORD_COLUMNS]))
    for (let after: number | null | undefined; after !== null; ) {
      const input = { params: {}, query: {}, body: after === undefined ? asked : { ...asked, after } }
      const page = (await askEndpoint('listMessageRecords', input, config, terminal)) as ListPage<Row>
      if (page.data.length > 0) terminal.out(write(page.data))
      after = page.next
    }
  })
}

function writeJsonLines(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

function writeCells(rows: readonly Row[]): string {
  return writeCsv(rows.map((row) => RECORD_COLUMNS.map((column) => toCell(row[column]))))
}

function toCell(value: Row[string] | undefined): string | number {
  return typeof value === 'number' ? value : plainCell(String(value ?? ''))
}
