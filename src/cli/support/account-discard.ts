/** `posthorn account discard`: says what an account has queued, and cancels it with --yes. */
import { type Command, InvalidArgumentError } from 'commander'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import type { Terminal } from '../command/terminal.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Options {
  readonly account: number
  readonly yes?: true
}

interface Queue {
  readonly messages: number
  readonly held: number
  readonly currency: string
}

interface Discarded {
  readonly discarded: number
  readonly released: number
  readonly next: number | null
}

export function accountDiscardCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'discard',
    summary: 'cancel the messages of an account that no carrier has, and release their money',
    examples: [
      'posthorn account discard --server http://127.0.0.1:8081 --account 1',
      'posthorn account discard --account 1 --yes',
    ],
    settings: ASKING,
  })
    .requiredOption('--account <number>', 'the account', readNumber)
    .option('--yes', 'cancel them; by default they are only counted')
  return answerBy<Options>(command, terminal, async ({ account, yes }, config) => {
    const ask = (name: string, body: object) =>
      askEndpoint(name, { params: { account }, query: {}, body }, config, terminal)
    const { messages, held, currency } = (await ask('readQueue', {})) as Queue
    const found = `Messages that no carrier has: ${messages}, with ${held} ${currency} on hold.`
    if (yes !== true || messages === 0) {
      const hint = messages === 0 ? 'Nothing to cancel.' : 'Add --yes to cancel them; it cannot be undone.'
      return { json: { messages, held, currency, discarded: 0, released: 0 }, text: `${found} ${hint}` }
    }
    let [discarded, micros] = [0, 0]
    for (let after: number | null = 0; after !== null; ) {
      const answer = (await ask('discardQueue', { confirm: true, after })) as Discarded
      discarded += answer.discarded
      micros += Math.round(answer.released * 1_000_000)
      after = answer.next
    }
    const released = micros / 1_000_000
    const text = `${found} Cancelled: ${discarded}. Released: ${released} ${currency}.`
    return { json: { messages, held, currency, discarded, released }, text }
  })
}

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('must be a number')
  return Number(text)
}
