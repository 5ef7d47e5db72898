/** The command line: builds the commands that a line needs, runs one, and prints errors. */

import { Command } from 'commander'
import about from '../../package.json' with { type: 'json' }
import { refuseExcess } from './command/excess-arguments.ts'
import { explainFailure } from './command/failure.ts'
import { helpCommand } from './command/help.ts'
import type { Terminal } from './command/terminal.ts'
import { GROUPS, LOOKING, RUNNING } from './command-list.ts'

/** First words that need no other command. */
const KNOWN: ReadonlySet<string> = new Set([
  '-V',
  '--version',
  ...[...RUNNING, ...GROUPS, ...LOOKING].map(([name]) => name),
])

/**
 * With `words` of a command line, loads only the command or group that they name; all commands, and no group, if they
 * name none, as for the help. Loading takes most of the time of a short command.
 */
export async function buildProgram(terminal: Terminal, words?: readonly string[]): Promise<Command> {
  const program = newProgram(terminal)
  const named = words?.[words[0] === 'help' ? 1 : 0] ?? ''
  const isNeeded = (name: string) => name === named || !KNOWN.has(named)
  const adoptNeeded = async (commands: typeof RUNNING) => {
    for (const [name, load] of commands) if (isNeeded(name)) adopt(program, (await load())(terminal))
  }
  await adoptNeeded(RUNNING)
  for (const [name, summary, commands] of GROUPS) {
    const group = adopt(program, new Command(name).description(summary))
    if (words !== undefined && name !== named) continue
    for (const load of commands) adopt(group, (await load())(terminal))
    await adoptEndpoints(group, terminal, ([first, second]) => first === name && second !== undefined)
    adopt(group, helpCommand(group))
  }
  if (!KNOWN.has(named)) await adoptEndpoints(program, terminal, ([, second]) => second === undefined)
  await adoptNeeded(LOOKING)
  adopt(program, helpCommand(program))
  return program
}

/** Runs one command line, without the program's name. Returns the exit code. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await buildProgram(terminal, words)
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    const { sentence, exitCode } = explainFailure(error)
    if (sentence !== null) terminal.err(`error: ${await suggestGroup(sentence, words)}\n`)
    return exitCode
  }
}

function newProgram(terminal: Terminal): Command {
  return (
    new Command('posthorn')
      .description('Posthorn, a messaging gateway. Begin with: posthorn sandbox')
      .version(about.version)
      .exitOverride()
      // Inherited by all commands.
      .allowExcessArguments()
      .hook('preAction', refuseExcess)
      .configureOutput({
        writeOut: terminal.out,
        writeErr: terminal.err,
        // failure.ts prints errors in their common form.
        outputError: () => {},
      })
  )
}

/** Suggests the only command of that name in a group, `ledger margin` for `margin`, before one of a similar name. */
async function suggestGroup(sentence: string, [word = '']: readonly string[]): Promise<string> {
  const fault = `${word}: unknown command`
  if (!sentence.startsWith(fault)) return sentence
  const { ENDPOINTS } = await import('../operations/admin/endpoints.ts')
  const [found, ...others] = ENDPOINTS.flatMap(({ command }) => (command?.endsWith(` ${word}`) === true ? command : []))
  return found === undefined || others.length > 0 ? sentence : `${fault}; did you mean ${found}?`
}

/** Adopts the commands of the endpoints whose command has such words. */
async function adoptEndpoints(
  parent: Command,
  terminal: Terminal,
  belongs: (words: readonly string[]) => boolean,
): Promise<void> {
  const { ENDPOINTS } = await import('../operations/admin/endpoints.ts')
  const { endpointCommand } = await import('./store/endpoint-command.ts')
  for (const endpoint of ENDPOINTS) {
    if (endpoint.command !== null && belongs(endpoint.command.split(' '))) {
      adopt(parent, endpointCommand(endpoint, terminal))
    }
  }
}

function adopt(parent: Command, child: Command): Command {
  parent.addCommand(child)
  return child.copyInheritedSettings(parent)
}
