/** `posthorn hook resume`: lets reports go again to an address that answered 410. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { resumeHook } from '../operations/admin/resume-hook.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly address: string
}

export function hookResumeCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'resume',
    summary: 'send reports again to a hook that was stopped because it answered 410; account show lists them',
    examples: ['posthorn hook resume --account 1 --address https://client.example/reports'],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account', readAccountId)
    .requiredOption('--address <url>', 'the hook, as the client gave it')
  return answerBy<Options>(command, terminal, async ({ account, address }, config) => {
    await withToolStore(config, (store) => resumeHook(store, { accountId: account, address }))
    return {
      json: { accountId: account, address, stopped: false },
      text: `Reports of account ${account} go to ${address} again.`,
    }
  })
}
