/** `posthorn provider show`: what a provider asks, what to do there, and what it lacks. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { writeFacts, writeTable } from '../command/text-table.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Shown {
  readonly provider: string
  readonly title: string
  readonly channel: string
  readonly version: number
  readonly status: string
  readonly documentation: { readonly address: string; readonly date: string }
  readonly questions: readonly {
    readonly name: string
    readonly help: string
    readonly secret: boolean
    readonly default: string | null
  }[]
  readonly set_up: readonly string[]
  readonly limits: readonly string[]
}

export function providerShowCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'show',
    summary: 'show what a provider asks, what to do there, and what it lacks',
    examples: ['posthorn provider show twilio', 'posthorn provider show twilio --carrier tw'],
    settings: [...ASKING, 'public-url'],
  })
    .argument('<provider>', 'name of the provider: posthorn provider list has them')
    .option('--carrier <id>', 'id of the carrier in the addresses of its webhooks (default the name of the provider)')
  return answerBy<{ readonly carrier?: string }>(command, terminal, async ({ carrier }, config, [provider]) => {
    const query = carrier === undefined ? {} : { carrier }
    const shown = await askEndpoint('showProvider', { params: { provider }, query, body: {} }, config, terminal)
    return { json: shown as object, isWire: true, text: write(shown as Shown, carrier) }
  })
}

function write({ questions, set_up: setUp, limits, documentation, ...shown }: Shown, carrier = shown.provider): string {
  const facts = [
    ['provider', `${shown.title}, ${shown.channel}`],
    ['settings', `version ${shown.version}, ${shown.status}`],
    ['documentation', `${documentation.address} (${documentation.date})`],
  ] as const
  const rows = questions.map(({ name, help, secret, ...question }) => [
    name,
    secret ? 'secret' : (question.default ?? ''),
    help,
  ])
  return [
    writeFacts(facts),
    writeTable(['answer', 'default', 'where it is'], rows),
    writeSteps(setUp),
    ...(limits.length === 0 ? [] : [`Limits:\n${limits.map((limit) => `- ${limit}`).join('\n')}`]),
    `posthorn carrier add --id ${carrier} --provider ${shown.provider}`,
  ].join('\n\n')
}

/** Numbers what to do at the provider. */
export function writeSteps(steps: readonly string[]): string {
  return ['At the provider:', ...steps.map((step, at) => `${at + 1}. ${step}`)].join('\n')
}
