/** `posthorn cost set`: what a carrier takes from us. */
import { type Command, Option } from 'commander'
import { type Micros, toDecimal } from '../domain/money.ts'
import { setCost } from '../operations/admin/set-cost.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readMoney } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly carrier: string
  readonly prefix: string
  readonly price: Micros
}

export function costSetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'set',
    summary:
      'set what a carrier takes for one part; among routes that are equal otherwise the cheapest carrier is tried ' +
      'first. Costs are only compared: use one currency for all of them',
    examples: ['posthorn cost set --carrier acme --prefix 4917 --price 0.031'],
    settings: INSTALLATION,
  })
    .requiredOption('--carrier <id>', 'the carrier')
    .addOption(
      new Option('--prefix <digits>', 'numbers that begin so; the longest prefix wins').default('', 'every number'),
    )
    .requiredOption('--price <decimal>', 'for one part', readMoney)
  return answerBy<Options>(command, terminal, async ({ carrier: carrierId, prefix, price }, config) => {
    await withToolStore(config, (store) => setCost(store, { carrierId, prefix, priceMicros: price }))
    const where = prefix === '' ? 'every number' : `numbers that begin with ${prefix}`
    return {
      json: { carrierId, prefix, price: toDecimal(price) },
      text: `Carrier ${carrierId} costs ${toDecimal(price)} for a part to ${where}.`,
    }
  })
}
