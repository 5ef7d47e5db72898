/** `posthorn account top-up`: adds money to an account. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { type Micros, toDecimal } from '../domain/money.ts'
import { accountRow } from '../operations/admin/account-row.ts'
import { topUp } from '../operations/admin/top-up.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId, readMoney } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly amount: Micros
}

export function accountTopUpCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'top-up',
    summary: 'add money to an account',
    examples: ['posthorn account top-up --account 1 --amount 250'],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account', readAccountId)
    .requiredOption('--amount <decimal>', 'how much, in its currency', readMoney)
  return answerBy<Options>(command, terminal, ({ account, amount }, config) =>
    withToolStore(config, async (store) => {
      const { name, currency } = accountRow(await store.loadDirectory(), account)
      const pots = await topUp(store, terminal.clock, { accountId: account, amountMicros: amount })
      const available = toDecimal(pots.available)
      return {
        json: { accountId: account, amount: toDecimal(amount), currency, available },
        text: `Account ${account} (${name}) has ${available} ${currency} available.`,
      }
    }),
  )
}
