/** One attempt: the submission of the current step to a carrier, and its answer as an event of the journey. */
import type { JourneyEvent, Verdict } from '../domain/journey-event.ts'
import type { Message } from '../domain/message.ts'
import { tenantOf } from '../domain/tenant.ts'
import type { Carrier, Submission } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Breaker } from './breaker.ts'

type Answered = Extract<JourneyEvent, { kind: 'answered' }>

/** The options of a submission that its route sets. */
export type RouteOptions = Pick<Submission, 'ringSeconds' | 'anotherLeft'>

/** Makes the attempt and returns the event for `advance`, without `anotherLeft`. Never rejects. */
export async function attempt(
  message: Message,
  carrier: Carrier,
  options: RouteOptions,
  tools: { readonly clock: Clock; readonly random: Random },
): Promise<Omit<Answered, 'anotherLeft'>> {
  const submission = { ...render(message, tools.clock.now()), ...options }
  const verdicts = await carrier
    .submit(submission)
    .catch((error: Error): readonly Verdict[] =>
      submission.parts.map(() => ({ kind: 'unclear', reason: error.message })),
    )
  return {
    kind: 'answered',
    at: tools.clock.now(),
    step: submission.step,
    carrierId: carrier.id,
    verdicts: submission.parts.map((part, index) => ({ ...(verdicts[index] ?? NO_VERDICT), part })),
    jitter: tools.random.below(1_000) / 1_000,
  }
}

/** Updates the breaker of a carrier from its verdicts. */
export function noteVerdicts(breaker: Breaker, verdicts: readonly Verdict[]): void {
  const slow = verdicts.find((verdict) => verdict.kind === 'slow' && !('aboutMessage' in verdict))
  const [first] = verdicts
  if (slow?.kind === 'slow' && !verdicts.some(isSettled)) breaker.slow(slow.reason)
  else if (hasAnswered(verdicts)) breaker.succeed()
  else breaker.fail(first === undefined || first.kind === 'taken' ? '' : first.reason)
}

/** Whether the carrier answered for any part, which shows that it works. */
function hasAnswered(verdicts: readonly Verdict[]): boolean {
  return verdicts.some((verdict) =>
    verdict.kind === 'unclear' || verdict.kind === 'unreachable' ? verdict.aboutMessage === true : true,
  )
}

/** Whether the carrier took or refused the part. */
export function isSettled({ kind }: Verdict): boolean {
  return kind === 'taken' || kind === 'refused'
}

const NO_VERDICT: Verdict = { kind: 'unclear', reason: 'the carrier driver gave no verdict' }

/** Returns the parts of the current step that no carrier has taken yet. */
export function openParts(message: Message): readonly number[] {
  const parts = message.journey.steps[message.journey.step]?.parts ?? []
  return parts.flatMap((part, index) => (part.state === 'open' ? [index] : []))
}

function render(message: Message, now: number): Submission {
  const { step, attempts, deadlineAt } = message.journey
  const planned = message.plan[step]
  if (planned === undefined) throw new RangeError('a journey stands on a step of its plan')
  return {
    messageId: message.id,
    step,
    tenant: tenantOf(message),
    attempt: attempts + 1,
    phone: message.phone,
    sender: planned.sender,
    content: planned.content,
    parts: openParts(message),
    lifetimeSeconds: Math.max(1, Math.ceil((deadlineAt - now) / 1000)),
  }
}
