/** Returns the verdict on the parts of a submit_sm for its outcome. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import { describeStatus, STATUS } from '../../wire/smpp/command-status.ts'
import type { Sent } from './outbox.ts'
import { type OwnMeanings, statusMeaning } from './status-meanings.ts'

/** @param refOf returns the ref of a part for the carrier's id, which may be empty. */
export function judgeAnswer(outcome: Sent, statuses: OwnMeanings, refOf: (id: string) => string): Verdict {
  if (outcome.kind === 'failed') return { kind: outcome.sent ? 'unclear' : 'unreachable', reason: outcome.reason }
  if (outcome.kind === 'deferred') {
    const { reason, retryAfterMs, byCarrier } = outcome
    return { kind: 'slow', reason, retryAfterMs, ...(byCarrier ? {} : { aboutMessage: true }) }
  }
  const { answer } = outcome
  if (answer.status === STATUS.ok) {
    if (answer.command !== 'submit_sm_resp') return { kind: 'unclear', reason: `answered by ${answer.command}` }
    return { kind: 'taken', ref: refOf(answer.messageId) }
  }
  const reason = describeStatus(answer.status)
  // A generic_nack does not name its request's type, but a known status says that nothing was taken.
  const meaning = statusMeaning(answer.status, statuses)
  switch (meaning) {
    case 'undeliverable':
      return { kind: 'refused', status: 'UNDELIVERABLE', reason }
    case 'rejected':
      return { kind: 'refused', status: 'REJECTED', reason }
    case 'slow':
      return { kind: 'slow', reason, retryAfterMs: null }
    case 'account':
      return { kind: 'unreachable', reason, account: true }
    case 'down':
      return { kind: 'unreachable', reason }
    case 'unclear':
      return { kind: 'unclear', reason }
    case 'unclear message':
      return answer.command === 'submit_sm_resp'
        ? { kind: 'unclear', reason, aboutMessage: true }
        : { kind: 'unclear', reason }
  }
}
