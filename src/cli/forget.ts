/** `posthorn forget`: erases the personal data of a phone number. */
import type { Command } from 'commander'
import { readPhone } from '../domain/phone.ts'
import { PHONE_RULE } from '../operations/admin/field-refused.ts'
import type { Leftovers } from '../ports/forgetting.ts'
import { askEndpoint } from './ask-endpoint.ts'
import { ASKING, answerBy, newCommand } from './command.ts'
import { WrongUsage } from './failure.ts'
import type { Terminal } from './terminal.ts'

interface Answer {
  readonly phone_hash: string
  readonly messages: number
  readonly replies: number
  readonly opt_outs: number
  readonly leftovers: Leftovers
}

export function forgetCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'forget',
    summary: 'erase the personal data of a phone number; statuses and amounts of its messages stay',
    examples: ['posthorn forget 37120000000', 'posthorn forget - < phone.txt'],
    settings: ASKING,
  }).argument(
    '<phone>',
    'phone number with its country code; - reads it from standard input, which other users cannot see',
  )
  return answerBy(command, terminal, async (_options, config, [word]) => {
    const phone = word === '-' ? (await terminal.readInput()).trim() : String(word)
    if (readPhone(phone) === null) throw new WrongUsage(`<phone>: ${PHONE_RULE}`)
    const answer = await askEndpoint('forgetPhone', { params: {}, query: {}, body: { phone } }, config, terminal)
    return { json: answer as Answer, text: describe(answer as Answer) }
  })
}

const LEFT: Readonly<Partial<Record<Leftovers, string>>> = {
  room: 'Free space of the database file may contain bytes of it until overwritten: run this again while no gateway runs.',
  log: 'The database was busy and its log still contains the number: run this again.',
  server: 'Files of the database server contain it until VACUUM, its log and its backups have overwritten it.',
}

function describe({ phone_hash: hash, messages, replies, opt_outs: optOuts, leftovers }: Answer): string {
  const what = `${count(messages, 'message', 'messages')}, ${count(replies, 'reply', 'replies')}`
  const lines = [
    `Forgotten: ${what}. Opt-outs that stay in force without the number: ${optOuts}.`,
    `The audit log names it phone ${hash}.`,
  ]
  return [...lines, ...(LEFT[leftovers] === undefined ? [] : [LEFT[leftovers]])].join('\n')
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
