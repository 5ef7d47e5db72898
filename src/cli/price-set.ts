/** `posthorn price set`: what accounts pay. */
import { type Command, Option } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { CHANNELS, type Channel } from '../domain/channel.ts'
import { type Micros, toDecimal } from '../domain/money.ts'
import { setPrice } from '../operations/admin/set-price.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId, readMoney } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly channel: Channel
  readonly prefix: string
  readonly price: Micros
  readonly currency: string
  readonly account?: AccountId
}

export function priceSetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'set',
    summary: 'set the price of a channel to numbers that begin so; without a price a channel cannot be used',
    examples: [
      'posthorn price set --channel sms --prefix 49 --price 0.05 --currency EUR',
      'posthorn price set --channel sms --prefix 49 --price 0.045 --currency EUR --account 1',
    ],
    settings: INSTALLATION,
  })
    .addOption(new Option('--channel <channel>', 'what is paid for').choices(CHANNELS).makeOptionMandatory())
    .addOption(
      new Option('--prefix <digits>', 'numbers that begin so; the longest prefix wins').default('', 'every number'),
    )
    .requiredOption('--price <decimal>', 'for one message; sms: for each part', readMoney)
    .requiredOption('--currency <code>', 'currency of the accounts that pay it, ISO 4217')
    .option('--account <id>', 'for this account alone', readAccountId)
  return answerBy<Options>(command, terminal, async (options, config) => {
    const { channel, prefix, currency } = options
    const accountId = options.account ?? null
    const price = { accountId, channel, prefix, currency, priceMicros: options.price }
    await withToolStore(config, (store) => setPrice(store, price))
    const where = prefix === '' ? 'every number' : `numbers that begin with ${prefix}`
    const who = accountId === null ? '' : ` for account ${accountId}`
    return {
      json: { accountId, channel, prefix, price: toDecimal(options.price), currency },
      text: `${channel} to ${where} costs ${toDecimal(options.price)} ${currency}${who}.`,
    }
  })
}
