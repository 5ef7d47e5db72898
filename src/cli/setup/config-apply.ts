/** `posthorn config apply`: makes the setup equal to a file, completely or not at all. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { CannotDo } from '../command/failure.ts'
import { nameOfInput, readObjectFile } from '../command/read-input.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Applied {
  readonly applied: boolean
  readonly difference: readonly string[]
}

interface Options {
  readonly dryRun?: true
  readonly loseReceipts?: true
  readonly review?: string
}

export function configApplyCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'apply',
    summary:
      'apply a file of config export in one transaction; sections missing in the file stay unchanged. Prints ' +
      'what is added (+), removed (-) and changed (~)',
    examples: ['posthorn config apply posthorn.json --dry-run', 'posthorn config apply posthorn.json'],
    settings: ASKING,
  })
    .argument('<file>', 'JSON; - reads standard input')
    .option('--dry-run', 'print the difference and change nothing')
    .option('--review <id>', 'apply only if the differences are still those of a dry run: its `review` with --json')
    .option(
      '--lose-receipts',
      'remove carriers, or give them other accounts, even if messages that they have taken are open',
    )
  return answerBy<Options>(command, terminal, async (options, config, [file]) => {
    const { dryRun = false, loseReceipts = false, review } = options
    const path = String(file)
    const configuration = await readObjectFile(path, terminal)
    const body = { configuration, dry_run: dryRun, review, lose_receipts: loseReceipts }
    const input = { params: {}, query: {}, body }
    const answer = (await askEndpoint('applyConfiguration', input, config, terminal).catch((error: Error) => {
      throw error instanceof CannotDo ? new CannotDo(`${nameOfInput(path)}: ${error.message}`) : error
    })) as Applied
    return { json: answer, text: writeDifference(answer.difference, dryRun) }
  })
}

function writeDifference(lines: readonly string[], dryRun: boolean): string {
  if (lines.length === 0) return 'Nothing to change.'
  const count = `${lines.length} ${lines.length === 1 ? 'change' : 'changes'}`
  return [...lines, dryRun ? `${count}, not applied (dry run).` : `${count} applied.`].join('\n')
}
