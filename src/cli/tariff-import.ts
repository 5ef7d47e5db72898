/** `posthorn tariff import`: imports the prices of an account, or the general ones, from a file. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { askEndpoint } from './ask-endpoint.ts'
import { ASKING, answerBy, newCommand } from './command.ts'
import { readAccountId } from './option-readers.ts'
import { readInput } from './read-input.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly currency: string
  readonly account?: AccountId
  readonly merge?: true
}

export function tariffImportCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'import',
    summary:
      'replace the prices of an account, or the general ones, by a file. Its first line names the columns: ' +
      'channel,prefix,operator,from,until,price',
    examples: [
      'posthorn tariff import prices.csv --currency EUR',
      'posthorn tariff import new-prices.csv --currency EUR --account 1 --merge',
    ],
    settings: ASKING,
  })
    .argument('<file>', 'CSV; - reads standard input')
    .requiredOption('--currency <code>', 'currency of the prices, ISO 4217')
    .option('--account <id>', 'account of the prices; the general prices by default', readAccountId)
    .option('--merge', 'keep prices that the file does not name')
  return answerBy<Options>(command, terminal, async ({ currency, account, merge = false }, config, [file]) => {
    const path = String(file)
    const csv = await readInput(path, terminal)
    const body = { currency, csv, merge, ...(account === undefined ? {} : { account }) }
    const input = { params: {}, query: {}, body }
    const { prices } = (await askEndpoint('importTariff', input, config, terminal)) as { readonly prices: number }
    return { json: { prices }, text: `The tariff now has ${prices} prices.` }
  })
}
