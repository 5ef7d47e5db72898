/** `posthorn pool remove`: numbers that calls come from no longer. */
import type { Command } from 'commander'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly id: string
}

export function poolRemoveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'remove',
    summary: 'remove a pool that no route calls from',
    examples: ['posthorn pool remove --id berlin'],
    settings: INSTALLATION,
  }).requiredOption('--id <id>', 'the pool')
  return answerBy<Options>(command, terminal, async ({ id }, config) => {
    await withToolStore(config, (store) => store.change({ kind: 'remove pool', poolId: id }))
    return { json: { poolId: id, removed: true }, text: `Pool ${id} is removed.` }
  })
}
