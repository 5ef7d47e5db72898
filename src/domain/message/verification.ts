/**
 * A verification: a message that carries a one-time code and stays open until the client has checked what the recipient
 * typed. It is part of the message's journey, so that a check is a turn like any other: of two concurrent checks with
 * the right code the store refuses one as stale, and that one then finds the code used.
 */
import type { Status } from './status.ts'

/** How a verification ends. */
export const END_STATES = ['approved', 'expired', 'too_many', 'failed', 'cancelled'] as const
export type EndState = (typeof END_STATES)[number]

export type VerificationState = 'pending' | EndState

export interface Verification {
  readonly state: VerificationState
  /** Milliseconds: no code is accepted from then on. */
  readonly expiresAt: number
  readonly wrongCodes: number
  /** The check that approved it: only that one is answered with `approved`. */
  readonly approvedBy?: string
  /** The request to send the code again that made the current channel follow early; absent if none did. */
  readonly resentBy?: string
}

/** The wrong code that ends a verification. */
export const MAX_WRONG_CODES = 5

/** What a check is answered. `used`: approved by an earlier check. */
export const CHECK_RESULTS = ['approved', 'wrong', 'used', 'expired', 'too_many', 'failed', 'cancelled'] as const
export type CheckResult = (typeof CHECK_RESULTS)[number]

export function beginVerification(expiresAt: number): Verification {
  return { state: 'pending', expiresAt, wrongCodes: 0 }
}

export function isPending(verification: Verification | undefined): verification is Verification {
  return verification?.state === 'pending'
}

/** Returns the result of a check from the verification as it is after the check. */
export function checkResult({ state, approvedBy }: Verification, checkId: string): CheckResult {
  if (state === 'pending') return 'wrong'
  return state === 'approved' && approvedBy !== checkId ? 'used' : state
}

/** Returns how a verification ended whose message ended with this status, without a decision about its code. */
export function stateAtEnd(status: Status): EndState {
  return status === 'CANCELLED' ? 'cancelled' : 'failed'
}
