/**
 * What the webhooks of all carriers share: constant-time comparison of secrets, and 200 only after the receipt is on
 * disk.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { CarrierReceipt, InboundArrival, Inbox, WebhookAnswer } from '../../ports/carriers/carrier.ts'

/** A call that is answered at once. */
export interface AnsweredCall {
  readonly kind: 'answer'
  readonly answer: WebhookAnswer
}

export function answerCall(status: number, body: string): AnsweredCall {
  return { kind: 'answer', answer: { status, body } }
}

/** Passes the receipts to the inbox. Returns 503 if they were not recorded, so that the carrier repeats the call. */
export async function receiveReceipts(
  inbox: Inbox | null,
  receipts: readonly CarrierReceipt[],
  recorded: WebhookAnswer = { status: 200, body: '' },
): Promise<WebhookAnswer> {
  try {
    if (inbox === null) return { status: 503, body: 'not running' }
    if (receipts.length > 0) await inbox.receive(receipts)
    return recorded
  } catch {
    return { status: 503, body: 'not recorded' }
  }
}

/** Records inbound messages. Returns 503 if they were not recorded, so that the carrier repeats the call. */
export async function receiveInbound(
  inbox: Inbox | null,
  arrivals: readonly InboundArrival[],
  recorded: WebhookAnswer = { status: 200, body: '' },
): Promise<WebhookAnswer> {
  try {
    if (inbox === null) return { status: 503, body: 'not running' }
    if (arrivals.length > 0) await inbox.receiveInbound(arrivals)
    return recorded
  } catch {
    return { status: 503, body: 'not recorded' }
  }
}

/** Compares in a time that reveals neither where the texts differ nor the expected length. */
export function isSameSecret(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())
}
