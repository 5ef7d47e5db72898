/**
 * The unsubscribe link of a step: a short link whose target is the step and a token. The page of the link opts out
 * only with the token, which is nowhere but on the page.
 */

/** Of a message whose recipient has opted out or in again; absent from other journeys. */
export interface ConsentState {
  /** The steps whose senders the recipient has opted out of. */
  readonly steps: readonly number[]
  /** Changes recorded so far. */
  readonly changes: number
}

/** Changes of one message that are recorded and reported. Then its pages offer no undo. */
export const MAX_CONSENT_CHANGES = 20

export interface UnsubscribeTarget {
  /** Index in the plan. */
  readonly step: number
  readonly token: string
}

const SCHEME = 'unsubscribe:'
const TARGET = /^unsubscribe:(\d):([A-Za-z0-9]+)$/

export function writeUnsubscribeTarget({ step, token }: UnsubscribeTarget): string {
  return `${SCHEME}${step}:${token}`
}

/** Null for the address of an ordinary short link. */
export function readUnsubscribeTarget(url: string): UnsubscribeTarget | null {
  const [, step, token] = TARGET.exec(url) ?? []
  return step === undefined || token === undefined ? null : { step: Number(step), token }
}

/** Returns the target of a link for operators, without a token. */
export function describeTarget(url: string): string {
  return url.startsWith(SCHEME) ? 'unsubscribing' : url
}
