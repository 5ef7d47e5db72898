/** A BYE or PRACK until its answer: retransmitted, and sent again with a proof when it is challenged. */
import type { Cancel } from '../../ports/system/clock.ts'
import type { SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { T2_MS } from '../../wire/sip/retransmit.ts'
import type { Attempt } from './authenticator.ts'
import type { CallWire } from './call-wire.ts'

export class DialogRequest {
  readonly #wire: CallWire
  readonly #write: (branch: string) => SipRequest
  readonly #onOver: () => void
  readonly #attempt: Attempt
  #branch = ''
  #isOver = false
  #stop: Cancel = () => {}

  /** Sends it. `onOver` is called once, after the answer or the time limit. */
  constructor(wire: CallWire, write: (branch: string) => SipRequest, onOver: () => void = () => {}) {
    this.#wire = wire
    this.#write = write
    this.#onOver = onOver
    this.#attempt = wire.authenticator.begin()
    this.#send()
  }

  /** Takes an answer to the request with this branch; ignores any other branch. */
  take(response: SipResponse, branch: string): void {
    if (branch !== this.#branch || this.#isOver || response.status < 200) return
    this.#stop()
    if (this.#attempt.accept(response)) this.#send()
    else this.#end()
  }

  close(): void {
    this.#isOver = true
    this.#stop()
  }

  #send(): void {
    this.#branch = this.#wire.newBranch()
    this.#stop = this.#wire.repeat(this.#write(this.#branch), T2_MS, () => this.#end())
  }

  #end(): void {
    this.#isOver = true
    this.#onOver()
  }
}
