/** `posthorn carrier add`: adds a carrier or replaces its settings, which are encrypted and never shown. */
import { type Command, Option } from 'commander'
import type { Config } from '../../app/settings/config.ts'
import { ROUTED_CHANNELS, type RoutedChannel } from '../../domain/channels/channel.ts'
import { CARRIER_CHANNELS, type CarrierKind } from '../../operations/admin/fields/carrier-kinds.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { WrongUsage } from '../command/failure.ts'
import { collect } from '../command/option-readers.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'
import {
  LOSE_RECEIPTS_FLAG,
  readCarrierSettings,
  SET_HELP,
  type SettingsSource,
  warnOfStandstill,
} from './carrier-settings.ts'
import { type AnswersSource, readProviderAnswers } from './provider-answers.ts'
import { writeSteps } from './provider-show.ts'
import { addRouteOptions, readRoute } from './route-options.ts'

interface Options extends SettingsSource, AnswersSource {
  readonly id: string
  readonly kind?: CarrierKind
  readonly channel?: RoutedChannel
  /** False with `--no-route`. */
  readonly route: boolean
  readonly loseReceipts?: true
}

interface Answered {
  readonly channel: RoutedChannel
  readonly kind: CarrierKind
  readonly removed_settings: readonly string[]
  readonly set_up: readonly string[]
}

export function carrierAddCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'add',
    summary:
      'add a carrier and a route to it, or replace all its settings (posthorn carrier set changes single ones). Pass ' +
      'secrets with --settings from a file or standard input: other users of this machine can read command lines',
    examples: [
      'posthorn carrier add --id tw --provider twilio',
      'posthorn carrier add --id acme --kind smpp --settings acme.json',
      'posthorn carrier add --id acme --kind smpp --settings - --set host=smpp.example.net --set port=2775 < secrets.json',
      'posthorn carrier add --id parrot --kind http --channel sms --settings parrot.json',
      'posthorn carrier add --id voice --kind sip --settings voice.json --pool berlin',
    ],
    settings: [...ASKING, 'public-url'],
  })
    .requiredOption('--id <id>', 'id of the carrier, part of the address of its webhook: /carriers/<id>')
    .addOption(new Option('--kind <kind>', 'the driver').choices(Object.keys(CARRIER_CHANNELS)))
    .option('--provider <name>', 'in place of --kind and settings: a provider of posthorn provider list')
    .option(
      '--answer <name=value>',
      'an answer that the provider asks for, may be repeated; overrides the file',
      collect,
    )
    .option('--answers <file>', 'JSON object of the answers; - reads standard input')
    .addOption(new Option('--channel <channel>', 'channel, if the kind serves several').choices(ROUTED_CHANNELS))
    .option('--settings <file>', 'JSON object of settings; - reads standard input')
    .option('--set <name=value>', SET_HELP, collect)
    .option('--no-route', 'add no route; keep existing routes')
    .option(...LOSE_RECEIPTS_FLAG)
  return answerBy<Options>(addRouteOptions(command), terminal, async (options, config) => {
    const { id, channel: wished, loseReceipts } = options
    const setup = await readSetup(options, config, terminal)
    const route = options.route ? readRoute(options) : null
    const body = {
      ...setup,
      ...(wished === undefined ? {} : { channel: wished }),
      ...(route === null ? {} : { route }),
      ...(loseReceipts === true ? { lose_receipts: true } : {}),
    }
    const answer = await askEndpoint('setCarrier', { params: { id }, query: {}, body }, config, terminal)
    const { channel, kind, removed_settings: removed, set_up: steps } = answer as Answered
    const routed = route === null ? 'its routes are unchanged' : `takes ${writeNumbers(route.prefix)}`
    return {
      json: { carrierId: id, kind, channel, route, removedSettings: removed, setUp: steps },
      text: [
        `Carrier ${id} (${kind}) is set up for ${channel}; ${routed}.${writeRemoved(id, removed)}${warnOfStandstill(id, setup.settings ?? {})}`,
        ...(steps.length === 0 ? [] : [writeSteps(steps)]),
        ...(config.server === null && config.publicUrl !== null && steps.length > 0
          ? ['Set the same POSTHORN_PUBLIC_URL for the gateway: it may not start the carrier without it.']
          : []),
      ].join('\n\n'),
    }
  })
}

interface Setup {
  readonly kind?: CarrierKind
  readonly settings?: object
  readonly provider?: string
  readonly answers?: object
}

/** Returns kind and settings, or provider and answers. */
async function readSetup(options: Options, config: Config, terminal: Terminal): Promise<Setup> {
  const { id, kind, provider, settings: file, set, answer, answers } = options
  if (provider === undefined) {
    if (kind === undefined) throw new WrongUsage('--kind or --provider: one of them is required')
    if ((answer ?? answers) !== undefined) throw new WrongUsage('--answer and --answers: only with --provider')
    return { kind, settings: await readCarrierSettings(options, terminal) }
  }
  if ((file ?? set) !== undefined) {
    throw new WrongUsage(
      `--settings and --set: not with --provider; change single settings afterwards with posthorn carrier set --id ${id}`,
    )
  }
  return {
    ...(kind === undefined ? {} : { kind }),
    provider,
    answers: await readProviderAnswers(id, options, config, terminal),
  }
}

function writeRemoved(id: string, removed: readonly string[]): string {
  if (removed.length === 0) return ''
  return (
    `\nRemoved settings, because they were not given again: ${removed.join(', ')}. Put them back, and change single ` +
    `settings, with posthorn carrier set --id ${id} --set name=value`
  )
}

function writeNumbers(prefix = ''): string {
  return prefix === '' ? 'every number' : `numbers that begin with ${prefix}`
}
