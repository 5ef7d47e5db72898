/** `posthorn hook rotate-secret`: a new secret for the reports of an account. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { rotateHookSecret } from '../operations/admin/rotate-hook-secret.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
}

export function hookRotateSecretCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'rotate-secret',
    summary: 'give an account a new secret for its reports; until the next time they are signed by the old one as well',
    examples: ['posthorn hook rotate-secret --account 1'],
    settings: INSTALLATION,
  }).requiredOption('--account <id>', 'the account', readAccountId)
  return answerBy<Options>(command, terminal, async ({ account }, config) => {
    const hookSecret = await withToolStore(config, (store) => rotateHookSecret(store, terminal.random, account))
    return {
      json: { accountId: account, hookSecret },
      text: `${hookSecret}\nKeep it now: it is shown only this once. Reports carry signatures by it and by the one before.`,
    }
  })
}
