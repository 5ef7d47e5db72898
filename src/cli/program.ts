/** The command line: all commands, and the printing of errors. */

import { Command } from 'commander'
import about from '../../package.json' with { type: 'json' }
import { ENDPOINTS } from '../operations/admin/endpoints.ts'
import { accountDiscardCommand } from './account-discard.ts'
import { apiReferenceCommand } from './api-reference.ts'
import { backupCommand } from './backup.ts'
import { carrierAddCommand } from './carrier-add.ts'
import { carrierSetCommand } from './carrier-set.ts'
import { configApplyCommand } from './config-apply.ts'
import { configExportCommand } from './config-export.ts'
import { consoleCommand } from './console.ts'
import { endpointCommand } from './endpoint-command.ts'
import { refuseExcess } from './excess-arguments.ts'
import { explainFailure } from './failure.ts'
import { forgetCommand } from './forget.ts'
import { healthCommand } from './health.ts'
import { helpCommand } from './help.ts'
import { initCommand } from './init.ts'
import { keyCheckCommand } from './key-check.ts'
import { ledgerVerifyCommand } from './ledger-verify.ts'
import { mcpCommand } from './mcp.ts'
import { messageExportCommand } from './message-export.ts'
import { migrateCommand } from './migrate.ts'
import { moveCommand } from './move.ts'
import { openApiCommand } from './open-api.ts'
import { operatorImportCommand } from './operator-import.ts'
import { phoneReplyCommand } from './phone-reply.ts'
import { poolImportCommand } from './pool-import.ts'
import { reportResendCommand } from './report-resend.ts'
import { sandboxCommand } from './sandbox.ts'
import { secretKeyListCommand } from './secret-key-list.ts'
import { secretKeyRemoveCommand } from './secret-key-remove.ts'
import { secretKeyResealCommand } from './secret-key-reseal.ts'
import { secretKeyRotateCommand } from './secret-key-rotate.ts'
import { serveCommand } from './serve.ts'
import { tariffImportCommand } from './tariff-import.ts'
import type { Terminal } from './terminal.ts'
import { traceCommand } from './trace.ts'

type MakeCommand = (terminal: Terminal) => Command

const RUNNING: readonly MakeCommand[] = [
  sandboxCommand,
  initCommand,
  serveCommand,
  consoleCommand,
  mcpCommand,
  healthCommand,
  migrateCommand,
  backupCommand,
  moveCommand,
]

const GROUPS: readonly (readonly [name: string, summary: string, commands: readonly MakeCommand[]])[] = [
  ['account', 'manage accounts, their settings and balances', [accountDiscardCommand]],
  ['key', 'manage API keys', [keyCheckCommand]],
  ['sender', 'approve sender names', []],
  ['chat-template', 'manage chat-app templates and their approval', []],
  ['sms-template', 'list the SMS templates of an account', []],
  ['price', 'manage prices', []],
  ['tariff', 'import, export and copy price lists', [tariffImportCommand]],
  ['ledger', 'verify the ledger, show margins', [ledgerVerifyCommand]],
  ['carrier', 'manage carriers', [carrierAddCommand, carrierSetCommand]],
  ['route', 'manage routes to carriers', []],
  ['cost', 'manage carrier costs', []],
  ['operator', 'manage the table of mobile operators', [operatorImportCommand]],
  ['config', 'export and apply the configuration as one file', [configExportCommand, configApplyCommand]],
  ['pool', 'manage number pools for flash calls', [poolImportCommand]],
  ['call', 'show call statistics', []],
  ['verify', 'show how many verifications are approved', []],
  ['hook', 'manage hooks and their secrets', []],
  ['client-hook', 'manage the hooks that clients create', []],
  ['bulk', 'show, pause and stop bulks of clients', []],
  ['report', 'list and resend failed reports', [reportResendCommand]],
  ['inbound', 'list inbound messages', []],
  ['phone', 'let simulated phones of a running sandbox write', [phoneReplyCommand]],
  ['inbound-number', 'manage the numbers that recipients write to, and their accounts', []],
  ['guard', 'manage limits and quiet hours of the installation', []],
  ['number', 'manage the deny list and the allow list', []],
  ['alarm', 'manage alarms', []],
  ['alarm-rule', 'manage when alarms are opened', []],
  ['notification-target', 'manage where operators are notified of alarms', []],
  ['opt-out', 'manage opt-outs', []],
  ['message', 'find and export messages', [messageExportCommand]],
  ['user', 'manage admin users', []],
  ['token', 'manage tokens of the admin API', []],
  ['audit', 'show the audit log', []],
  ['node', 'list the gateways that share a database', []],
  ['system', 'show what runs', []],
  [
    'secret-key',
    'manage the keys that encrypt texts and secrets in the database',
    [secretKeyListCommand, secretKeyRotateCommand, secretKeyResealCommand, secretKeyRemoveCommand],
  ],
]

const LOOKING: readonly MakeCommand[] = [traceCommand, forgetCommand, openApiCommand, apiReferenceCommand]

/** With `words` of a command line, a group that they do not name has no commands: most of the time is to make them. */
export function buildProgram(terminal: Terminal, words?: readonly string[]): Command {
  const program = new Command('posthorn')
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
  for (const make of RUNNING) adopt(program, make(terminal))
  for (const [name, summary, commands] of GROUPS) {
    const group = adopt(program, new Command(name).description(summary))
    if (words?.includes(name) === false) continue
    for (const make of commands) adopt(group, make(terminal))
    for (const endpoint of ENDPOINTS) {
      if (endpoint.command?.split(' ')[0] === name) adopt(group, endpointCommand(endpoint, terminal))
    }
    adopt(group, helpCommand(group))
  }
  for (const endpoint of ENDPOINTS) {
    if (endpoint.command?.includes(' ') === false) adopt(program, endpointCommand(endpoint, terminal))
  }
  for (const make of LOOKING) adopt(program, make(terminal))
  adopt(program, helpCommand(program))
  return program
}

/** Runs one command line, without the program's name. Returns the exit code. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await buildProgram(terminal, words).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    const { sentence, exitCode } = explainFailure(error)
    if (sentence !== null) terminal.err(`error: ${sentence}${suggestGroup(sentence, words)}\n`)
    return exitCode
  }
}

/** Suggests the only command of that name in a group: `ledger margin` for `margin`. Empty if there is none. */
function suggestGroup(sentence: string, [word = '']: readonly string[]): string {
  if (sentence !== `${word}: unknown command`) return ''
  const [found, ...others] = ENDPOINTS.flatMap(({ command }) => (command?.endsWith(` ${word}`) === true ? command : []))
  return found === undefined || others.length > 0 ? '' : `; did you mean ${found}?`
}

function adopt(parent: Command, child: Command): Command {
  parent.addCommand(child)
  return child.copyInheritedSettings(parent)
}
