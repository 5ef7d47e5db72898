/** `posthorn cost set`: what a carrier takes from us. */
import { type Command, Option } from 'commander'
import { type Micros, toDecimal } from '../domain/money.ts'
import { describeNumbers } from '../domain/rate-table.ts'
import { setCost } from '../operations/admin/set-cost.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readMoney } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly carrier: string
  readonly prefix: string
  readonly price: Micros
  readonly operator?: string
  readonly currency?: string
}

export function costSetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'set',
    summary:
      'set what a carrier takes for one part; among routes that are equal otherwise the cheapest carrier is tried ' +
      'first. Charges show what they cost, and with it the margin',
    examples: [
      'posthorn cost set --carrier acme --prefix 4917 --price 0.031',
      'posthorn cost set --carrier acme --operator 26202 --price 0.029 --currency USD',
    ],
    settings: INSTALLATION,
  })
    .requiredOption('--carrier <id>', 'the carrier')
    .addOption(
      new Option('--prefix <digits>', 'numbers that begin so; the longest prefix wins').default('', 'every number'),
    )
    .requiredOption('--price <decimal>', 'for one part', readMoney)
    .option('--operator <mccmnc>', 'for numbers of this operator alone, such as 26202; goes before any prefix')
    .option('--currency <code>', 'ISO 4217; that of the installation (POSTHORN_COST_CURRENCY) when not given')
  return answerBy<Options>(command, terminal, async (options, config) => {
    const { carrier: carrierId, prefix, price, operator = null, currency = null } = options
    await withToolStore(config, (store) =>
      setCost(store, { carrierId, prefix, operator, currency, priceMicros: price }),
    )
    const amount = `${toDecimal(price)} ${currency ?? config.costCurrency}`
    return {
      json: { carrierId, prefix, operator, price: toDecimal(price), currency: currency ?? config.costCurrency },
      text: `Carrier ${carrierId} costs ${amount} for a part to ${describeNumbers(prefix, operator)}.`,
    }
  })
}
