/** Builds commands: settings as flags, `--json`, examples in the help, and one answer at the end. */
import { Command, Option, type OptionValues } from 'commander'
import { type Config, FLAGS, readConfig } from '../../app/settings/config.ts'
import { CannotDo } from './failure.ts'
import type { Terminal } from './terminal.ts'

export interface CommandText {
  readonly name: string
  readonly summary: string
  /** Complete command lines for the help. */
  readonly examples: readonly [string, ...string[]]
  /** Flags of the settings that the command uses. */
  readonly settings: readonly string[]
}

/** The output of a command: data for programs, text for terminals. */
export interface Answer {
  /** Keys are converted to snake case, as in the API; with `isWire` they already are. */
  readonly json: object
  readonly isWire?: true
  readonly text: string
  /** What is wrong, in one sentence: the command prints its answer and fails with exit code 1. */
  readonly failure?: string
}

export type CommandAction<Options> = (options: Options, config: Config, words: readonly unknown[]) => Promise<Answer>

/** Settings of commands that work on an installation. */
export const INSTALLATION_SETTINGS = ['data-dir', 'database', 'secret-key-file'] as const

/** Settings of commands that work on an installation or a remote gateway. */
export const ASKING = [...INSTALLATION_SETTINGS, 'server'] as const

const SETTINGS_GROUP = 'Settings:'

export function newCommand({ name, summary, examples, settings }: CommandText): Command {
  const command = new Command(name).description(summary)
  for (const setting of FLAGS) {
    if (!settings.includes(setting.flag)) continue
    const standard = setting.default === null ? '' : `, default ${setting.default}`
    const meaning = `${setting.meaning} (${setting.env}${standard})`
    command.addOption(new Option(`--${setting.flag} <${setting.placeholder}>`, meaning).helpGroup(SETTINGS_GROUP))
  }
  command.addOption(new Option('--json', 'print the result as JSON').helpGroup(SETTINGS_GROUP))
  const lines = examples.map((example) => `  $ ${example}\n`).join('')
  return command.addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines}`)
}

/** Sets the action of the command and prints its answer. `words` are the parsed arguments. */
export function answerBy<Options extends object>(
  command: Command,
  terminal: Terminal,
  act: CommandAction<Options>,
): Command {
  return command.action(async () => {
    const options = command.opts<Options & { readonly json?: true }>()
    const config = readConfig(settingFlags(command), terminal.environment)
    const answer = await act(options, config, command.processedArgs)
    printAnswer(terminal, options.json === true, answer)
    if (answer.failure !== undefined) throw new CannotDo(answer.failure)
  })
}

export function printAnswer(terminal: Terminal, asJson: boolean, answer: Answer): void {
  const json = () => (answer.isWire === true ? answer.json : toSnakeCase(answer.json))
  terminal.out(asJson ? `${JSON.stringify(json(), null, 2)}\n` : `${answer.text}\n`)
}

/** Returns the form of the log of a gateway: readable on a terminal, JSON elsewhere and with `--json`. */
export function logForm({ isWatched }: Terminal, asJson: boolean): 'json' | 'readable' {
  return isWatched && !asJson ? 'readable' : 'json'
}

/** Returns the settings given as flags, by flag name. */
export function settingFlags(command: Command): Record<string, string> {
  const values: OptionValues = command.opts()
  const flags: Record<string, string> = {}
  for (const { flag } of FLAGS) {
    // A command may have its own option of that name: the role of a user.
    const option = command.options.find(({ long }) => long === `--${flag}`)
    if (option?.helpGroupHeading !== SETTINGS_GROUP) continue
    const value: unknown = values[flag.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())]
    if (typeof value === 'string') flags[flag] = value
  }
  return flags
}

function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toSnakeCase(each),
    ]),
  )
}
