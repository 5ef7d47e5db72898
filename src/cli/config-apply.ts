/** `posthorn config apply`: makes the setup equal to a file, completely or not at all. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { ChangeRefused } from '../ports/store-errors.ts'
import { askEndpoint } from './ask-endpoint.ts'
import { ASKING, answerBy, newCommand } from './command.ts'
import type { Terminal } from './terminal.ts'

interface Applied {
  readonly applied: boolean
  readonly difference: readonly string[]
}

interface Options {
  readonly dryRun?: true
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
  return answerBy<Options>(command, terminal, async ({ dryRun = false }, config, [file]) => {
    const path = String(file)
    const configuration = readJson(path === '-' ? await terminal.readInput() : await readFile(path, 'utf8'))
    const input = { params: {}, query: {}, body: { configuration, dry_run: dryRun } }
    const answer = (await askEndpoint('applyConfiguration', input, config, terminal)) as Applied
    return { json: answer, text: writeDifference(answer.difference, dryRun) }
  })
}

function readJson(text: string): unknown {
  const value = parse(text)
  if (value === undefined) throw new ChangeRefused('the configuration is not JSON')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ChangeRefused('the configuration must be a JSON object')
}

/** Returns undefined if it is not JSON. The parser's own error quotes the file, which may contain a secret. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeDifference(lines: readonly string[], dryRun: boolean): string {
  if (lines.length === 0) return 'Nothing to change.'
  const count = `${lines.length} ${lines.length === 1 ? 'change' : 'changes'}`
  return [...lines, dryRun ? `${count}, not applied (dry run).` : `${count} applied.`].join('\n')
}
