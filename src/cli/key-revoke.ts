/** `posthorn key revoke`: a key that opens nothing any more. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly name: string
}

export function keyRevokeCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'revoke',
    summary: 'take back the keys of an account that have this name; account show lists them',
    examples: ['posthorn key revoke --account 1 --name "shop server"'],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account that they open', readAccountId)
    .requiredOption('--name <name>', 'as it was issued under')
  return answerBy<Options>(command, terminal, async ({ account: accountId, name }, config) => {
    await withToolStore(config, (store) => store.change({ kind: 'remove key', accountId, name }))
    return {
      json: { accountId, name, revoked: true },
      text: `The key ${name} of account ${accountId} opens nothing now.`,
    }
  })
}
