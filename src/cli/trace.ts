/** `posthorn trace`: the walk of one message, station by station. */
import type { Command } from 'commander'
import type { MessageId } from '../domain/message-id.ts'
import { toDecimal } from '../domain/money.ts'
import { type MessageTrace, traceMessage } from '../operations/admin/trace-message.ts'
import { answerBy, INSTALLATION, newCommand } from './command.ts'
import { CannotDo } from './failure.ts'
import { withToolStore } from './open-tool-store.ts'
import { readMessageId } from './option-readers.ts'
import type { Terminal } from './terminal.ts'
import { writeFacts, writeTable } from './text-table.ts'

export function traceCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'trace',
    summary: 'tell what happened to one message, station by station, with times in UTC',
    examples: ['posthorn trace 12864'],
    settings: INSTALLATION,
  }).argument('<msg_id>', 'as the API gave it', readMessageId)
  return answerBy(command, terminal, async (_options, config, [word]) => {
    const id = word as MessageId
    const trace = await withToolStore(config, (store) => traceMessage(store, id))
    if (trace === null) throw new CannotDo(`there is no message ${id}`)
    return { json: toPlain(trace), text: writeTrace(trace) }
  })
}

function toPlain(trace: MessageTrace): object {
  const { messageId, clientId, dueAt, heldMicros, chargedMicros, steps, stations, ...rest } = trace
  return {
    msgId: messageId,
    clientId,
    ...rest,
    dueAt: dueAt === null ? null : writeTime(dueAt),
    held: toDecimal(heldMicros),
    charged: toDecimal(chargedMicros),
    steps: steps.map(({ priceMicros, ...step }) => ({ ...step, price: toDecimal(priceMicros) })),
    stations: stations.map((station) => ({ ...station, at: writeTime(station.at) })),
  }
}

function writeTrace(trace: MessageTrace): string {
  const { currency } = trace
  const facts = writeFacts([
    ['message', String(trace.messageId)],
    ['status', trace.dueAt === null ? trace.status : `${trace.status}, looked at next ${writeTime(trace.dueAt)}`],
    ['phone', trace.phone],
    ['account', String(trace.accountId)],
    ['client id', trace.clientId ?? 'none'],
    ['hook', trace.hook ?? 'none'],
    ['charged', `${toDecimal(trace.chargedMicros)} ${currency}`],
    ['held', `${toDecimal(trace.heldMicros)} ${currency}`],
  ])
  const steps = writeTable(
    ['step', 'sender', 'parts', 'price', 'lifetime', 'carrier', 'status', ''],
    trace.steps.map((step) => [
      step.channel,
      step.sender || '-',
      String(step.parts),
      `${toDecimal(step.priceMicros)} ${currency}`,
      `${step.lifetimeSeconds} s`,
      step.carrierId ?? '-',
      step.status ?? 'not tried',
      step.detail ?? '',
    ]),
  )
  const stations = writeTable(
    ['time', 'station', 'event', 'channel', 'carrier', ''],
    trace.stations.map((station) => [
      writeTime(station.at),
      station.room,
      station.event,
      station.channel ?? '-',
      station.carrierId ?? '-',
      station.detail,
    ]),
  )
  return `${facts}\n\n${steps}\n\n${stations}`
}

function writeTime(at: number): string {
  return new Date(at).toISOString()
}
