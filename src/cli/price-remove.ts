/** `posthorn price remove`: a price that accounts pay no longer. */
import { type Command, Option } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { CHANNELS, type Channel } from '../domain/channel.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId, readTime } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly channel: Channel
  readonly prefix: string
  readonly currency: string
  readonly account?: AccountId
  readonly operator?: string
  readonly from?: number
}

export function priceRemoveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'remove',
    summary: 'remove the price with exactly this channel, prefix, currency, account, operator and beginning',
    examples: ['posthorn price remove --channel sms --prefix 49 --currency EUR'],
    settings: INSTALLATION,
  })
    .addOption(new Option('--channel <channel>', 'what is paid for').choices(CHANNELS).makeOptionMandatory())
    .option('--prefix <digits>', 'as the price has it', '')
    .requiredOption('--currency <code>', 'as the price has it, ISO 4217')
    .option('--account <id>', 'as the price has it', readAccountId)
    .option('--operator <mccmnc>', 'as the price has it')
    .option('--from <day>', 'as the price has it', readTime)
  return answerBy<Options>(command, terminal, async (options, config) => {
    const { channel, prefix, currency, account: accountId = null, operator = null, from = null } = options
    const price = { accountId, currency, channel, prefix, operator, from }
    await withToolStore(config, (store) => store.change({ kind: 'remove price', price }))
    return { json: { ...price, removed: true }, text: `The price of ${channel} is removed.` }
  })
}
