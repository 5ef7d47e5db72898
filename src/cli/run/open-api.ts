/** `posthorn open-api`: prints the OpenAPI document of the API. */
import type { Command } from 'commander'
import { newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'

export function openApiCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'open-api',
    summary: 'print the OpenAPI document of the API, always as JSON',
    examples: ['posthorn open-api > posthorn.json'],
    settings: [],
  })
  return command.action(async () => {
    const { writeOpenApi } = await import('../../contract/reference/open-api.ts')
    terminal.out(`${JSON.stringify(writeOpenApi(), null, 2)}\n`)
  })
}
