/** What can happen to a message: the events that `advance` in journey.ts is told, and what carriers say in them. */

import type { CallFailure } from './call-statistics.ts'

export type JourneyEvent =
  | {
      readonly kind: 'answered'
      /** Milliseconds since 1970, as everywhere. */
      readonly at: number
      readonly step: number
      readonly carrierId: string
      /** The verdicts with the indexes of the parts that they are about. */
      readonly verdicts: readonly (Verdict & { readonly part: number })[]
      /** Whether a carrier is left that serves the step, can take it now and was not tried in this round. */
      readonly anotherLeft: boolean
      /** From 0 to below 1: spreads the next try. */
      readonly jitter: number
    }
  /**
   * The person must not be written to by these steps, that under way or later ones. As many of them as follow each other
   * from the step under way are passed over.
   */
  | {
      readonly kind: 'filtered'
      readonly at: number
      readonly step: number
      readonly barred: readonly number[]
      readonly reason: string
    }
  /** The step under way is not to be tried before `until`; its lifetime stands still meanwhile. */
  | {
      readonly kind: 'postponed'
      readonly at: number
      readonly step: number
      readonly until: number
      readonly reason: string
    }
  | { readonly kind: 'unroutable'; readonly at: number; readonly step: number; readonly reason: string }
  | {
      readonly kind: 'receipt'
      readonly at: number
      readonly step: number
      readonly part: number
      readonly carrierId: string
      readonly outcome: ReceiptOutcome
      readonly detail: string
      /** What the carrier bills the part as. */
      readonly category?: string
    }
  /** The client takes the message back: too late, and so without effect, once a carrier has any of it or may have. */
  | { readonly kind: 'cancelled'; readonly at: number }
  /** The message's due time may have come: ends the step when its lifetime is over, otherwise changes nothing. */
  | { readonly kind: 'timeout'; readonly at: number }
  | {
      readonly kind: 'revoked'
      readonly at: number
      readonly step: number
      readonly carrierId: string
      readonly detail: string
    }
  | { readonly kind: 'clicked'; readonly at: number; readonly url: string; readonly code: string }

/** A carrier's answer for one part of a submission. */
export type Verdict =
  /** The carrier has it, under an id of its own. For a call: the phone rings. */
  | { readonly kind: 'taken'; readonly ref: string }
  /** Final for this step. `UNDELIVERABLE`: the person cannot be reached so; `REJECTED`: the carrier does not want it. */
  | {
      readonly kind: 'refused'
      readonly status: 'UNDELIVERABLE' | 'REJECTED'
      readonly reason: string
      /** Of a call; without it the carrier is to blame. */
      readonly cause?: CallFailure
    }
  /** Nobody knows, or not at the moment: worth another try. */
  | ({ readonly kind: 'unclear'; readonly reason: string } & WhoFailed)
  /** Surely not taken, for the carrier could not even be asked or has no way on: another one may be tried at once. */
  | ({ readonly kind: 'unreachable'; readonly reason: string } & WhoFailed)
  /** Not taken; the carrier asks to slow down, or a limit of ours does. */
  | ({ readonly kind: 'slow'; readonly reason: string; readonly retryAfterMs: number | null } & WhoFailed)

interface WhoFailed {
  /** It says nothing about the health of the carrier: it said so of this message or number, or a limit of ours did. */
  readonly aboutMessage?: true
}

/**
 * `accepted` is news on the way (sent, en route); `read` implies delivered; `answered` and `unanswered` say how a call ended
 * whose phone rang; the others are ends of the part.
 */
export type ReceiptOutcome =
  | 'accepted'
  | 'delivered'
  | 'read'
  | 'answered'
  | 'unanswered'
  | 'expired'
  | 'undeliverable'
  | 'rejected'
  | 'unknown'
