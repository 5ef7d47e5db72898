/**
 * The phones that answered one call, which a flash call does not want: each 2xx is acknowledged, and its call ended at
 * once by a BYE. A forked INVITE can be answered by several phones.
 */
import { dialogTag } from '../../wire/sip/headers.ts'
import type { SipRequest, SipResponse } from '../../wire/sip/message.ts'
import type { CallWire } from './call-wire.ts'
import { DialogRequest } from './dialog-request.ts'

/** Phones behind one number whose answers are acknowledged; others are ignored. */
const MAX_ANSWERED = 8

interface Answered {
  readonly ack: SipRequest
  readonly bye: DialogRequest
}

export class AnsweredPhones {
  readonly #wire: CallWire
  readonly #onAllEnded: () => void
  /** By the tag of the phone. */
  readonly #phones = new Map<string, Answered>()
  #endedCalls = 0

  constructor(wire: CallWire, onAllEnded: () => void) {
    this.#wire = wire
    this.#onAllEnded = onAllEnded
  }

  /** Takes a 2xx: hangs up on a new phone, and acknowledges a repeated 2xx again. */
  hangUp(invite: SipRequest, response: SipResponse): void {
    const tag = dialogTag(response, 'To') ?? ''
    const known = this.#phones.get(tag)
    if (known !== undefined) {
      this.#wire.send(known.ack)
    } else if (this.#phones.size < MAX_ANSWERED) {
      const ack = this.#wire.ackOf(invite, response)
      this.#wire.send(ack)
      const writeBye = (branch: string) => this.#wire.inDialog(invite, response, 'BYE', branch)
      this.#phones.set(tag, { ack, bye: new DialogRequest(this.#wire, writeBye, () => this.#byeIsOver()) })
    }
  }

  /** Takes an answer to a BYE. */
  take(response: SipResponse, branch: string): void {
    for (const { bye } of this.#phones.values()) bye.take(response, branch)
  }

  close(): void {
    for (const { bye } of this.#phones.values()) bye.close()
  }

  #byeIsOver(): void {
    this.#endedCalls += 1
    if (this.#endedCalls === this.#phones.size) this.#onAllEnded()
  }
}
