/**
 * The store's part in long messages whose parts arrive one by one, each acknowledged when it is stored; and the ids of
 * SMPP clients that are not those of messages.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Report } from '../../domain/reports/report.ts'

/** Names the long message of a part. */
export interface LongMessageKey {
  readonly accountId: AccountId
  readonly login: string
  /** A keyed hash of what the parts of one message have in common. */
  readonly message: string
}

export interface WaitingPart extends LongMessageKey {
  /** From 1. */
  readonly number: number
  /** Made like a message id. */
  readonly partId: MessageId
  readonly text: string
  /** What else the message needs, opaque. */
  readonly facts: string
  /** Milliseconds. */
  readonly at: number
}

export interface NewPart extends Omit<WaitingPart, 'message'> {
  /** What the parts of one message have in common; stored as a hash. */
  readonly joinedBy: string
  readonly once: Once | null
}

/** What a repeat that must get the same id has in common with what it repeats. */
export interface Once {
  /** Stored as a hash. */
  readonly key: string
  /** Milliseconds: what was accepted earlier is not repeated. */
  readonly since: number
}

/** The ids that a client got for messages, besides those of the messages. */
export interface NamedMessages {
  readonly accountId: AccountId
  readonly names: readonly { readonly id: MessageId; readonly onceKey: string | null }[]
  /** Each id stands for all of them. */
  readonly messageIds: readonly MessageId[]
  /** Milliseconds. */
  readonly at: number
  readonly keepUntil: number
}

/** What a client's id stands for. */
export interface Named {
  readonly messageIds: readonly MessageId[]
  /** The parts so far of a message that waits for others. */
  readonly waiting: readonly WaitingPart[]
}

/** Maximum of parts of one login that wait at a time. */
export const MAX_WAITING_PARTS = 2_000

/** How long the parts of a message that has ended are known: a client repeats those whose response it missed. */
export const PARTS_REMEMBERED_MS = 120_000

export type KeptPart =
  /** Too many parts of the login wait. */
  | { readonly kind: 'full' }
  | {
      readonly kind: 'kept'
      /** That of the first time if the same part was stored before. */
      readonly partId: MessageId
      /** All parts of the message so far, by number; none if the message has ended. */
      readonly parts: readonly WaitingPart[]
    }
  /** An earlier message, whose other parts have not come, has the same key. Nothing was stored. */
  | { readonly kind: 'taken'; readonly parts: readonly WaitingPart[] }

export interface EndedParts extends LongMessageKey {
  readonly partIds: readonly MessageId[]
  /** Of a message that was accepted; written in the same transaction. */
  readonly named: NamedMessages | null
  /** Written in the same transaction, unless the parts have ended already; null for none. */
  readonly report: Report | null
  readonly at: number
}

export interface PartStore {
  /**
   * Stores a part, unless it is stored already or repeats one of a message that ended a short while ago. One that must
   * be taken once keeps the id of the first time: another part may make it another message.
   */
  keepPart(part: NewPart): Promise<KeptPart>
  /** Ends parts of a message that was accepted, refused, or given up. */
  endParts(ended: EndedParts): Promise<void>
  /** Returns the messages of the oldest parts that were stored at this time or before, with their parts by number. */
  oldParts(until: number): Promise<readonly (readonly WaitingPart[])[]>
  /** Stores what an id stands for. Returns the id of what this repeats; otherwise the id itself. */
  nameMessages(named: OneName): Promise<MessageId>
  findNamed(of: NameQuery): Promise<Named>
}

export interface OneName extends Omit<NamedMessages, 'names'> {
  readonly id: MessageId
  readonly once: Once | null
}

export interface NameQuery {
  readonly accountId: AccountId
  readonly login: string
  readonly id: MessageId
}
