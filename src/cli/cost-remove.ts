/** `posthorn cost remove`: forgets what a carrier takes from us. */
import type { Command } from 'commander'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly carrier: string
  readonly prefix: string
  readonly operator?: string
}

export function costRemoveCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'remove',
    summary: 'remove the cost of a carrier with exactly this prefix and operator',
    examples: ['posthorn cost remove --carrier acme --prefix 4917'],
    settings: INSTALLATION,
  })
    .requiredOption('--carrier <id>', 'the carrier')
    .option('--prefix <digits>', 'as the cost has it', '')
    .option('--operator <mccmnc>', 'as the cost has it')
  return answerBy<Options>(command, terminal, async ({ carrier: carrierId, prefix, operator = null }, config) => {
    const cost = { carrierId, prefix, operator }
    await withToolStore(config, (store) => store.change({ kind: 'remove cost', cost }))
    return { json: { ...cost, removed: true }, text: `The cost of carrier ${carrierId} is removed.` }
  })
}
