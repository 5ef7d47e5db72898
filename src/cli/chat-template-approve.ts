/** `posthorn chat-template approve`: notes that the messenger has approved a text. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { approveChatTemplate } from '../operations/admin/approve-chat-template.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly signature: string
  readonly template: string
}

export function chatTemplateApproveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'approve',
    summary: 'note that the messenger has approved a chat-app text of an account',
    examples: ['posthorn chat-template approve --account 1 --signature Shop --template "Your parcel is here."'],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account', readAccountId)
    .requiredOption('--signature <name>', 'the sender name that it was approved for')
    .requiredOption('--template <text>', 'the text')
  return answerBy<Options>(command, terminal, async ({ account, signature, template }, config) => {
    const approved = await withToolStore(config, (store) =>
      approveChatTemplate(store, { accountId: account, signature, template }),
    )
    return {
      json: { templateId: approved.id, accountId: account, signature, template, status: approved.status },
      text: `Template ${approved.id} of account ${account} is approved.`,
    }
  })
}
