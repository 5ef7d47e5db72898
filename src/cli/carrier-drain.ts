/** `posthorn carrier drain`: lets a carrier take nothing new, for maintenance. */
import type { Command } from 'commander'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly id: string
}

export function carrierDrainCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'drain',
    summary:
      'give a carrier nothing new: what is on the wire comes to its end and receipts still come; messages go to ' +
      'other carriers of their routes, or wait',
    examples: ['posthorn carrier drain --id acme'],
    settings: INSTALLATION,
  }).requiredOption('--id <id>', 'the carrier')
  return answerBy<Options>(command, terminal, async ({ id }, config) => {
    await withToolStore(config, (store) => store.change({ kind: 'set draining', carrierId: id, draining: true }))
    return { json: { carrierId: id, draining: true }, text: `Carrier ${id} takes nothing new until it is resumed.` }
  })
}
