/** What an operation is once it was read, checked, routed and priced, and nothing was written yet. */
import type { Account } from '../domain/account.ts'
import type { ApiKey } from '../domain/api-key.ts'
import type { Directory } from '../domain/directory.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { RequestUsage } from '../domain/usage.ts'
import type { AcceptItem } from '../ports/intake-store.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { MessageName } from '../ports/message-name.ts'
import type { ResultDraft } from './answer.ts'
import type { OperationTools } from './operation-tools.ts'

/** What the operations of one request have in common. */
export interface Scope {
  readonly tools: OperationTools
  readonly account: Account
  /** The key that the request came with; a test key changes nothing of the account. */
  readonly key: ApiKey
  readonly directory: Directory
  readonly lookup: Lookup
  /** What the client of this operation calls the chat app. */
  readonly chatappName: string
  /** Milliseconds: the time of the request. */
  readonly now: number
  /** Milliseconds: until when the answer may wait for a call to ring; null when it may not. */
  readonly waitUntil: number | null
  readonly newId: () => MessageId
  /** What messages count for; null where nothing is limited. */
  readonly usage: RequestUsage | null
  /** Called before a list of about so many bytes is made. Throws a Refused when the request lists more than it may. */
  readonly countList: (bytes: number) => void
}

/** A question about a message that was accepted before. */
export interface Inquiry {
  readonly about: MessageName
  /** Whether the message is to be cancelled; otherwise its status is asked for. */
  readonly cancels?: true
  /** The client's `id` of the operation as a JSON token; null without one. */
  readonly id: string | null
  /** What of the operation is ignored; absent if nothing is. */
  readonly warnings?: readonly string[]
}

export interface Planned {
  readonly draft: ResultDraft
  /** What the store is to do for it; null when there is nothing, and the draft is the result already. */
  readonly item: AcceptItem | null
}
