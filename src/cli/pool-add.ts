/** `posthorn pool add`: the numbers that flash calls come from. */
import type { Command } from 'commander'
import { addPool } from '../operations/admin/add-pool.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { withToolStore } from './open-tool-store.ts'
import { readList, readWhole } from './option-readers.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly id: string
  readonly numbers: readonly string[]
  readonly codeDigits: number
}

export function poolAddCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'add',
    summary: 'add numbers to call from, or replace those of a pool; the last digits of a number are the code',
    examples: ['posthorn pool add --id berlin --numbers 4930123400000-4930123400999'],
    settings: INSTALLATION,
  })
    .requiredOption('--id <id>', 'your name for the pool')
    .requiredOption('--numbers <list>', 'numbers and ranges, separated by commas', readList)
    .option('--code-digits <number>', 'digits of a code, 4 to 6', readWhole, 4)
  return answerBy<Options>(command, terminal, async (options, config) => {
    const pool = await withToolStore(config, (store) => addPool(store, options))
    const { id, codeDigits } = pool
    return {
      json: { poolId: id, numbers: pool.numbers.length, codeDigits },
      text: `Pool ${id} has ${pool.numbers.length} numbers; codes are their last ${codeDigits} digits.`,
    }
  })
}
