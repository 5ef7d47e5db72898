/** Replaces rich content by the plain content of its step. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { TextContent } from '../../domain/message/message.ts'

export function withoutRich({ rich: _, ...plain }: TextContent): TextContent {
  return plain
}

/** Returns the verdict on the plain content, with the reason why it was sent. */
export function onPlain(verdict: Verdict, reason: string): Verdict {
  return verdict.kind === 'taken' ? { ...verdict, note: `without the rich content: ${reason}` } : verdict
}
