/** `posthorn sender approve`: lets an account send under a name. */
import { type Command, Option } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { CHANNELS, type MessageChannel } from '../domain/channel.ts'
import { approveSender } from '../operations/admin/approve-sender.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly account: AccountId
  readonly channel: MessageChannel
  readonly name: string
}

export function senderApproveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'approve',
    summary: 'let an account send under a name in one channel',
    examples: ['posthorn sender approve --account 1 --channel sms --name Shop'],
    settings: INSTALLATION,
  })
    .requiredOption('--account <id>', 'the account', readAccountId)
    .addOption(
      new Option('--channel <channel>', 'where the name is shown')
        .choices(CHANNELS.filter((channel) => channel !== 'call'))
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'the sender name; for sms 3 to 11 characters or 3 to 15 digits')
  return answerBy<Options>(command, terminal, async ({ account, channel, name }, config) => {
    await withToolStore(config, (store) => approveSender(store, { accountId: account, channel, name }))
    return {
      json: { accountId: account, channel, name, approved: true },
      text: `Account ${account} may send as ${name} by ${channel}.`,
    }
  })
}
