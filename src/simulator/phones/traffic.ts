/**
 * Messages and calls that reached the simulated phones, newest last, for tests and demos. Bounded; the oldest go first.
 */
import type { Channel } from '../../domain/channels/channel.ts'

/** A suggestion or button that the recipient can tap. */
export interface ShownSuggestion {
  readonly kind: 'reply' | 'action'
  readonly text: string
  /** What the carrier reports when it is tapped. */
  readonly postback: string
  /** By WhatsApp: the kind of message that reports the tap; `button_reply` if absent. */
  readonly reportedAs?: 'button' | 'button_reply' | 'list_reply' | 'location'
}

/** One card of a carousel. */
export interface ShownCard {
  readonly text: string
  readonly media?: string | undefined
  readonly suggestions: readonly ShownSuggestion[]
}

export interface PhoneArrival {
  readonly channel: Channel
  /** Digits, E.164 without the plus. */
  readonly phone: string
  readonly sender: string
  /** The text of this part, or the digits of the calling number. */
  readonly text: string
  /** Address of the image, video or file; absent without one. */
  readonly image?: string | undefined
  /** The caption of the button, and the address that it opens; absent without one. */
  readonly button?: string | undefined
  readonly link?: string | undefined
  /** Absent without any, or with `button` alone. */
  readonly suggestions?: readonly ShownSuggestion[] | undefined
  /** The cards of a carousel; absent for anything else. */
  readonly cards?: readonly ShownCard[] | undefined
  /** The carrier's id of the phone's message that it quotes; absent without one. */
  readonly quotes?: string | undefined
  /** The carrier's id; for RBM the client's own message id. Null if it was not taken. */
  readonly ref: string | null
}

export class PhoneTraffic {
  readonly arrivals: PhoneArrival[] = []
  /** Called with each arrival. */
  onArrival: (arrival: PhoneArrival) => void = () => {}
  readonly #max: number

  constructor(max = 100_000) {
    this.#max = max
  }

  add(arrival: PhoneArrival): void {
    this.arrivals.push(arrival)
    this.onArrival(arrival)
    if (this.arrivals.length > this.#max) this.arrivals.splice(0, this.#max / 10)
  }

  to(phone: string): readonly PhoneArrival[] {
    return this.arrivals.filter((arrival) => arrival.phone === phone)
  }
}
