/** `posthorn carrier-reference`: prints the reference of carrier settings as Markdown. */
import type { Command } from 'commander'
import { newCommand, printAnswer } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'

export function carrierReferenceCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'carrier-reference',
    summary: 'print the reference of carrier settings as Markdown',
    examples: ['posthorn carrier-reference > carrier-settings.md'],
    settings: [],
  })
  return command.action(async () => {
    const { writeCarrierReference } = await import('../../app/carriers/carrier-reference.ts')
    const markdown = writeCarrierReference()
    const asJson = command.opts<{ json?: true }>().json === true
    if (asJson) printAnswer(terminal, true, { json: { markdown }, text: '' })
    else terminal.out(markdown)
  })
}
