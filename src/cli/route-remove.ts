/** `posthorn route remove`: leads numbers to a carrier no longer. */
import type { Command } from 'commander'
import type { AccountId } from '../domain/account.ts'
import { removeRoute } from '../operations/admin/remove-route.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readAccountId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly carrier: string
  readonly prefix: string
  readonly account?: AccountId
  readonly sender?: string
}

export function routeRemoveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'remove',
    summary: 'remove the route with exactly this prefix, account and sender; carrier list shows them',
    examples: ['posthorn route remove --carrier acme --prefix 49'],
    settings: INSTALLATION,
  })
    .requiredOption('--carrier <id>', 'the carrier')
    .option('--prefix <digits>', 'as the route has it', '')
    .option('--account <id>', 'as the route has it', readAccountId)
    .option('--sender <name>', 'as the route has it')
  return answerBy<Options>(command, terminal, async (options, config) => {
    const { carrier: carrierId, prefix, account: accountId = null, sender = null } = options
    const key = await withToolStore(config, (store) => removeRoute(store, { carrierId, prefix, accountId, sender }))
    return { json: { ...key, removed: true }, text: `The route to ${carrierId} is removed.` }
  })
}
