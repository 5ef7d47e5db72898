/** `posthorn carrier remove`: forgets a carrier that no route leads to. */
import type { Command } from 'commander'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly id: string
}

export function carrierRemoveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'remove',
    summary:
      'remove a carrier, its settings and its costs; its routes must be removed before. Receipts that it still owes ' +
      'come no more: drain it first',
    examples: ['posthorn carrier remove --id acme'],
    settings: INSTALLATION,
  }).requiredOption('--id <id>', 'the carrier')
  return answerBy<Options>(command, terminal, async ({ id }, config) => {
    await withToolStore(config, (store) => store.change({ kind: 'remove carrier', carrierId: id }))
    return { json: { carrierId: id, removed: true }, text: `Carrier ${id} is removed.` }
  })
}
