/** `posthorn cost import` and `posthorn price import`: import the sheet that a carrier sent, CSV or XLSX. */
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { AccountId } from '../../domain/ids/account-id.ts'
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

interface Options {
  readonly sheet?: string
  readonly columns?: Readonly<Record<string, number>>
  readonly [name: string]: unknown
}

interface Numbers {
  readonly prefix: string
  readonly operator: string | null
}

interface Imported {
  readonly columns: Readonly<Record<string, number>>
  readonly columns_fault: string | null
  readonly from: string
  readonly sample: readonly (readonly string[])[]
  readonly lines: number
  readonly problems: readonly {
    readonly detail: string
    readonly count: number
    readonly lines: readonly { readonly line: number; readonly text: string }[]
  }[]
  readonly effects: Readonly<Record<string, number>>
  readonly changes: readonly (Numbers & {
    readonly effect: string
    readonly before: number | null
    readonly after: number | null
  })[]
  readonly unknown_networks: { readonly count: number; readonly first: readonly string[] }
  readonly also_covered: readonly string[]
  readonly doubt: string | null
  readonly below_cost?: {
    readonly count: number
    readonly first: readonly (Numbers & {
      readonly account: number | null
      readonly currency: string
      readonly price: number
      readonly cost: number
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
    const { columns, decimal, from, replace, skipWrong, dryRun, confirm } = options
    const { params, body } = requestOf(options)
    const all = { ...body, csv, columns, decimal, from, replace, skip_wrong: skipWrong, dry_run: dryRun, confirm }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const answer = (await askEndpoint(endpoint, { params, query: {}, body: given }, config, terminal)) as Imported
    return { json: answer, text: writeImported(answer, dryRun === true) }
  })
}

async function readFileText(file: string, sheet: string | undefined, terminal: Terminal): Promise<string> {
  const bytes = await readInputBytes(file, terminal)
  const work = readSheetText(bytes, { maxRows: MAX_ROWS, ...(sheet === undefined ? {} : { sheet }) })
  try {
    let next = work.next()
    while (next.done !== true) next = work.next()
    return next.value.text
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
    ...answer.problems.map(({ detail, count, lines }) => {
      const first = lines.map(({ line, text }) => `line ${line} (${text})`)
      return `${count} wrong: ${detail}: ${first.join(', ')}${count > lines.length ? ' …' : ''}`
    }),
    ...answer.changes.map(({ effect, before, after, ...numbers }) => {
      const amounts = [before, after].filter((amount) => amount !== null)
      return `${effect} ${nameOf(numbers)}: ${amounts.join(' → ')}`
    }),
    ...(unknown.count === 0
      ? []
      : [`${unknown.count} networks are not in the table of operators: ${unknown.first.join(', ')}${more(unknown)}`]),
    ...(answer.also_covered.length === 0 ? [] : [`The prefixes also hold for ${answer.also_covered.join(', ')}.`]),
    ...(below === undefined || below.count === 0 ? [] : writeBelow(below)),
    ...(doubt === null || !dryRun ? [] : [`Needs --confirm: ${doubt}`]),
    `${counts.join(', ')} from ${answer.from}${dryRun ? ', not applied (dry run)' : ''}.`,
  ].join('\n')
}

function writeBelow({ count, first }: NonNullable<Imported['below_cost']>): readonly string[] {
  const lines = first.map(({ account, currency, price, cost, ...numbers }) => {
    const whose = account === null ? 'general price' : `price of account ${account}`
    return `  ${nameOf(numbers)}: ${whose} ${price} ${currency}, cost ${cost}`
  })
  return [`${count} prices are below the cost:`, ...lines, ...(count > first.length ? ['  …'] : [])]
}

function nameOf({ prefix, operator }: Numbers): string {
  return operator ?? (prefix === '' ? 'every number' : `${prefix}…`)
}

function more({ count, first }: Imported['unknown_networks']): string {
  return count > first.length ? ', …' : ''
}
