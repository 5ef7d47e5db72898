/** `posthorn cost import` and `posthorn price import`: import the sheet that a carrier sent, CSV or XLSX. */
import { basename } from 'node:path'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { runInSlices } from '../../ports/system/slices.ts'
import { SheetError } from '../../sheets/sheet-error.ts'
import { readSheetText } from '../../sheets/sheet-text.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import { readAccountId } from '../command/option-readers.ts'
import { readInputBytes } from '../command/read-input.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

/** Rows of a sheet, titles and blank ones included. */
const MAX_ROWS = 60_000
/** As the API takes. */
const MAX_FILE_NAME = 200

interface Options {
  readonly sheet?: string
  readonly columns?: Readonly<Record<string, number>>
  readonly [name: string]: unknown
}

interface Numbers {
  readonly prefix: string
  readonly operator: string | null
}

interface SomeLines {
  readonly count: number
  /** The first of them. */
  readonly lines: readonly { readonly line: number; readonly text: string }[]
}

interface Imported {
  readonly columns: Readonly<Record<string, number>>
  readonly columns_fault: string | null
  readonly from: string
  readonly sample: readonly (readonly string[])[]
  readonly lines: number
  readonly problems: readonly (SomeLines & { readonly detail: string })[]
  readonly unpriced: SomeLines
  readonly kept: number
  readonly effects: Readonly<Record<string, number>>
  readonly new_rates: number
  readonly changes: readonly (Numbers & {
    readonly effect: string
    readonly is_new: boolean
    readonly before: number | null
    readonly before_currency: string | null
    readonly after: number | null
    readonly after_currency: string | null
  })[]
  readonly csv: string | null
  readonly unknown_networks: { readonly count: number; readonly first: readonly string[] }
  readonly also_covered: readonly string[]
  readonly doubt: string | null
  readonly below_cost?: {
    readonly count: number
    readonly first: readonly (Numbers & {
      readonly account: number | null
      readonly group: string | null
      readonly currency: string
      readonly price: number
      readonly cost: number
      readonly cost_prefix: string
      readonly cost_operator: string | null
    })[]
  }
}

export function costImportCommand(terminal: Terminal): Command {
  const command = sheetCommand('import the costs of a carrier from the sheet that it sent', [
    'posthorn cost import acme-2027.xlsx --carrier acme --from 2027-01-01 --dry-run',
    'posthorn cost import acme-2027.xlsx --carrier acme --from 2027-01-01 --replace',
  ])
    .requiredOption('--carrier <id>', 'carrier of the costs')
    .option('--currency <code>', 'currency of the costs, ISO 4217; that of the sheet or installation by default')
    .option('--category <name>', 'billing category of the costs')
  return answerSheet(command, terminal, 'importCosts', ({ carrier, currency, category }) => ({
    params: { carrier },
    body: { currency, category },
  }))
}

export function priceImportCommand(terminal: Terminal): Command {
  const command = sheetCommand('import general prices, or those of an account or a price group, from a sheet', [
    'posthorn price import acme-2027.xlsx --channel sms --currency EUR --percent 115 --min-margin 0.002 --dry-run',
    'posthorn price import prices.csv --channel sms --currency EUR --account 1 --from 2027-01-01',
  ])
    .requiredOption('--channel <name>', 'channel of the prices')
    .requiredOption('--currency <code>', 'currency of the prices, ISO 4217')
    .option('--account <id>', 'account of the prices; the general prices by default', readAccountId)
    .option('--group <id>', 'price group of the prices')
    .option('--percent <number>', 'percentage of each amount: 115 means 15 % more', Number)
    .option('--min-margin <amount>', 'at least so much more than the amount', Number)
  return answerSheet(
    command,
    terminal,
    'importPrices',
    ({ channel, currency, account, group, percent, minMargin }) => ({
      params: {},
      body: { channel, currency, account: account as AccountId | undefined, group, percent, min_margin: minMargin },
    }),
  )
}

function sheetCommand(summary: string, examples: readonly [string, ...string[]]): Command {
  return newCommand({
    name: 'import',
    summary: `${summary}: CSV or XLSX, with the columns country, MCC, MNC or prefix, and price`,
    examples,
    settings: ASKING,
  })
    .argument('<file>', 'CSV or XLSX; - reads CSV from standard input')
    .option('--sheet <name>', 'sheet of the workbook; the first by default')
    .option('--columns <list>', 'which column is what, from 1: price=6,mcc=3,mnc=4,currency=7,from=8', readColumns)
    .option('--decimal <sign>', 'decimal sign of the amounts: . or ,')
    .option('--from <day>', 'first day of validity, such as 2027-01-01; at once by default')
    .option('--replace', 'the sheet is complete: end what it does not name')
    .option('--skip-wrong', 'leave out wrong lines')
    .option('--dry-run', 'print what would change and change nothing')
    .option('--confirm', 'accept changes that are probably a mistake')
    .option('--csv', 'print all changes as CSV')
}

interface SheetRequest {
  readonly params: object
  readonly body: Readonly<Record<string, unknown>>
}

function answerSheet(
  command: Command,
  terminal: Terminal,
  endpoint: string,
  requestOf: (options: Options) => SheetRequest,
): Command {
  return answerBy<Options>(command, terminal, async (options, config, [file]) => {
    const csv = await readFileText(String(file), options.sheet, terminal)
    const { columns, decimal, from, replace, skipWrong, dryRun, confirm, csv: csvChanges } = options
    const { params, body } = requestOf(options)
    const flags = { skip_wrong: skipWrong, dry_run: dryRun, confirm, csv_changes: csvChanges }
    const all = { ...body, csv, file: nameOfFile(String(file)), columns, decimal, from, replace, ...flags }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const answer = (await askEndpoint(endpoint, { params, query: {}, body: given }, config, terminal)) as Imported
    return { json: answer, text: answer.csv ?? writeImported(answer, dryRun === true) }
  })
}

/** Undefined for the standard input. */
export function nameOfFile(path: string): string | undefined {
  return path === '-' ? undefined : basename(path).slice(0, MAX_FILE_NAME)
}

async function readFileText(file: string, sheet: string | undefined, terminal: Terminal): Promise<string> {
  const bytes = await readInputBytes(file, terminal)
  const work = readSheetText(bytes, { maxRows: MAX_ROWS, ...(sheet === undefined ? {} : { sheet }) })
  try {
    return (await runInSlices(work)).text
  } catch (error) {
    throw error instanceof SheetError ? new CannotDo(`${file}: ${error.message}`) : error
  }
}

function readColumns(text: string): Readonly<Record<string, number>> {
  const pairs = text.split(',').map((pair) => /^\s*(\w+)=(\d{1,3})\s*$/.exec(pair))
  if (pairs.includes(null)) throw new InvalidArgumentError('must be such as price=6,mcc=3,mnc=4')
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], Number(pair?.[2])]))
}

function writeImported(answer: Imported, dryRun: boolean): string {
  const { columns, columns_fault: fault, effects, below_cost: below, unknown_networks: unknown, doubt } = answer
  if (fault !== null) {
    const lines = answer.sample.map((cells) => cells.join(' | '))
    return ['The first lines are:', ...lines, `--columns: ${fault}`].join('\n')
  }
  const counts = ['raised', 'lowered', 'added', 'ended', 'unchanged'].map((effect) => `${effects[effect]} ${effect}`)
  return [
    `Columns: ${Object.entries(columns)
      .map(([name, column]) => `${name}=${column}`)
      .join(',')}`,
    ...answer.problems.map(({ detail, ...lines }) => `${lines.count} wrong: ${detail}: ${writeLines(lines)}`),
    ...(answer.unpriced.count === 0
      ? []
      : [`${answer.unpriced.count} without a price: ${writeLines(answer.unpriced)}`]),
    ...(answer.kept === 0 ? [] : [`${answer.kept} kept: the sheet names them without a valid price`]),
    ...answer.changes.map(({ effect, is_new: isNew, before, after, ...change }) => {
      const was = before === null ? [] : [writeAmount(before, change.before_currency)]
      const is = after === null ? [] : [writeAmount(after, change.after_currency)]
      return `${effect}${isNew && effect !== 'added' ? ' by a new line' : ''} ${nameOf(change)}: ${[...was, ...is].join(' → ')}`
    }),
    ...(unknown.count === 0
      ? []
      : [`${unknown.count} networks are not in the table of operators: ${unknown.first.join(', ')}${more(unknown)}`]),
    ...(answer.also_covered.length === 0
      ? []
      : [`The prefixes also hold for ${answer.also_covered.join(', ')} where nothing more exact is set.`]),
    ...(below === undefined || below.count === 0 ? [] : writeBelow(below)),
    ...(doubt === null || !dryRun ? [] : [`Needs --confirm: ${doubt}`]),
    `${counts.join(', ')}, ${answer.new_rates} of them new, from ${answer.from}${dryRun ? ', not applied (dry run)' : ''}.`,
  ].join('\n')
}

function writeBelow({ count, first }: NonNullable<Imported['below_cost']>): readonly string[] {
  const lines = first.map(({ account, group, currency, price, cost, ...numbers }) => {
    const owner = account === null ? group && `group ${group}` : `account ${account}`
    const whose = owner === null ? 'general price' : `price of ${owner}`
    const costOf = nameOf({ prefix: numbers.cost_prefix, operator: numbers.cost_operator })
    return `  ${nameOf(numbers)}: ${whose} ${price} ${currency}, cost ${cost} (${costOf})`
  })
  return [`${count} prices are below the cost:`, ...lines, ...(count > first.length ? ['  …'] : [])]
}

function writeLines({ count, lines }: SomeLines): string {
  const first = lines.map(({ line, text }) => `line ${line} (${text})`)
  return `${first.join(', ')}${count > lines.length ? ' …' : ''}`
}

function writeAmount(amount: number, currency: string | null): string {
  return currency === null ? String(amount) : `${amount} ${currency}`
}

function nameOf({ prefix, operator }: Numbers): string {
  return operator ?? (prefix === '' ? 'every number' : `${prefix}…`)
}

function more({ count, first }: Imported['unknown_networks']): string {
  return count > first.length ? ', …' : ''
}
