/** `posthorn tariff import`: imports the prices of an account, of a price group, or the general ones, from a file. */
import type { Command } from 'commander'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { readAccountId } from '../command/option-readers.ts'
import { readInput } from '../command/read-input.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'
import { nameOfFile } from './sheet-import.ts'

interface Options {
  readonly currency: string
  readonly account?: AccountId
  readonly group?: string
  readonly merge?: true
  readonly dryRun?: true
  readonly confirm?: true
}

interface Imported {
  readonly prices: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly difference: readonly string[]
}

export function tariffImportCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'import',
    summary:
      'replace the prices of an account, of a price group, or the general ones, by a file. Its first line names the columns: ' +
      'channel,prefix,operator,from,until,price. Prints what is added (+), removed (-) and changed (~)',
    examples: [
      'posthorn tariff import prices.csv --currency EUR --dry-run',
      'posthorn tariff import prices.csv --currency EUR',
      'posthorn tariff import new-prices.csv --currency EUR --account 1 --merge',
    ],
    settings: ASKING,
  })
    .argument('<file>', 'CSV; - reads standard input')
    .requiredOption('--currency <code>', 'currency of the prices, ISO 4217')
    .option('--account <id>', 'account of the prices; the general prices by default', readAccountId)
    .option('--group <group>', 'price group of the prices, instead of an account')
    .option('--merge', 'keep prices that the file does not name')
    .option('--dry-run', 'print the difference and change nothing')
    .option('--confirm', 'accept a file without prices, or one that removes more than half of the prices')
  return answerBy<Options>(command, terminal, async (options, config, [file]) => {
    const { currency, account, group, merge = false, dryRun = false, confirm = false } = options
    const path = String(file)
    const csv = await readInput(path, terminal)
    const owner = { ...(account === undefined ? {} : { account }), ...(group === undefined ? {} : { group }) }
    const name = nameOfFile(path)
    const body = {
      currency,
      csv,
      ...(name === undefined ? {} : { file: name }),
      merge,
      dry_run: dryRun,
      confirm,
      ...owner,
    }
    const input = { params: {}, query: {}, body }
    const answer = (await askEndpoint('importTariff', input, config, terminal)) as Imported
    return { json: answer, text: writeImported(answer, dryRun) }
  })
}

function writeImported({ prices, added, changed, removed, difference }: Imported, dryRun: boolean): string {
  const rest = added + changed + removed - difference.length
  return [
    ...difference,
    ...(rest === 0 ? [] : [`… ${rest} more`]),
    `${added} added, ${changed} changed, ${removed} removed${dryRun ? ', not applied (dry run)' : ''}.`,
    `The tariff ${dryRun ? 'would have' : 'now has'} ${prices} prices.`,
  ].join('\n')
}
