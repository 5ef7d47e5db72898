/** `posthorn key issue`: makes an API key and shows it once. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { issueKey } from '../operations/admin/issue-key.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly name: string
}

export function keyIssueCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'issue',
    summary: 'make an API key for an account; it is shown once and kept nowhere',
    examples: ['posthorn key issue --account 1 --name "shop server"'],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account that it opens', readAccountId)
    .requiredOption('--name <name>', 'what it is used by, for your own order')
  return answerBy<Options>(command, terminal, async ({ account, name }, config) => {
    const wish = { accountId: account, name, mode: 'live' } as const
    const key = await withToolStore(config, (store) => issueKey(store, terminal.clock, terminal.random, wish))
    return {
      json: { accountId: account, name, key },
      text: `${key}\nKeep it now: it is shown only this once. Clients send it in the field auth.`,
    }
  })
}
