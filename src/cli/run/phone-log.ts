/**
 * Prints what the simulated phones of a sandbox get, so that its user can read a code. Under load it prints some of it
 * and how much it left out, because a terminal is slower than the gateway.
 */
import { escapeHidden } from '../../domain/text/hidden-characters.ts'
import type { Clock } from '../../ports/system/clock.ts'

interface Shown {
  readonly text: string
  /** What the recipient can tap. */
  readonly suggestions?: readonly { readonly text: string }[] | undefined
}

interface Arrival extends Shown {
  readonly channel: string
  readonly phone: string
  readonly sender: string
  /** Of a carousel. */
  readonly cards?: readonly Shown[] | undefined
}

const MAX_LINES_A_SECOND = 20

export class PhoneLog {
  readonly #clock: Clock
  readonly #out: (text: string) => void
  #second = 0
  #lines = 0
  #left = 0

  constructor(clock: Clock, out: (text: string) => void) {
    this.#clock = clock
    this.#out = out
  }

  add(arrival: Arrival): void {
    const { channel, phone, sender, text, cards = [] } = arrival
    const second = Math.floor(this.#clock.monotonic() / 1_000)
    if (second !== this.#second) {
      if (this.#left > 0) this.#out(`phones: ${this.#left} more not shown\n`)
      this.#second = second
      this.#lines = 0
      this.#left = 0
    }
    this.#lines += 1
    if (this.#lines > MAX_LINES_A_SECOND) this.#left += 1
    else if (channel === 'call') this.#out(`phone ${phone}: call from ${text}\n`)
    else this.#out(`phone ${phone}: ${channel} from ${quote(sender)}: ${[arrival, ...cards].map(write).join(' ')}\n`)
  }
}

/** `"Will you come?" ["Yes"] ["No"]`. */
function write({ text, suggestions = [] }: Shown): string {
  return [quote(text), ...suggestions.map((each) => `[${quote(each.text)}]`)].join(' ')
}

/** Control characters of a text must not reach the terminal. */
function quote(text: string): string {
  return escapeHidden(JSON.stringify(text))
}
