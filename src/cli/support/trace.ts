/** `posthorn trace`: prints the timeline of one message, sent or inbound. */
import type { Command } from 'commander'
import { endpointNamed } from '../../operations/admin/endpoints.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { readMessageId } from '../command/option-readers.ts'
import type { Terminal } from '../command/terminal.ts'
import { printResult } from '../command/write-answer.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

export function traceCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'trace',
    summary: 'show the timeline of one message, sent or inbound: carriers, money, reports; times in UTC',
    examples: ['posthorn trace 12864'],
    settings: ASKING,
  }).argument('<id>', 'msg_id or inbound_id as returned by the API', readMessageId)
  return answerBy(command, terminal, async (_options, config, [id]) => {
    const ask = async (name: string, params: object) => {
      const endpoint = endpointNamed(name)
      const answer = await askEndpoint(endpoint, { params, query: {}, body: {} }, config, terminal)
      return { json: answer as object, text: printResult(endpoint, answer) }
    }
    return ask('traceMessage', { message: id }).catch((error: unknown) =>
      ask('traceInbound', { inbound: id }).catch(() => {
        throw error
      }),
    )
  })
}
