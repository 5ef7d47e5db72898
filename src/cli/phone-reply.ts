/** `posthorn phone reply`: a simulated phone of a running sandbox writes to the gateway. */
import { type Command, Option } from 'commander'
import { MESSAGE_CHANNELS } from '../domain/channel.ts'
import { readPhone } from '../domain/phone.ts'
import { answerBy, newCommand } from './command.ts'
import { CannotDo, WrongUsage } from './failure.ts'
import type { Terminal } from './terminal.ts'

const REPLY_CHANNELS = [...MESSAGE_CHANNELS, 'whatsapp'] as const
type ReplyChannel = (typeof REPLY_CHANNELS)[number]

interface ReplyOptions {
  readonly from: string
  readonly to?: string
  readonly text: string
  readonly channel: ReplyChannel
  readonly quote?: string
}

/** What a phone writes to if the command does not say it: the sender name, agent or service of the sandbox. */
const ADDRESSES: Readonly<Record<ReplyChannel, string>> = {
  sms: 'SMSTest',
  rcs: 'sandbox-agent',
  chatapp: '4321',
  whatsapp: '15555550100',
}

export function phoneReplyCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'reply',
    summary: 'write a message from a simulated phone to the demo account of a running sandbox',
    examples: [
      'posthorn phone reply --from 491701234500 --to SMSTest --text "Yes"',
      'posthorn phone reply --from 491701234500 --channel rcs --text "Yes"',
      'posthorn phone reply --from 491701234500 --channel whatsapp --quote 65 --text "Yes"',
    ],
    settings: ['data-dir'],
  })
    .requiredOption('--from <phone>', 'the phone that writes')
    .requiredOption('--text <text>', 'what it writes; by SMS one part')
    .option('--to <address>', 'what it writes to: by default SMSTest, sandbox-agent, 15555550100 or 4321 (Viber)')
    .option('--quote <msg_id>', 'by WhatsApp: the message that it quotes')
    .addOption(new Option('--channel <channel>', 'chatapp is Viber').choices([...REPLY_CHANNELS]).default('sms'))
  return answerBy<ReplyOptions>(command, terminal, async (options, config) => {
    const { from, text, channel, to = ADDRESSES[channel], quote } = options
    const phone = readPhone(from)
    if (phone === null)
      throw new WrongUsage('--from: must be a phone number with its country code, such as 491701234500')
    if (text === '') throw new WrongUsage('--text: must not be empty')
    const { replyByPhone } = await import('../sandbox/phone-control.ts')
    const reply = { from: phone, to, text, channel, ...(quote === undefined ? {} : { quotes: quote }) }
    const reason = await replyByPhone(config.dataDir, reply)
    if (reason !== null) throw new CannotDo(reason)
    return { json: reply, text: `${phone} wrote to ${to} by ${channel}.` }
  })
}
