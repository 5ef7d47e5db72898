/** `posthorn account create`: makes an account, and the installation when there is none. */
import type { Command } from 'commander'
import { checkNewAccount, createAccount } from '../operations/admin/create-account.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withNewToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'
import { writeFacts } from './text-table.ts'

interface Options {
  readonly name: string
  readonly currency: string
}

export function accountCreateCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'create',
    summary: 'make an account; shows, once, the secret by which its reports are verified',
    examples: ['posthorn account create --name "Example Shop" --currency EUR'],
    settings: INSTALLATION,
  })
    .requiredOption('--name <name>', 'name of the account, unique')
    .option('--currency <code>', 'currency that it pays in, ISO 4217', 'EUR')
  return answerBy<Options>(command, terminal, async ({ name, currency }, config) => {
    checkNewAccount({ name, currency })
    const made = await withNewToolStore(config, (store) => createAccount(store, terminal.random, { name, currency }))
    return {
      json: { accountId: made.accountId, name, currency, hookSecret: made.hookSecret },
      text: writeFacts([
        ['account', String(made.accountId)],
        ['name', name],
        ['currency', currency],
        ['hook secret', `${made.hookSecret}  (shown only now)`],
      ]),
    }
  })
}
