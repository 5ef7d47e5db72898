/** `posthorn carrier discard`: says what waits for one carrier only, and cancels it with --yes. */
import type { Command } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Options {
  readonly carrier: string
  readonly yes?: true
}

interface Waiting {
  readonly currency: string
  readonly accounts: number
  readonly messages: number
  readonly held: number
}

interface Discarded {
  readonly discarded: number
  readonly released: readonly { readonly currency: string; readonly amount: number }[]
  readonly next: number | null
}

export function carrierDiscardCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'discard',
    summary: 'cancel the messages that wait for a carrier and may go by no other, and release their money',
    examples: [
      'posthorn carrier discard --server http://127.0.0.1:8081 --carrier acme',
      'posthorn carrier discard --carrier acme --yes',
    ],
    settings: ASKING,
  })
    .requiredOption('--carrier <id>', 'id of the carrier')
    .option('--yes', 'cancel them; by default they are only counted')
  return answerBy<Options>(command, terminal, async ({ carrier, yes }, config) => {
    const ask = (name: string, body: object) =>
      askEndpoint(name, { params: { carrier }, query: {}, body }, config, terminal)
    const { data: found } = (await ask('readCarrierQueue', {})) as { readonly data: readonly Waiting[] }
    const count = found.reduce((sum, { messages }) => sum + messages, 0)
    const held = found.map((each) => `${each.held} ${each.currency}`).join(' and ')
    const said = `Messages that only ${carrier} can take: ${count}${count === 0 ? '' : `, with ${held} on hold`}.`
    if (yes !== true || count === 0) {
      const hint = count === 0 ? 'Nothing to cancel.' : 'Add --yes to cancel them; it cannot be undone.'
      return { json: { found, discarded: 0, released: [] }, text: `${said} ${hint}` }
    }
    let discarded = 0
    const micros = new Map<string, number>()
    for (let after: number | null = 0; after !== null; ) {
      const answer = (await ask('discardCarrierQueue', { confirm: true, after })) as Discarded
      discarded += answer.discarded
      for (const { currency, amount } of answer.released) {
        micros.set(currency, (micros.get(currency) ?? 0) + Math.round(amount * 1_000_000))
      }
      after = answer.next
    }
    const released = [...micros].map(([currency, sum]) => ({ currency, amount: sum / 1_000_000 }))
    const money = released.map(({ currency, amount }) => `${amount} ${currency}`).join(' and ')
    const text = `${said} Cancelled: ${discarded}. Released: ${money === '' ? 'nothing' : money}.`
    return { json: { found, discarded, released }, text }
  })
}
