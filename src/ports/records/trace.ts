/** The full record of one message, for `posthorn trace` and support. */
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'
import type { TimelineEntry } from '../../domain/journey/turn.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Posting } from '../../domain/money/ledger.ts'
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
  /** The state of its automatic reply (domain/inbound/automatic-reply.ts); null without one. */
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
