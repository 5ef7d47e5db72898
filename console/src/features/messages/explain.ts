/** Says in a few plain sentences what happened to a message, from its timeline. */
import type { Formats } from '../../texts/make-formats.ts'
import { readSteps, type StepFacts, type Trace } from './message-facts.ts'
import type { MessageTexts } from './message-texts.ts'
import { translateDetail } from './phrases.ts'

type Words = MessageTexts['explain']

interface ExplainTools {
  readonly words: Words
  readonly details: MessageTexts['details']
  readonly formats: Formats
  /** Milliseconds: the request, or the planned time. */
  readonly startedAt: number
}

/** A wait is worth a sentence if it is at least this long, and more than half of the whole. */
const LONG_WAIT_MS = 1_000
const MAX_REASON = 160

/** `startedAt` is when a message was to be sent that was planned. */
export function explain(
  trace: Trace,
  { explain: words, details }: Pick<MessageTexts, 'explain' | 'details'>,
  formats: Formats,
  startedAt = Date.parse(trace.accepted_at),
): readonly string[] {
  const tools = { words, details, formats, startedAt }
  const steps = readSteps(trace, startedAt)
  if (trace.status === 'CANCELLED') return [words.cancelled(translateDetail(steps.at(-1)?.detail ?? '', tools))]
  const isUntouched = steps.every(({ takenAt, outcome }) => takenAt === null && outcome === 'waiting')
  if (isUntouched && trace.phase === 'open' && startedAt > Date.now()) return [words.planned(formats.time(startedAt))]
  const sentences = steps.map((step, index) => explainStep(step, index, tools))
  return [...sentences, ...(trace.status === 'READ' ? [words.read] : []), ...explainWait(steps, tools)]
}

function explainStep(step: StepFacts, index: number, tools: ExplainTools): string {
  const { words, formats, startedAt } = tools
  const { startAt, takenAt, endAt, status } = step
  const channel = words.channels[step.channel] ?? step.channel
  const carrier = step.carrier ?? words.carrier
  const why = step.detail === '' ? '' : words.why(shorten(translateDetail(step.detail, tools)))
  const span = (from: number, to: number) => formats.duration(Math.max(0, to - from) / 1_000)
  switch (step.outcome) {
    case 'waiting':
      return words.waiting(channel)
    case 'carried':
      return words.sent(channel, carrier, span(startedAt, takenAt ?? startAt))
    case 'delivered':
      return index === 0
        ? words.delivered(channel, span(startAt, endAt ?? startAt))
        : words.thenDelivered(channel, span(startedAt, takenAt ?? startAt), span(takenAt ?? startAt, endAt ?? startAt))
    case 'answered':
      return words.answered(channel, span(startedAt, endAt ?? startAt))
    case 'expired':
      return takenAt === null
        ? words.waitedInVain(channel, span(startAt, endAt ?? startAt))
        : words.expired(channel, carrier, span(startAt, endAt ?? startAt))
    case 'refused':
      return words.refused(channel, why)
    case 'unreachable':
      return words.unreachable(channel, why)
    case 'failed':
      return words.failed(channel, carrier, why)
    case 'no route':
      return words.noRoute(channel, why)
    case 'filtered':
      return words.filtered(channel, why)
    case 'unknown':
      return words.unknown(channel)
    default:
      return words.other(channel, status)
  }
}

/** Says where the time went, if most of it was spent before the step that delivered. */
function explainWait(steps: readonly StepFacts[], { words, formats, startedAt }: ExplainTools): readonly string[] {
  const delivered = steps.find(({ outcome }) => outcome === 'delivered')
  if (delivered?.endAt == null) return []
  const total = delivered.endAt - startedAt
  const slow = steps.filter((step) => step !== delivered && (step.endAt ?? 0) - step.startAt >= LONG_WAIT_MS)
  const waited = slow.reduce((sum, { startAt, endAt }) => sum + (endAt ?? startAt) - startAt, 0)
  if (waited < LONG_WAIT_MS || waited < total / 2) return []
  const names = slow.map(({ channel }) => words.channels[channel] ?? channel).join(` ${words.and} `)
  return [words.slow(formats.duration(total / 1_000), formats.duration(waited / 1_000), names)]
}

function shorten(text: string): string {
  const plain = text.trim().replace(/[.。]+$/, '')
  return plain.length > MAX_REASON ? `${plain.slice(0, MAX_REASON)}…` : plain
}
