/** The full record of one message, for `posthorn trace` and support. */
import type { AccountInbound } from '../domain/inbound-message.ts'
import type { Posting } from '../domain/ledger.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { TimelineEntry } from '../domain/turn.ts'
import type { TracedReport } from './pending-report.ts'

export interface Trace {
  readonly message: Message
  readonly timeline: readonly TimelineEntry[]
  readonly postings: readonly (Posting & { readonly at: number })[]
  readonly reports: readonly TracedReport[]
  readonly links: readonly TracedLink[]
}

/** The full record of one inbound message of an account. */
export interface InboundTrace {
  readonly inbound: AccountInbound
  readonly carrierId: string
  /** The state of its automatic reply (domain/automatic-reply.ts); null without one. */
  readonly reply: string | null
  readonly reports: readonly TracedReport[]
}

interface TracedLink {
  readonly code: string
  readonly messageId: MessageId
  readonly url: string
  readonly expiresAt: number
  /** Clicks so far: human and automated. */
  readonly humans: number
  readonly robots: number
}
