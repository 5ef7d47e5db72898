/** The store's part in automatic replies: inbound messages whose reply is still to be sent. */
import type { AccountInbound } from '../domain/inbound-message.ts'

export interface PendingReply {
  readonly inbound: AccountInbound
  readonly carrierId: string
}

export interface ReplyResult {
  readonly inbound: Pick<AccountInbound, 'id' | 'accountId'>
  /** The `msg_id` of the reply, or why there is none. */
  readonly reply: string
}

export interface ReplyStore {
  /** Returns up to `limit` inbound messages whose reply is still to be sent. Several nodes may get the same. */
  pendingReplies(limit: number): Promise<readonly PendingReply[]>
  /** Writes the results. Can be repeated. */
  settleReplies(results: readonly ReplyResult[]): Promise<void>
}
