/** From what came of a submit_sm to the verdict on the parts that it carries. */
import type { Verdict } from '../../domain/journey-event.ts'
import { describeStatus, STATUS } from '../../wire/smpp/command-status.ts'
import type { Sent } from './outbox.ts'

const SLOW: ReadonlySet<number> = new Set([
  STATUS.systemError,
  STATUS.queueFull,
  STATUS.throttled,
  STATUS.temporaryAppError,
])

const REJECTED: ReadonlySet<number> = new Set([
  STATUS.badMessageLength,
  STATUS.badPriority,
  STATUS.badRegisteredDelivery,
  STATUS.badSource,
  STATUS.badServiceType,
  STATUS.badEsmClass,
  STATUS.submitFailed,
  STATUS.badSourceTon,
  STATUS.badSourceNpi,
  STATUS.badDestinationTon,
  STATUS.badDestinationNpi,
  STATUS.badSchedule,
  STATUS.badExpiry,
  STATUS.badDefaultMessageId,
  STATUS.permanentAppError,
  STATUS.rejectedByApp,
  STATUS.badTlvStream,
  STATUS.tlvNotAllowed,
  STATUS.badTlvLength,
  STATUS.missingTlv,
  STATUS.badTlvValue,
  STATUS.deliveryFailed,
])

/** The carrier does not know us any more, or does not say what is wrong: it may be wrong for everybody. */
const OUT_OF_ORDER: ReadonlySet<number> = new Set([
  STATUS.badCommandLength,
  STATUS.badCommandId,
  STATUS.wrongBindState,
  STATUS.alreadyBound,
  STATUS.bindFailed,
  STATUS.badPassword,
  STATUS.badSystemId,
  STATUS.unknownError,
])

/** `ownRef` stands in for the id of a carrier that takes a message and names none; no receipt will ever find it. */
export function judgeAnswer(outcome: Sent, ownRef: string): Verdict {
  if (outcome.kind === 'failed') return { kind: outcome.sent ? 'unclear' : 'unreachable', reason: outcome.reason }
  if (outcome.kind === 'waited') return { kind: 'slow', reason: outcome.reason, retryAfterMs: outcome.retryAfterMs }
  const { answer } = outcome
  if (answer.status === STATUS.ok) {
    if (answer.command !== 'submit_sm_resp') return { kind: 'unclear', reason: `answered by ${answer.command}` }
    return { kind: 'taken', ref: answer.messageId === '' ? ownRef : answer.messageId }
  }
  const reason = describeStatus(answer.status)
  if (answer.status === STATUS.badDestination) return { kind: 'refused', status: 'UNDELIVERABLE', reason }
  if (SLOW.has(answer.status)) return { kind: 'slow', reason, retryAfterMs: null }
  if (REJECTED.has(answer.status)) return { kind: 'refused', status: 'REJECTED', reason }
  // Carriers' own statuses mostly say what is the matter with a number or a text.
  const isItself = OUT_OF_ORDER.has(answer.status) || answer.command !== 'submit_sm_resp'
  return isItself ? { kind: 'unclear', reason } : { kind: 'unclear', reason, aboutMessage: true }
}
