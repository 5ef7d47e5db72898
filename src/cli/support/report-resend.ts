/** `posthorn report resend`: shows how many reports match, and sends them again with --yes. */
import { type Command, InvalidArgumentError } from 'commander'
import type { ReportCounts } from '../../ports/stores/query-store.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { WrongUsage } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Options {
  readonly message?: number
  readonly account?: number
  readonly address?: string
  readonly since?: string
  readonly until?: string
  readonly all?: true
  readonly pending?: true
  readonly yes?: true
}

export function reportResendCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'resend',
    summary: 'send failed reports again: those of a message, an account or a hook, or all',
    examples: [
      'posthorn report resend --account 1',
      'posthorn report resend --account 1 --address https://client.example/reports --pending --yes',
    ],
    settings: ASKING,
  })
    .option('--message <number>', 'only reports of this message', readNumber)
    .option('--account <number>', 'only reports of this account', readNumber)
    .option('--address <text>', 'only reports to this hook, as given by the client')
    .option('--since <time>', 'only reports written at this time or later, RFC 3339')
    .option('--until <time>', 'only reports written before this time, RFC 3339')
    .option('--all', 'reports of all accounts')
    .option('--pending', 'also send reports that wait for a retry or for their hook')
    .option('--yes', 'send the reports; by default they are only counted')
  return answerBy<Options>(command, terminal, async (options, config) => {
    const { message, account, address, since, until, all, pending = false, yes } = options
    const filter = { message, account, address }
    const which = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
    if (Object.keys(which).length > 0 === (all === true)) {
      throw new WrongUsage('--message, --account or --address: one of them is required, or --all')
    }
    const times = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
    const given = { ...which, ...times }
    const ask = (name: string, input: object) =>
      askEndpoint(name, { params: {}, query: {}, body: {}, ...input }, config, terminal)
    const counted = (await ask('countReports', { query: given })) as ReportCounts
    const found = counted.failed - counted.stopped + (pending ? counted.waiting : 0)
    const those = `${counted.failed} failed${pending ? ` and ${counted.waiting} waiting` : ''}`
    const what = `${those}${writeStopped(counted)}`
    if (yes !== true || found === 0) {
      const hint = found === 0 ? 'Nothing to send.' : 'Add --yes to send them.'
      return { json: { ...counted, resent: 0 }, text: `Reports found: ${what}. ${hint}` }
    }
    const body = { ...given, ...(all === true ? { all } : {}), pending }
    const { resent } = (await ask('resendReports', { body })) as { resent: number }
    const rest = resent < found ? ' Run it again for the rest.' : ''
    return { json: { ...counted, resent }, text: `Reports found: ${what}. Sent again: ${resent}.${rest}` }
  })
}

function writeStopped({ stopped }: ReportCounts): string {
  if (stopped === 0) return ''
  return `; ${stopped} failed reports stay because their hook is stopped: see posthorn hook list and posthorn hook resume`
}

function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('must be a number')
  return Number(text)
}
