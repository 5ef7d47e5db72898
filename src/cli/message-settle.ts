/** `posthorn message settle`: says which messages got no receipt, and sends them again or ends them with --yes. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { SETTLEMENTS } from '../domain/message/journey-event.ts'
import { ASKING, answerBy, newCommand } from './command/command.ts'
import type { Terminal } from './command/terminal.ts'
import { askEndpoint } from './store/ask-endpoint.ts'

interface Options {
  readonly account?: number
  readonly carrier?: string
  readonly from?: string
  readonly until: string
  readonly action: (typeof SETTLEMENTS)[number]
  readonly yes?: true
}

interface Sum {
  readonly account: number
  readonly messages: number
  readonly charged: number
  readonly held: number
  readonly currency: string
}

interface Settled {
  readonly data: readonly Sum[]
  readonly skipped: number
  readonly next: number | null
}

const EFFECTS: Readonly<Record<Options['action'], string>> = {
  'send again': 'send them again: recipients who have them get them twice, and nothing is charged again',
  end: 'end them as UNKNOWN: what is on hold is released, and what was charged stays charged',
}

export function messageSettleCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'settle',
    summary: 'send again or end messages that a carrier has taken and of which it sent no receipt',
    examples: [
      'posthorn message settle --server http://127.0.0.1:8081 --carrier acme --until 2026-11-21T04:00:00Z --action "send again"',
      'posthorn message settle --server http://127.0.0.1:8081 --carrier acme --until 2026-11-21T04:00:00Z --action end --yes',
    ],
    settings: ASKING,
  })
    .option('--account <number>', 'only messages of this account', readNumber)
    .option('--carrier <id>', 'only messages that this carrier took; name an account or a carrier')
    .option('--from <time>', 'taken at this time or later, RFC 3339')
    .requiredOption('--until <time>', 'taken before this time, RFC 3339, such as that of the restore')
    .addOption(new Option('--action <action>', 'what becomes of them').choices(SETTLEMENTS).makeOptionMandatory())
    .option('--yes', 'do it; by default they are only counted')
  return answerBy<Options>(command, terminal, async ({ yes, action, ...filter }, config) => {
    const counted = await askEndpoint('countUnsettled', { params: {}, query: filter, body: {} }, config, terminal)
    const { data } = counted as { readonly data: readonly Sum[] }
    const found = `Messages without a receipt: ${describe(data)}.`
    if (yes !== true || data.length === 0) {
      const hint = data.length === 0 ? 'Nothing to do.' : `Add --yes to ${EFFECTS[action]}.`
      return { json: { found: data, settled: [], skipped: 0 }, text: `${found} ${hint}` }
    }
    const settled: Sum[] = []
    let skipped = 0
    for (let after: number | null = 0; after !== null; ) {
      const body = { ...filter, action, confirm: true, after }
      const answer = (await askEndpoint('settleMessages', { params: {}, query: {}, body }, config, terminal)) as Settled
      settled.push(...answer.data)
      skipped += answer.skipped
      after = answer.next
    }
    const count = settled.reduce((sum, { messages }) => sum + messages, 0)
    const rest = skipped === 0 ? '' : ` Skipped, because they changed in the meantime: ${skipped}.`
    return { json: { found: data, settled, skipped }, text: `${found} ${DONE[action]}: ${count}.${rest}` }
  })
}

const DONE: Readonly<Record<Options['action'], string>> = { 'send again': 'Sent again', end: 'Ended' }

function describe(sums: readonly Sum[]): string {
  if (sums.length === 0) return '0'
  return sums
    .map(({ account, messages, charged, held, currency }) => {
      return `${messages} of account ${account}, with ${charged} ${currency} charged and ${held} ${currency} on hold`
    })
    .join('; ')
}

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('must be a number')
  return Number(text)
}
