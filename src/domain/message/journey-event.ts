/** The events of a message, which `advance` in journey.ts receives, and the carrier answers in them. */

export type JourneyEvent =
  | {
      readonly kind: 'answered'
      /** Milliseconds since 1970, as everywhere. */
      readonly at: number
      readonly step: number
      readonly carrierId: string
      /** The sender of the submission; absent if the carrier answers late. */
      readonly from?: string
      /** Why this carrier was chosen, for the timeline; absent if its routes alone decided it. */
      readonly note?: string
      /** The verdicts with the indexes of their parts. */
      readonly verdicts: readonly (Verdict & { readonly part: number })[]
      /** Whether another carrier serves the step, can take it now and was not tried in this round. */
      readonly anotherLeft: boolean
      readonly optedOutOf?: OptedOutOf
      /** From 0 to below 1: spreads the retries. */
      readonly jitter: number
    }
  /**
   * The recipient must not be reached by these steps (current or later). Consecutive ones from the current step on are
   * skipped.
   */
  | {
      readonly kind: 'filtered'
      readonly at: number
      readonly step: number
      readonly blocked: readonly number[]
      readonly reason: string
    }
  /** The current step must not be tried before `until`; its lifetime stops until then. */
  | {
      readonly kind: 'postponed'
      readonly at: number
      readonly step: number
      readonly until: number
      readonly reason: string
      /** The rules that say so (Directory.rulesOf). */
      readonly rules: string
    }
  /** The current step is tried now: its postponement no longer applies, or an operator had it sent. */
  | { readonly kind: 'resumed'; readonly at: number; readonly by: 'rules' | 'operator' }
  /** An operator decides about a message of which a carrier sent no receipt. */
  | { readonly kind: 'settled'; readonly at: number; readonly by: Settlement }
  | { readonly kind: 'unroutable'; readonly at: number; readonly step: number; readonly reason: string }
  | {
      readonly kind: 'receipt'
      readonly at: number
      readonly step: number
      readonly part: number
      readonly carrierId: string
      readonly outcome: ReceiptOutcome
      /** The carrier's id in the receipt: a part that was sent again has a newer one. Absent: the newest. */
      readonly ref?: string
      readonly detail: string
      /** The carrier's billing category of the part. */
      readonly category?: string
      readonly optedOutOf?: OptedOutOf
    }
  /**
   * Cancels the message, for the client unless `by` says otherwise. Has no effect once a carrier has or may have any of
   * it.
   */
  | { readonly kind: 'cancelled'; readonly at: number; readonly by?: Canceller }
  /** The client has given a code of the recipient. `checkId` is unique: it distinguishes checks. */
  | { readonly kind: 'checked'; readonly at: number; readonly code: string; readonly checkId: string }
  /** The client wants the code sent again: the next channel, if there is one, follows now. `resendId` is unique. */
  | { readonly kind: 'resent'; readonly at: number; readonly resendId: string }
  /** The message's due time may have come. Ends the step if its lifetime is over, otherwise changes nothing. */
  | { readonly kind: 'timeout'; readonly at: number }
  | {
      readonly kind: 'revoked'
      readonly at: number
      readonly step: number
      readonly carrierId: string
      readonly detail: string
    }
  /**
   * The recipient has opted out of the sender of a step, or in again: by its unsubscribe link, by a keyword, or at the
   * carrier.
   */
  | {
      readonly kind: 'consent'
      readonly at: number
      readonly step: number
      /** The sender that it applies to; null for all of the account. */
      readonly sender: string | null
      readonly optsOut: boolean
      readonly by: 'link' | 'keyword' | 'carrier'
      /** Whether it has changed the recipient's opt-outs; false for a repeat. */
      readonly isNew: boolean
    }
  | { readonly kind: 'clicked'; readonly at: number; readonly url: string; readonly code: string }

/**
 * Set if the carrier says for the first time that the recipient has opted out, and the opt-out is on disk: the sender
 * that it applies to; null for all of the account.
 */
type OptedOutOf = string | null

/** What becomes of a message of which a carrier sent no receipt; `end` makes it UNKNOWN. */
export const SETTLEMENTS = ['send again', 'end'] as const
export type Settlement = (typeof SETTLEMENTS)[number]

/** Who cancels a message: the client, an operator, an operator with all that the account has queued, or its bulk. */
export type Canceller = 'client' | 'operator' | 'discard' | 'bulk'

/** A carrier's answer for one part of a submission. */
export type Verdict =
  /** The carrier has it, under an id of its own. For a call: the phone rings. */
  | {
      readonly kind: 'taken'
      readonly ref: string
      /** What the carrier has instead of the content, and why, for the timeline; absent if it has the content. */
      readonly note?: string
      /** The carrier's billing category of the part, if its answer names it; otherwise a receipt may. */
      readonly category?: string
      /** Set if the carrier sends one receipt for each of the parts that have this id. */
      readonly perPart?: true
      /** More ids of the part, if the carrier made more parts than we count. */
      readonly furtherRefs?: readonly string[]
    }
  /**
   * Final for this step. `UNDELIVERABLE`: the recipient cannot be reached on this channel; `REJECTED`: the carrier
   * refuses it.
   */
  | {
      readonly kind: 'refused'
      readonly status: 'UNDELIVERABLE' | 'REJECTED'
      readonly reason: string
      /** Of a call; if absent, the carrier failed. */
      readonly cause?: CallFailure
      /** Set if the recipient has opted out of the sender's messages at the carrier. */
      readonly optedOut?: true
    }
  /** Unknown, or a temporary error: worth a retry. */
  | ({
      readonly kind: 'unclear'
      readonly reason: string
      /** The id under which the carrier reports on it, if it has it: one that we chose. Absent if it would choose. */
      readonly ref?: string
    } & WhoFailed)
  /**
   * Certainly not taken, because the carrier could not be reached or has no route: another carrier may be tried at
   * once.
   */
  | ({
      readonly kind: 'unreachable'
      readonly reason: string
      /** Set if our account there can send nothing: wrong key, no credit, suspended. */
      readonly account?: true
    } & WhoFailed)
  /** Not taken: the carrier asks to slow down, or one of our limits does. */
  | ({ readonly kind: 'slow'; readonly reason: string; readonly retryAfterMs: number | null } & WhoFailed)

interface WhoFailed {
  /** Does not count against the health of the carrier: it concerns this message or number, or one of our limits. */
  readonly aboutMessage?: true
}

/**
 * `accepted` is progress (sent, en route); `read` implies delivered; `answered` and `unanswered` say how a call ended
 * that rang; `closed`: not delivered, because the recipient has not written for too long for what was sent: the carrier
 * may send it in another form; `optedOut`: the recipient has opted out of the sender's messages at the carrier. The
 * others are final for the part.
 */
export type ReceiptOutcome =
  | 'accepted'
  | 'delivered'
  | 'read'
  | 'answered'
  | 'unanswered'
  | 'closed'
  | 'expired'
  | 'undeliverable'
  | 'optedOut'
  | 'rejected'
  | 'unknown'

/** Why a phone did not ring. `failed`: the carrier's fault. */
export type CallFailure = 'busy' | 'declined' | 'off' | 'wrong number' | 'failed'
