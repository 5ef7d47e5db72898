/** `posthorn account list`: all accounts with what they have. */
import type { Command } from 'commander'
import { NO_MONEY, toDecimal } from '../domain/money.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'
import { writeTable } from './text-table.ts'

export function accountListCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'list',
    summary: 'list the accounts',
    examples: ['posthorn account list'],
    settings: INSTALLATION,
  })
  return answerBy(command, terminal, async (_options, config) => {
    const accounts = await withToolStore(config, async (store) => {
      const rows = await store.loadDirectory()
      return Promise.all(
        rows.accounts.map(async ({ id, name, state, currency }) => {
          const pots = await store.potsOf(id)
          return { accountId: id, name, state, currency, available: toDecimal(pots?.available ?? NO_MONEY) }
        }),
      )
    })
    return {
      json: { accounts },
      text: writeTable(
        ['account', 'name', 'state', 'available'],
        accounts.map((each) => [String(each.accountId), each.name, each.state, `${each.available} ${each.currency}`]),
      ),
    }
  })
}
