/** `posthorn carrier resume`: ends what `carrier drain` began. */
import type { Command } from 'commander'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly id: string
}

export function carrierResumeCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'resume',
    summary: 'let a carrier that was drained take messages again',
    examples: ['posthorn carrier resume --id acme'],
    settings: INSTALLATION,
  }).requiredOption('--id <id>', 'the carrier')
  return answerBy<Options>(command, terminal, async ({ id }, config) => {
    await withToolStore(config, (store) => store.change({ kind: 'set draining', carrierId: id, draining: false }))
    return { json: { carrierId: id, draining: false }, text: `Carrier ${id} takes messages again.` }
  })
}
