/** Cluster information and coordination, from a store that many nodes share. */
import type { MessageId } from '../../domain/ids/message-id.ts'

export interface Clustered {
  /** Null if one gateway has the store for itself. */
  readonly cluster: Cluster | null
  readonly database: DatabaseFacts
}

/** What the installation is stored in. */
interface DatabaseFacts {
  readonly kind: 'sqlite' | 'postgresql'
  /** Version of its schema. */
  readonly schema: number
}

/** What a gateway does: everything, only take requests, or only deliver. */
export type NodeRole = 'all' | 'api' | 'delivery'

export interface ClusterNode {
  readonly node: number
  /** Of its machine. */
  readonly name: string
  readonly role: NodeRole
  /** Milliseconds, by the clock of the database. */
  readonly startedAt: number
  /** Since its last heartbeat, milliseconds. */
  readonly silentMs: number
  /** Of its program; empty if it is older than this column. */
  readonly version: string
  /** Connection slots of carriers that it holds. */
  readonly slots: number
}

export interface Cluster {
  /** This node's number, never used again. */
  readonly node: number
  /**
   * False while other nodes may consider this node dead: it was frozen, or cut off, and they may be doing its work
   * already. Send nothing then.
   */
  mayAct(): boolean
  /**
   * Whether this node does what one node does for the installation, such as checking its conditions. One at a time,
   * except for moments in which nodes come or go.
   */
  leads(): boolean
  /** Returns why `mayAct` is false, for operators; null if it is true. */
  whyIdle(): string | null
  /**
   * Returns when a node last found that the database lacked acknowledged changes, milliseconds by the clock of the
   * database: after a failover or a restore that lost data. Null for never.
   */
  rewoundAt(): number | null
  /** How many nodes take requests, as far as this one knows; at least 1. */
  readonly intakeNodes: number
  /** How many nodes deliver, the same way. */
  readonly deliveringNodes: number
  /**
   * Asks for this node's part of what carriers allow an installation only so many times. Each slot of a carrier is with
   * one node at a time, and evenly spread over those that deliver. A slot that the node has and that is another's turn
   * is given back once it is no longer in use. Answers with the slots that it may use from now on, same order as asked.
   */
  takeSlots(requests: readonly SlotRequest[]): Promise<readonly (readonly number[])[]>
  /** Takes one of so many places for connections of a login; returns its number, from 0, or null if none is free. */
  takePlace(order: PlaceOrder): Promise<number | null>
  leavePlace(login: string, place: number): Promise<void>
  /** Writes how these connections are now, for the operators of other nodes. */
  notePlaces(places: readonly NotedPlace[]): Promise<void>
  /** Returns the connections of these logins to all nodes. */
  places(logins: readonly string[]): Promise<readonly LoginPlace[]>
  /**
   * Takes hold of open messages, whenever they are due, unless another node holds them; those that this one holds now,
   * or held before. `release` gives them back.
   */
  hold(ids: readonly MessageId[]): Promise<readonly MessageId[]>
  /** Returns the gateways, this one included, in order of their start. */
  nodes(): Promise<readonly ClusterNode[]>
}

/** Asks for a place for a connection of a login. */
export interface PlaceOrder {
  readonly login: string
  readonly max: number
  readonly facts: BindFacts
}

export interface NotedPlace {
  readonly login: string
  readonly place: number
  readonly facts: BindFacts
}

export interface LoginPlace {
  readonly login: string
  readonly node: number
  readonly facts: BindFacts
}

/** A connection of a login, for operators. */
export interface BindFacts {
  readonly mode: 'transmitter' | 'receiver' | 'transceiver'
  readonly address: string | null
  /** As the client named its kind of system. */
  readonly systemType: string
  /** Milliseconds. */
  readonly boundAt: number
  /** Requests of the client since then, and those that are being stored. */
  readonly submitted: number
  readonly unanswered: number
  /** Receipts and inbound messages that it has acknowledged. */
  readonly delivered: number
}

/** Slots are numbered from 0. */
export interface SlotRequest {
  readonly carrierId: string
  readonly slots: number
  /** Slots that this node's connections still use. */
  readonly inUse: readonly number[]
}
