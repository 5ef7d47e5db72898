/** What a program answered to the report of an inbound message: a reply to the phone. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'

export interface HookReply {
  readonly accountId: AccountId
  readonly inboundId: MessageId
  readonly text: string
}
