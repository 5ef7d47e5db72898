/** One attempt: the submission of the current step to a carrier, and what its answer says. */
import type { Registration } from '../../domain/accounts/sender.ts'
import type { JourneyEvent, Verdict } from '../../domain/message/journey-event.ts'
import { type Message, tenantOf } from '../../domain/message/message.ts'
import type { Submission } from '../../ports/carriers/carrier.ts'
import type { Breaker } from '../carriers/breaker.ts'
import { storableId } from './storable.ts'

export type PartVerdict = Extract<JourneyEvent, { kind: 'answered' }>['verdicts'][number]

/** Returns a verdict for each part, also of a carrier that fails to give one. */
export function verdictsOf({ parts }: Submission, answer: readonly Verdict[] | Error): readonly PartVerdict[] {
  const reason = answer instanceof Error ? answer.message : 'the carrier driver gave no verdict'
  const verdicts = answer instanceof Error ? NO_VERDICTS : answer
  return parts.map((part, index) => {
    const verdict = verdicts[index] ?? { kind: 'unclear', reason }
    const ref = 'ref' in verdict && verdict.ref !== undefined ? { ref: storableId(verdict.ref) } : {}
    const more = verdict.kind === 'taken' ? verdict.furtherRefs : undefined
    return { ...verdict, ...ref, ...(more === undefined ? {} : { furtherRefs: more.map(storableId) }), part }
  })
}

const NO_VERDICTS: readonly Verdict[] = []

/** Updates the breaker of a carrier from its verdicts. */
export function noteVerdicts(breaker: Breaker, verdicts: readonly Verdict[]): void {
  const slow = verdicts.find((verdict) => verdict.kind === 'slow' && !('aboutMessage' in verdict))
  const [first] = verdicts
  const held = verdicts.find((verdict) => verdict.kind === 'unreachable' && verdict.account === true)
  if (held?.kind === 'unreachable') breaker.hold(held.reason)
  else if (slow?.kind === 'slow' && !verdicts.some(isSettled)) breaker.slow(slow.reason)
  else if (hasAnswered(verdicts)) breaker.succeed()
  else breaker.fail(first === undefined || first.kind === 'taken' ? '' : first.reason)
}

/** Whether the carrier answered for any part, which shows that it works. */
function hasAnswered(verdicts: readonly Verdict[]): boolean {
  return verdicts.some((verdict) =>
    verdict.kind === 'unclear' || verdict.kind === 'unreachable' ? verdict.aboutMessage === true : true,
  )
}

/** Whether the carrier says that the recipient has opted out of the sender. */
export function isOptOut(verdict: Verdict): boolean {
  return verdict.kind === 'refused' && verdict.optedOut === true
}

/** Whether the carrier took or refused the part. */
export function isSettled({ kind }: Verdict): boolean {
  return kind === 'taken' || kind === 'refused'
}

const ONLY_PART: readonly number[] = [0]

/** Returns the parts of the current step that no carrier has taken yet. */
export function openParts({ journey }: Message): readonly number[] {
  const parts = journey.steps[journey.step]?.parts ?? []
  if (parts.length === 1 && parts[0]?.state === 'open') return ONLY_PART
  const open: number[] = []
  for (let index = 0; index < parts.length; index += 1) if (parts[index]?.state === 'open') open.push(index)
  return open
}

/** What a submission does not take from the message. */
interface SubmissionTerms {
  readonly now: number
  /** The name that the recipient sees (shown-sender.ts). */
  readonly sender: string
  readonly registration: Registration | undefined
  readonly ringSeconds: number | undefined
  readonly anotherLeft: () => boolean
  readonly maySend: () => boolean
}

const CLOSED = { closed: true } as const

/** Returns the submission of the open parts of the current step. */
export function toSubmission(
  message: Message,
  { now, ringSeconds, registration, ...others }: SubmissionTerms,
): Submission {
  const { step, attempts, deadlineAt } = message.journey
  const planned = message.plan[step]
  if (planned === undefined) throw new RangeError('a journey stands on a step of its plan')
  const isClosed = message.journey.steps[step]?.closed === true
  const submission = {
    messageId: message.id,
    step,
    tenant: tenantOf(message),
    attempt: attempts + 1,
    phone: message.phone,
    content: planned.content,
    parts: openParts(message),
    lifetimeSeconds: Math.max(1, Math.ceil((deadlineAt - now) / 1000)),
    ...others,
    ...(isClosed ? CLOSED : {}),
    ...(registration === undefined ? {} : { registration }),
  }
  return ringSeconds === undefined ? submission : { ...submission, ringSeconds }
}
