/** `posthorn forget`: erases the personal data of a phone number. */
import type { Command } from 'commander'
import { readRecipient } from '../../domain/numbers/phone.ts'
import { RECIPIENT_RULE } from '../../operations/admin/fields/field-refused.ts'
import type { Leftovers } from '../../ports/records/forgetting.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { CannotDo, WrongUsage } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

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
    examples: ['posthorn forget 37120000000', 'posthorn forget - --yes < phone.txt'],
    settings: ASKING,
  })
    .argument(
      '<phone>',
      'phone number with its country code, or WhatsApp user id; - reads it from standard input, which other users cannot see',
    )
    .option('--yes', 'erase; by default the command only says what it would erase, and fails')
  return answerBy<{ readonly yes?: true }>(command, terminal, async ({ yes }, config, [word]) => {
    const phone = word === '-' ? (await terminal.readInput()).trim() : String(word)
    if (readRecipient(phone) === null) throw new WrongUsage(`<phone>: ${RECIPIENT_RULE}`)
    if (yes !== true) {
      const found = await askEndpoint(
        'findMessages',
        { params: {}, query: {}, body: { phone, most: MAX_COUNTED } },
        config,
        terminal,
      )
      throw new CannotDo(preview(found as Found))
    }
    const answer = await askEndpoint('forgetPhone', { params: {}, query: {}, body: { phone } }, config, terminal)
    return { json: answer as Answer, text: describe(answer as Answer) }
  })
}

interface Found {
  readonly data: readonly unknown[]
  readonly next: number | null
}

/** Messages that a preview counts. */
const MAX_COUNTED = 1_000

function preview({ data, next }: Found): string {
  const messages = next === null ? count(data.length, 'message', 'messages') : `${data.length} or more messages`
  return (
    `nothing was erased yet. This would erase the number, texts, links and client ids of ${messages}, and all replies ` +
    'and counts of the number; it cannot be undone. Add --yes to erase them'
  )
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
