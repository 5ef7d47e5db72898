/** `posthorn operator import`: which operator gave out which numbers. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { importOperators } from '../operations/admin/import-operators.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import type { Terminal } from './terminal.ts'

export function operatorImportCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'import',
    summary:
      'put a table of prefixes and operators in the place of the one before; routes for some operators go by it. ' +
      'The file has a line prefix,mccmnc,name for each prefix: 4917,26202,Vodafone',
    examples: ['posthorn operator import operators.csv'],
    settings: INSTALLATION,
  }).argument('<file>', 'CSV; - reads standard input')
  return answerBy(command, terminal, async (_options, config, [file]) => {
    const path = String(file)
    const csv = path === '-' ? await terminal.readInput() : await readFile(path, 'utf8')
    const prefixes = await withToolStore(config, (store) => importOperators(store, csv))
    return { json: { prefixes }, text: `The table of operators has ${prefixes} prefixes now.` }
  })
}
