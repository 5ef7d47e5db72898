/** `posthorn phone reply`: a simulated phone of a running sandbox writes to the gateway. */
import { type Command, Option } from 'commander'
import { readPhone, readRecipient } from '../../domain/numbers/phone.ts'
import { answerBy, newCommand } from '../command/command.ts'
import { CannotDo, WrongUsage } from '../command/failure.ts'
import type { Terminal } from '../command/terminal.ts'

/** What a phone writes to if the command does not say it: the sender name, agent or service of the sandbox. */
const ADDRESSES = { sms: 'SMSTest', rcs: 'sandbox-agent', chatapp: '4321', whatsapp: '15555550100' } as const
type ReplyChannel = keyof typeof ADDRESSES

interface ReplyOptions {
  readonly from: string
  readonly to?: string
  readonly text?: string
  readonly tap?: string
  readonly channel: ReplyChannel
  readonly quote?: string
}

export function phoneReplyCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'reply',
    summary: 'write a message from a simulated phone to the demo account of a running sandbox',
    examples: [
      'posthorn phone reply --from 491701234500 --to SMSTest --text "Yes"',
      'posthorn phone reply --from 491701234500 --channel rcs --text "Yes"',
      'posthorn phone reply --from 491701234500 --channel rcs --tap "Yes"',
      'posthorn phone reply --from 491701234500 --channel whatsapp --quote 65 --text "Yes"',
    ],
    settings: ['data-dir'],
  })
    .requiredOption('--from <phone>', 'the phone that writes; by WhatsApp also a user id, such as US.4711')
    .option('--text <text>', 'what it writes; by SMS one part')
    .option('--tap <caption>', 'by rcs or whatsapp, in place of a text: the suggestion or button that it taps')
    .option('--to <address>', 'what it writes to: by default SMSTest, sandbox-agent, 15555550100 or 4321 (Viber)')
    .option('--quote <msg_id>', 'by WhatsApp: the message that it quotes')
    .addOption(new Option('--channel <channel>', 'chatapp is Viber').choices(Object.keys(ADDRESSES)).default('sms'))
  return answerBy<ReplyOptions>(command, terminal, async (options, config) => {
    const { from, tap, text = tap, channel, to = ADDRESSES[channel], quote } = options
    // Only WhatsApp has users without a number.
    const phone = channel === 'whatsapp' ? readRecipient(from) : readPhone(from)
    if (phone === null)
      throw new WrongUsage(
        '--from: must be a phone number with its country code, such as 491701234500; by WhatsApp also a user id',
      )
    if ((options.text === undefined) === (tap === undefined))
      throw new WrongUsage('--text or --tap: one of them is required')
    if (text === undefined || text === '') throw new WrongUsage('--text: must not be empty')
    const { replyByPhone } = await import('../../sandbox/phone-control.ts')
    const quoted = quote === undefined ? {} : { quotes: quote }
    const reply = { from: phone, to, text, channel, ...quoted, ...(tap === undefined ? {} : { taps: true }) }
    const reason = await replyByPhone(config.dataDir, reply)
    if (reason !== null) throw new CannotDo(reason)
    const done = tap === undefined ? `wrote to ${to}` : `tapped ${JSON.stringify(tap)}`
    return { json: reply, text: `${phone} ${done} by ${channel}.` }
  })
}
