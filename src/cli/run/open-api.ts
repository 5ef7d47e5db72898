/** `posthorn open-api`: prints the OpenAPI document of the API. */
import type { Command } from 'commander'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import { newCommand } from '../command/command.ts'
import { WrongUsage } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'

export function openApiCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'open-api',
    summary: 'print the OpenAPI document of the API, always as JSON',
    examples: ['posthorn open-api > posthorn.json', 'posthorn open-api --rest > posthorn-rest.json'],
    settings: [],
  })
  command.option('--chatapp-name <name>', 'the name of the chat app in the document, such as viber', CHATAPP.name)
  command.option('--rest', 'the document of the REST API')
  return command.action(async ({ chatappName, rest }: { readonly chatappName: string; readonly rest?: true }) => {
    if (rest === true) {
      const { writeRestOpenApi } = await import('../../contract/rest/rest-open-api.ts')
      terminal.out(`${JSON.stringify(writeRestOpenApi(), null, 2)}\n`)
      return
    }
    const { writeOpenApi } = await import('../../contract/reference/open-api.ts')
    const { problemInNames } = await import('../../contract/operations/chatapp-names.ts')
    const problem = chatappName === CHATAPP.name ? null : problemInNames([chatappName])
    if (problem !== null) throw new WrongUsage(`--chatapp-name: ${problem}`)
    terminal.out(`${JSON.stringify(writeOpenApi(chatappName), null, 2)}\n`)
  })
}
