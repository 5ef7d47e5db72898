/** What the page of one message knows of it. */
import type { AnswerOf } from '../../api/api.ts'
import type { Trace } from '../../features/messages/message-facts.ts'

export type Details = AnswerOf<'GET', '/messages/{message}/details'>

export interface PageFacts {
  readonly trace: Trace
  /** Undefined until they are read, and for users who may not see them. */
  readonly details: Details | undefined
}

/** Returns when the way of the message began, milliseconds: its planned time or an earlier sending, or its request. */
export function startOf(trace: Trace, details: Details | undefined): number {
  return Date.parse(details?.starts_at ?? trace.accepted_at)
}
