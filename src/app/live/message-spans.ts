/** The spans of messages: one of each attempt, of each turn, and of each call to a hook. */
import type { Turn } from '../../domain/journey/turn.ts'
import { urlOf } from '../../domain/reports/report-target.ts'
import type { Attempted } from '../../ports/carriers/attempted.ts'
import type { HookAnswer, HookCall, HookPost } from '../../ports/hooks/hook-post.ts'
import type { Tracing } from '../../ports/system/tracing.ts'

export class MessageSpans {
  readonly #tracing: Tracing

  constructor(tracing: Tracing) {
    this.#tracing = tracing
  }

  /** From the submission to the answer of the carrier. */
  attempt({ message, carrier, submittedAt, tookMs, verdict }: Attempted): void {
    const { trace, attempts } = message.journey
    if (trace === undefined) return
    const facts = {
      'posthorn.message': message.id,
      'posthorn.carrier': carrier.id,
      'posthorn.channel': carrier.channel,
    }
    const span = this.#tracing.start({ name: 'attempt', parent: trace, kind: 'client', at: submittedAt, facts })
    const failure = verdict === 'taken' ? null : verdict
    span.end(submittedAt + tookMs, { 'posthorn.attempt': attempts + 1, 'posthorn.verdict': verdict }, failure)
  }

  /** A turn takes no time of its own: its span shows when it was made, and with which result. */
  turn({ message, timeline }: Turn): void {
    const { trace, status } = message.journey
    if (trace === undefined) return
    for (const { kind, at, step, carrierId } of timeline) {
      const channel = message.plan[step]?.channel ?? 'none'
      const facts = { 'posthorn.message': message.id, 'posthorn.event': kind, 'posthorn.channel': channel }
      const span = this.#tracing.start({ name: 'turn', parent: trace, kind: 'internal', at, facts })
      span.end(
        at,
        { 'posthorn.status': status, ...(carrierId === null ? {} : { 'posthorn.carrier': carrierId }) },
        null,
      )
    }
  }
}

/** Posts with a span for each call that belongs to a trace; its `traceparent` is that of the span. */
export function traceHookPost(hookPost: HookPost, tracing: Tracing, now: () => number): HookPost {
  return {
    post: async (call) => {
      if (call.traceparent === undefined) return hookPost.post(call)
      const span = tracing.start({ ...factsOf(call), parent: call.traceparent, at: now() })
      const answer = await hookPost.post({ ...call, traceparent: span.traceparent })
      span.end(
        now(),
        answer.kind === 'answered' ? { 'http.response.status_code': answer.status } : {},
        failureIn(answer),
      )
      return answer
    },
    reaches: (hook) => hookPost.reaches?.(hook) ?? true,
    stop: () => hookPost.stop(),
  }
}

/** The path and the query of a hook may have secrets. */
function factsOf({ id, address }: HookCall) {
  const facts = { 'posthorn.webhook_id': id, 'server.address': URL.parse(urlOf(address))?.hostname ?? '' }
  return { name: 'report', kind: 'client', facts } as const
}

function failureIn(answer: HookAnswer): string | null {
  if (answer.kind !== 'answered') return answer.reason
  return answer.status >= 200 && answer.status < 300 ? null : `HTTP ${answer.status}`
}
