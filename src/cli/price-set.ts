/** `posthorn price set`: what accounts pay. */
import { type Command, Option } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { CHANNELS, type Channel } from '../domain/channel.ts'
import { writeMoment } from '../domain/moment.ts'
import { type Micros, toDecimal } from '../domain/money.ts'
import { describePrice } from '../domain/price.ts'
import { describeValidity } from '../domain/rate-table.ts'
import { setPrice } from '../operations/admin/set-price.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId, readMoney, readTime } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly channel: Channel
  readonly prefix: string
  readonly price: Micros
  readonly currency: string
  readonly account?: AccountId
  readonly operator?: string
  readonly from?: number
  readonly until?: number
  readonly endPrevious?: true
}

export function priceSetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'set',
    summary: 'set the price of a channel to numbers that begin so; without a price a channel cannot be used',
    examples: [
      'posthorn price set --channel sms --prefix 49 --price 0.05 --currency EUR',
      'posthorn price set --channel sms --prefix 49 --price 0.045 --currency EUR --account 1',
      'posthorn price set --channel sms --operator 26202 --price 0.06 --currency EUR --from 2027-01-01 --end-previous',
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
    .option('--operator <mccmnc>', 'for numbers of this operator alone, such as 26202; goes before any prefix')
    .option('--from <day>', 'the first day (or time) at which it is valid, UTC', readTime)
    .option('--until <day>', 'the first day (or time) at which it is valid no more, UTC', readTime)
    .option('--end-previous', 'the price that is valid when this one begins ends then')
  return answerBy<Options>(command, terminal, async (options, config) => {
    const { channel, prefix, currency, endPrevious = false } = options
    const { account: accountId = null, operator = null, from = null, until = null } = options
    const rate = { prefix, operator, from, until, priceMicros: options.price }
    const price = { accountId, currency, channel, ...rate }
    await withToolStore(config, (store) => setPrice(store, price, { endPrevious }))
    return {
      json: {
        ...{ accountId, channel, prefix, operator, price: toDecimal(options.price), currency },
        from: from === null ? null : writeMoment(from),
        until: until === null ? null : writeMoment(until),
      },
      text: `${describePrice(price)} costs ${toDecimal(options.price)} ${describeValidity(price)}.`,
    }
  })
}
