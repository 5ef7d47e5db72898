/**
 * Provisional answers that the peer sends reliably (RFC 3262): it repeats each until it gets a PRACK, so that a lost
 * 180 arrives again.
 */
import { cseqOf, dialogTag, headerOf, headersNamed } from '../../wire/sip/headers.ts'
import type { SipRequest, SipResponse } from '../../wire/sip/message.ts'
import type { CallWire } from './call-wire.ts'
import { DialogRequest } from './dialog-request.ts'

/** Early dialogs of one call whose answers are acknowledged. */
const MAX_DIALOGS = 8
/** PRACKs of one call: further reliable answers are not acknowledged. */
const MAX_PRACKS = 32

export class ReliableAnswers {
  readonly #wire: CallWire
  /** By the tag of the phone: the RSeq of the last acknowledged answer. */
  readonly #last = new Map<string, number>()
  readonly #pracks: DialogRequest[] = []

  constructor(wire: CallWire) {
    this.#wire = wire
  }

  /** Returns whether a provisional answer is new; a repeated or out-of-order answer is not (section 4). */
  isNew(invite: SipRequest, response: SipResponse): boolean {
    const rseq = rseqOf(response)
    const tag = dialogTag(response, 'To')
    if (rseq === null || tag === null) return true
    const last = this.#last.get(tag)
    if (last === undefined ? this.#last.size >= MAX_DIALOGS : rseq !== last + 1) return false
    this.#last.set(tag, rseq)
    if (this.#pracks.length >= MAX_PRACKS) return true
    const rack = `${rseq} ${cseqOf(response)?.number} INVITE`
    const write = (branch: string) => this.#wire.inDialog(invite, response, 'PRACK', branch, [['RAck', rack]])
    this.#pracks.push(new DialogRequest(this.#wire, write))
    return true
  }

  /** Takes an answer to a PRACK. */
  take(response: SipResponse, branch: string): void {
    for (const prack of this.#pracks) prack.take(response, branch)
  }

  close(): void {
    for (const prack of this.#pracks) prack.close()
  }
}

/** Returns the number of a reliable provisional answer; null for any other. */
function rseqOf(response: SipResponse): number | null {
  const isReliable = headersNamed(response, 'Require').some((value) => /(^|[\s,])100rel($|[\s,])/i.test(value))
  const digits = headerOf(response, 'RSeq') ?? ''
  return isReliable && response.status > 100 && /^\d{1,10}$/.test(digits) ? Number(digits) : null
}
