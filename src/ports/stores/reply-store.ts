/** The store's part in automatic replies: inbound messages whose reply is still to be sent. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'

export interface PendingReply {
  readonly inbound: AccountInbound
  readonly carrierId: string
}

export interface PendingReplyQuery {
  /** Null for the first account of all. */
  readonly after: AccountId | null
  readonly limit: number
}

export interface ReplyResult {
  readonly inbound: Pick<AccountInbound, 'id' | 'accountId'>
  /** The `msg_id` of the reply, or why there is none. */
  readonly reply: string
}

export interface ReplyStore {
  /**
   * Returns inbound messages whose reply is still to be sent: the oldest of the first account after this one that has
   * any, up to a limit. Several nodes may get the same.
   */
  pendingReplies(query: PendingReplyQuery): Promise<readonly PendingReply[]>
  /** Writes the results. Can be repeated. */
  settleReplies(results: readonly ReplyResult[]): Promise<void>
}
