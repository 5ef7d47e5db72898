/**
 * Lists that grow with traffic, read a page at a time, the newest first. A page is found by where the previous one
 * ended, so that the hundredth costs as little as the first. A page of large rows ends early (MAX_PAGE_BYTES).
 */
import type { AuditEntry } from '../../domain/accounts/audit.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import type { OptOut } from '../../domain/consent/opt-out.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId } from '../../domain/ids/message-id.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Status } from '../../domain/message/status.ts'
import type { Posting } from '../../domain/money/ledger.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { InboundMessage } from '../carriers/carrier.ts'
import type { TracedReport } from './pending-report.ts'

interface Listed {
  /** Where the previous page ended; null for the first. */
  readonly after: number | null
  /** Rows of a page, at least 1. */
  readonly limit: number
}

/** What messages are searched by; null matches anything. */
export interface MessageMatch {
  /** The client's id as the JSON token that was sent. */
  readonly clientId: string | null
  /** The exact sender name of one of its steps. */
  readonly sender: string | null
  /** A carrier that one of its steps was given to, or that was tried last. */
  readonly carrierId: string | null
  /** The channel of its current step, or of the last one once it has ended. */
  readonly channel: Channel | null
  /** The bulk whose line it was; any if absent. */
  readonly bulk?: BulkId | null
  /** When it was accepted, milliseconds: `from` included, `until` excluded. */
  readonly from: number | null
  readonly until: number | null
}

export type PageQuery =
  | (Listed & {
      readonly of: 'messages'
      readonly accountId: AccountId | null
      readonly phone: Phone | null
      readonly status: Status | null
      /** Further conditions. */
      readonly match?: MessageMatch
    })
  | (Listed & { readonly of: 'postings'; readonly accountId: AccountId })
  | (Listed & { readonly of: 'failed reports'; readonly accountId: AccountId | null })
  /** Reports that wait in the store for a hook (`hookOf`). */
  | (Listed & { readonly of: 'waiting reports'; readonly accountId: AccountId; readonly hook: string })
  /** Of one account, `after` and `next` are ids of its inbound messages. `sender`: only those from this phone. */
  | (Listed & { readonly of: 'inbound'; readonly accountId: AccountId | null; readonly sender?: Phone })
  | (Listed & { readonly of: 'opt-outs'; readonly accountId: AccountId | null; readonly phone: Phone | null })
  | (Listed & {
      readonly of: 'audit'
      readonly actors: readonly string[] | null
      readonly subjects: readonly string[] | null
      readonly actions?: readonly string[] | undefined
      /** Milliseconds; included. */
      readonly from?: number | undefined
      /** Not included. */
      readonly until?: number | undefined
    })

export interface ListedInbound extends InboundMessage {
  /** As its account sees it; null for a message of no account. */
  readonly owned: AccountInbound | null
  /** The state of its automatic reply (domain/inbound/automatic-reply.ts); null without one. */
  readonly reply: string | null
}

export interface PageRows {
  /** Without the content of their steps. */
  readonly messages: Message
  readonly postings: Posting & { readonly at: number }
  readonly 'failed reports': TracedReport
  readonly 'waiting reports': TracedReport
  readonly inbound: ListedInbound
  readonly 'opt-outs': OptOut
  readonly audit: AuditEntry
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** `after` of the next page; null if this is the last. */
  readonly next: number | null
}
