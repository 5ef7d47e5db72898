/**
 * What grows with traffic, read a page at a time, the newest first. A page is found by where the one before it ended, so
 * that the hundredth costs what the first does. A page whose rows are large ends early (MAX_PAGE_BYTES).
 */
import type { AccountId } from '../domain/account.ts'
import type { AuditEntry } from '../domain/audit.ts'
import type { Posting } from '../domain/ledger.ts'
import type { Message } from '../domain/message.ts'
import type { OptOut } from '../domain/opt-out.ts'
import type { Phone } from '../domain/phone.ts'
import type { Status } from '../domain/status.ts'
import type { InboundMessage } from './carrier.ts'
import type { TracedReport } from './pending-report.ts'

interface Listed {
  /** Where the page before ended; null for the first. */
  readonly after: number | null
  /** Rows of a page, at least 1. */
  readonly most: number
}

/** What messages are searched by; null for anything. */
export interface MessageMatch {
  /** The client's id as the JSON token that was sent. */
  readonly clientId: string | null
  /** A sender name of one of its steps, letter for letter. */
  readonly sender: string | null
  /** A carrier that one of its steps was given to, or that was asked last. */
  readonly carrierId: string | null
  /** When it was accepted, milliseconds: not before, and before. */
  readonly from: number | null
  readonly until: number | null
}

export type PageQuery =
  | (Listed & {
      readonly of: 'messages'
      readonly accountId: AccountId | null
      readonly phone: Phone | null
      readonly status: Status | null
      /** More that they must fulfil. */
      readonly match?: MessageMatch
    })
  | (Listed & { readonly of: 'postings'; readonly accountId: AccountId })
  | (Listed & { readonly of: 'failed reports'; readonly accountId: AccountId | null })
  | (Listed & { readonly of: 'inbound' })
  | (Listed & { readonly of: 'opt-outs'; readonly accountId: AccountId | null; readonly phone: Phone | null })
  | (Listed & { readonly of: 'audit'; readonly actor: string | null; readonly subjects: readonly string[] | null })

export interface PageRows {
  /** Without what their steps carry. */
  readonly messages: Message
  readonly postings: Posting & { readonly at: number }
  readonly 'failed reports': TracedReport
  readonly inbound: InboundMessage
  readonly 'opt-outs': OptOut
  readonly audit: AuditEntry
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** What `after` is on the next page; null when this is the last. */
  readonly next: number | null
}
