/** `posthorn operator import`: imports the table of number prefixes of mobile operators. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { readInput } from '../command/read-input.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

export function operatorImportCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'import',
    summary:
      'replace the table of number prefixes and operators, which routes by operator use. The file has a line ' +
      'prefix,mccmnc,name for each prefix: 4917,26202,Vodafone',
    examples: ['posthorn operator import operators.csv'],
    settings: ASKING,
  })
    .argument('<file>', 'CSV; - reads standard input')
    .option('--confirm', 'accept a file without prefixes, or one that removes more than half of them')
  return answerBy(command, terminal, async ({ confirm }: { readonly confirm?: true }, config, [file]) => {
    const path = String(file)
    const csv = await readInput(path, terminal)
    const input = { params: {}, query: {}, body: { csv, ...(confirm === undefined ? {} : { confirm }) } }
    const { prefixes } = (await askEndpoint('importOperators', input, config, terminal)) as {
      readonly prefixes: number
    }
    return { json: { prefixes }, text: `The operator table now has ${prefixes} prefixes.` }
  })
}
