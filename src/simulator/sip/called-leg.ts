/**
 * One call as the phone's side sees it: an INVITE server transaction of RFC 3261 (17.2.1) that plays a script.
 * Retransmits what was not acknowledged and ends by itself, so that no caller can keep it forever.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import { answerTo, cseqOf } from '../../wire/sip/headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { retransmit, T2_MS, T4_MS, TRANSACTION_MS } from '../../wire/sip/retransmit.ts'
import type { SipPath } from '../../wire/sip/transport.ts'

/** What a phone does with a call. */
export type CallScript =
  /** Rings until it is cancelled; signals that with 180, or with 183 for early media. */
  | { readonly does: 'ring'; readonly as?: 180 | 183 }
  /** At once, or after it rang so long; with 183 instead of ringing, as a network's announcement. */
  | {
      readonly does: 'refuse'
      readonly status: number
      readonly reason: string
      readonly afterRingingMs?: number
      readonly as?: 180 | 183
    }
  /** Answers after so many milliseconds, with or without ringing. */
  | { readonly does: 'answer'; readonly afterMs: number; readonly rings: boolean }
  /** Answers at the moment when the caller hangs up. */
  | { readonly does: 'answer the cancel' }
  /** Sends nothing, or only 100, until so many milliseconds have passed: then it rings. */
  | { readonly does: 'stay silent'; readonly after: 'nothing' | 'trying'; readonly ringsAfterMs?: number }
  /** The network loses the first so many requests of that method. */
  | { readonly does: 'lose'; readonly method: string; readonly times: number; readonly next: CallScript }

export interface LegTools {
  readonly clock: Clock
  /** Sends `answer` and records it for tests. */
  readonly send: (answer: SipResponse, path: SipPath) => void
  /** The phone began to ring. */
  readonly onRinging: () => void
  /** The leg has ended. */
  readonly onOver: () => void
}

export class CalledLeg {
  readonly cseq: number
  readonly #invite: SipRequest
  readonly #path: SipPath
  readonly #tag: string
  readonly #contact: SipHeader
  readonly #tools: LegTools
  #script: CallScript
  #plays = false
  #last: SipResponse | null = null
  #next: Cancel = () => {}
  #stopRepeating: Cancel = () => {}
  readonly #stopLife: Cancel

  constructor(invite: SipRequest, path: SipPath, tag: string, contact: SipHeader, script: CallScript, tools: LegTools) {
    this.cseq = cseqOf(invite)?.number ?? 0
    this.#invite = invite
    this.#path = path
    this.#tag = tag
    this.#contact = contact
    this.#tools = tools
    this.#script = script
    this.#stopLife = tools.clock.after(MAX_CALL_MS, () => this.end())
  }

  /** Returns whether the network of the script loses this request. */
  loses(method: string): boolean {
    const script = this.#script
    if (script.does !== 'lose' || script.method !== method) return false
    this.#script = script.times > 1 ? { ...script, times: script.times - 1 } : script.next
    return true
  }

  /** An INVITE arrived: the first one starts the script, a repeated one gets the last answer again. */
  invited(): void {
    if (this.#last !== null) this.#tools.send(this.#last, this.#path)
    else if (!this.#plays) this.#play(played(this.#script))
  }

  /** Sends a challenge instead of playing the script. */
  refuse(status: number, reason: string, headers: readonly SipHeader[]): void {
    if (this.#last === null) this.#finish(status, reason, headers)
    else this.invited()
  }

  cancelled(cancel: SipRequest, path: SipPath): void {
    const open = this.#last === null || this.#last.status < 200
    if (open && played(this.#script).does === 'answer the cancel') this.#finish(200, 'OK')
    this.#tools.send(answerTo(cancel, 200, 'OK', this.#tag), path)
    if (this.#last === null || this.#last.status < 200) this.#finish(487, 'Request Terminated')
  }

  acknowledged(): void {
    this.#stopRepeating()
    if ((this.#last?.status ?? 0) >= 300) this.#later(T4_MS, () => this.end())
  }

  /** The caller ended a call that was answered. */
  left(bye: SipRequest, path: SipPath): void {
    const known = this.#last?.status === 200
    this.#tools.send(
      answerTo(bye, known ? 200 : 481, known ? 'OK' : 'Call/Transaction Does Not Exist', this.#tag),
      path,
    )
    if (known) this.#later(T4_MS, () => this.end())
  }

  end(): void {
    this.#next()
    this.#stopRepeating()
    this.#stopLife()
    this.#tools.onOver()
  }

  #play(script: CallScript): void {
    this.#plays = true
    if (script.does === 'stay silent') {
      if (script.after === 'trying') this.#progress(100, 'Trying')
      if (script.ringsAfterMs !== undefined) this.#later(script.ringsAfterMs, () => this.#ring(180))
      return
    }
    this.#progress(100, 'Trying')
    if (script.does === 'refuse') {
      const { status, reason, afterRingingMs, as = 180 } = script
      if (afterRingingMs !== undefined) this.#ring(as)
      if (afterRingingMs === undefined) this.#finish(status, reason)
      else this.#later(afterRingingMs, () => this.#finish(status, reason))
    } else if (script.does === 'answer') {
      if (script.rings) this.#ring(180)
      this.#later(script.afterMs, () => this.#finish(200, 'OK'))
    } else {
      this.#ring(script.does === 'ring' ? (script.as ?? 180) : 180)
    }
  }

  #ring(status: 180 | 183): void {
    this.#progress(status, status === 180 ? 'Ringing' : 'Session Progress')
    this.#tools.onRinging()
  }

  #progress(status: number, reason: string): void {
    this.#last = answerTo(this.#invite, status, reason, status === 100 ? null : this.#tag, [this.#contact])
    this.#tools.send(this.#last, this.#path)
  }

  /** Sends a final answer until its ACK arrives: timers G and H over UDP; a 2xx on every transport (13.3.1.4). */
  #finish(status: number, reason: string, headers: readonly SipHeader[] = []): void {
    this.#next()
    const final = answerTo(this.#invite, status, reason, this.#tag, [this.#contact, ...headers])
    this.#last = final
    const certain = status >= 300 && this.#path.transport !== 'UDP'
    const send = () => {
      this.#tools.send(final, this.#path)
      return certain
    }
    this.#stopRepeating = retransmit(this.#tools.clock, send, T2_MS, () => this.end())
  }

  #later(afterMs: number, run: () => void): void {
    this.#next()
    this.#next = this.#tools.clock.after(afterMs, run)
  }
}

/** A call that is not ended by then is ended. */
const MAX_CALL_MS = 4 * TRANSACTION_MS

/** Returns the script without the losses of the network. */
function played(script: CallScript): CallScript {
  return script.does === 'lose' ? played(script.next) : script
}
