/** `posthorn carrier test`: sends a message by one carrier, and prints its timeline as it grows. */
import type { Command } from 'commander'
import { endpointNamed } from '../../operations/admin/endpoints.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'
import { addOptions, pick } from '../store/endpoint-command.ts'

interface Sent {
  readonly message: number
}

interface Trace {
  readonly status: string
  readonly phase: string
  readonly timeline: readonly TimelineEvent[]
}

interface TimelineEvent {
  readonly at: string
  readonly event: string
  readonly detail: string
}

const LOOK_EVERY_MS = 1_000

export function carrierTestCommand(terminal: Terminal): Command {
  const endpoint = endpointNamed('testCarrier')
  const command = newCommand({
    name: 'test',
    summary:
      'send a message to a phone of your own by this carrier alone, free of charge for the account, and print what ' +
      'happens until its end',
    examples: [
      'posthorn carrier test --server http://127.0.0.1:8081 --id acme --to 37120000000 --sender Shop',
      'posthorn carrier test --server http://127.0.0.1:8081 --id acme --to 37120000000 --account 1 --text "Hello from acme"',
    ],
    settings: ASKING,
  })
  for (const schema of [endpoint.params, endpoint.body]) addOptions(command, schema)
  return answerBy<Readonly<Record<string, unknown>>>(command, terminal, async (options, config) => {
    const input = { params: pick(endpoint.params, options), query: {}, body: pick(endpoint.body, options) }
    const sent = (await askEndpoint(endpoint, input, config, terminal)) as Sent
    const show = options['json'] === true ? () => {} : terminal.out
    show(`Message ${sent.message}\n`)
    const look = async () =>
      (await askEndpoint(
        'traceMessage',
        { params: { message: sent.message }, query: {}, body: {} },
        config,
        terminal,
      )) as Trace
    const { status } = await untilEnd(look, show, terminal)
    const delivered = status === 'DELIVERED' || status === 'READ'
    return {
      json: { ...sent, status },
      isWire: true,
      text: status,
      ...(delivered ? {} : { failure: `the test ended ${status}: posthorn trace ${sent.message} shows why` }),
    }
  })
}

/** Shows each event once. Returns the message as it ended. */
async function untilEnd(look: () => Promise<Trace>, show: (line: string) => void, { pause }: Terminal): Promise<Trace> {
  for (let shown = 0; ; ) {
    const trace = await look()
    for (const { at, event, detail } of trace.timeline.slice(shown)) show(`${at}  ${event.padEnd(12)}${detail}\n`)
    if (trace.phase === 'ended') return trace
    shown = trace.timeline.length
    await pause(LOOK_EVERY_MS)
  }
}
