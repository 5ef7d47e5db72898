/** `posthorn api-reference`: prints the API reference for clients as Markdown. */
import type { Command } from 'commander'
import { newCommand, printAnswer } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'

export function apiReferenceCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'api-reference',
    summary: 'print the API reference for clients as Markdown',
    examples: ['posthorn api-reference > api.md'],
    settings: [],
  })
  return command.action(async () => {
    const { writeApiReference } = await import('../../contract/reference/api-reference.ts')
    const markdown = writeApiReference()
    const asJson = command.opts<{ json?: true }>().json === true
    if (asJson) printAnswer(terminal, true, { json: { markdown }, text: '' })
    else terminal.out(markdown)
  })
}
