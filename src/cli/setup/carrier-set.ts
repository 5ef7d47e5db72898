/** `posthorn carrier set`: changes single settings of a carrier and keeps the others, including secrets. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { WrongUsage } from '../command/failure.ts'
import { collect } from '../command/option-readers.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'
import {
  hasSetting,
  LOSE_RECEIPTS_FLAG,
  readCarrierSettings,
  SET_HELP,
  type SettingsSource,
  warnOfStandstill,
  withSetting,
} from './carrier-settings.ts'
import { type AnswersSource, readGivenAnswers } from './provider-answers.ts'

interface Options extends SettingsSource, AnswersSource {
  readonly id: string
  readonly unset?: readonly string[]
  readonly loseReceipts?: true
}

export function carrierSetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'set',
    summary:
      'change single settings of a carrier; others and its routes stay unchanged. Pass secrets with --settings ' +
      'from a file or standard input',
    examples: [
      'posthorn carrier set --id voice --set earlyMedia=ringing',
      'posthorn carrier set --id acme --set throughput=50 --set lifetime.most=86400 --unset window',
      'posthorn carrier set --id tw --answers - < new-token.json',
      'posthorn carrier set --id acme --settings - < password.json',
    ],
    settings: ASKING,
  })
    .requiredOption('--id <id>', 'the carrier')
    .option('--settings <file>', 'JSON object of the settings to change; null removes one; - reads standard input')
    .option('--set <name=value>', SET_HELP, collect)
    .option('--answer <name=value>', 'another answer to its provider, may be repeated; overrides the file', collect)
    .option('--answers <file>', 'JSON object of such answers; - reads standard input')
    .option('--unset <name>', 'remove a setting, to use its default; may be repeated', collect)
    .option(...LOSE_RECEIPTS_FLAG)
  return answerBy<Options>(command, terminal, async (options, config) => {
    const { id, unset = [], loseReceipts = false } = options
    const changed = await readCarrierSettings(options, terminal)
    const twice = unset.find((name) => hasSetting(changed, name.split('.')))
    if (twice !== undefined) throw new WrongUsage(`--unset: ${twice} is also given a value`)
    const settings = unset.reduce((before, name) => withSetting(before, name.split('.'), null), changed)
    const answers = await readGivenAnswers(options, terminal)
    const names = [...Object.keys(settings), ...Object.keys(answers)]
    if (names.length === 0) {
      throw new WrongUsage('--set, --unset, --settings, --answer or --answers: one of them is required')
    }
    const body = { settings, answers, ...(loseReceipts ? { lose_receipts: true } : {}) }
    const input = { params: { id }, query: {}, body }
    const answer = (await askEndpoint('changeCarrierSettings', input, config, terminal)) as {
      readonly settings: object
    }
    return {
      json: { carrierId: id, changed: names },
      text: `Carrier ${id} has now:\n${writeSettings(names, answer.settings)}${warnOfStandstill(id, answer.settings)}`,
    }
  })
}

/** Writes each setting or answer with its value, secrets as `<kept>`. */
function writeSettings(names: readonly string[], settings: object): string {
  const { constants, secrets } = settings as { readonly constants?: object; readonly secrets?: object }
  const values = new Map(Object.entries({ ...constants, ...secrets, ...settings }))
  return names.map((name) => `  ${name}: ${JSON.stringify(values.get(name)) ?? 'its default'}`).join('\n')
}
