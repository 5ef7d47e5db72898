/** `posthorn pool import`: imports calling numbers from a file. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { readNatural } from '../command/option-readers.ts'
import { readInput } from '../command/read-input.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Options {
  readonly id: string
  readonly codeDigits?: number
  readonly mode?: string
}

export function poolImportCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'import',
    summary:
      'create a pool from a file, or replace its numbers, add some or remove some. Each line of the file is a number or ' +
      'a range: ' +
      '4930123400000-4930123400999, or first,last',
    examples: ['posthorn pool import numbers.csv --id berlin', 'posthorn pool import more.csv --id berlin --mode add'],
    settings: ASKING,
  })
    .argument('<file>', 'CSV; - reads standard input')
    .requiredOption('--id <text>', 'id of the pool')
    .option('--code-digits <number>', 'digits of a code, 4 to 6; unchanged by default, 4 for a new pool', readNatural)
    .option('--mode <replace|add|remove>', 'what to do with the numbers (default replace)')
  return answerBy<Options>(command, terminal, async ({ id, codeDigits, mode }, config, [file]) => {
    const path = String(file)
    const csv = await readInput(path, terminal)
    const body = { csv, mode, ...(codeDigits === undefined ? {} : { code_digits: codeDigits }) }
    const pool = (await askEndpoint('importPool', { params: { id }, query: {}, body }, config, terminal)) as {
      readonly numbers: number
      readonly code_digits: number
    }
    const text = `Pool ${id} now has ${pool.numbers} numbers; their last ${pool.code_digits} digits are the code.`
    return { json: pool, text }
  })
}
