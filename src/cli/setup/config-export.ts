/** `posthorn config export`: prints the setup as text for version control. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

export function configExportCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'export',
    summary:
      'print carriers, routes, costs, pools, prices, guards and account settings as sorted JSON; secrets are shown as ' +
      '<kept>, which config apply leaves unchanged',
    examples: ['posthorn config export > posthorn.json'],
    settings: ASKING,
  })
  return answerBy(command, terminal, async (_options, config) => {
    const nothing = { params: {}, query: {}, body: {} }
    const configuration = await askEndpoint('exportConfiguration', nothing, config, terminal)
    const text = JSON.stringify(configuration, null, 2)
    return { json: { configuration: text }, text }
  })
}
