/** What a store that many nodes share tells a node of itself and of the others. */
import type { MessageId } from '../domain/message-id.ts'

export interface Clustered {
  /** Null where one gateway has the store for itself. */
  readonly cluster: Cluster | null
}

/** What a gateway does: both, take requests alone, or deliver alone. */
export type NodeRole = 'all' | 'api' | 'delivery'

export interface ClusterNode {
  readonly node: number
  /** Of its machine. */
  readonly name: string
  readonly role: NodeRole
  /** Milliseconds, by the clock of the database. */
  readonly startedAt: number
  /** Since it was last heard of, milliseconds. */
  readonly silentMs: number
}

export interface Cluster {
  /** This node's number among all that ever were. */
  readonly node: number
  /**
   * False while this node cannot be sure that the others still count on it: it was frozen, or cut off, and they may be
   * doing its work already. Nothing is to be sent then.
   */
  mayAct(): boolean
  /** Why `mayAct` is false, for operators; null when it is true. */
  whyIdle(): string | null
  /**
   * When a node last found that the database lacked changes that it had acknowledged, milliseconds by the clock of the
   * database: a failover or a restore took it back in time. Null for never.
   */
  rewoundAt(): number | null
  /** How many nodes take requests, as far as this one knows; 1 at least. */
  readonly takers: number
  /**
   * Asks for this node's part of what carriers allow an installation only so many times. Each slot of a carrier is with
   * one node at a time, and evenly spread over those that deliver. A slot that the node has and that is another's turn
   * is given back once it is no longer in use. Answers with the slots that it may use from now on, same order as asked.
   */
  takeSlots(requests: readonly SlotRequest[]): Promise<readonly (readonly number[])[]>
  /**
   * Takes hold of open messages, whenever they are due, unless another node holds them; those that this one holds now, or
   * held before. `release` gives them back.
   */
  hold(ids: readonly MessageId[]): Promise<readonly MessageId[]>
  /** The gateways, this one included, in the order in which they came. */
  nodes(): Promise<readonly ClusterNode[]>
}

/** Slots are numbered from 0. */
export interface SlotRequest {
  readonly carrierId: string
  readonly slots: number
  /** Those that this node's connections still take. */
  readonly inUse: readonly number[]
}
