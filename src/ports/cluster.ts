/** What a store that many nodes share tells a node of itself and of the others. */

export interface Clustered {
  /** Null where one gateway has the store for itself. */
  readonly cluster: Cluster | null
}

export interface Cluster {
  /** This node's number among all that ever were. */
  readonly node: number
  /**
   * False while this node cannot be sure that the others still count on it: it was frozen, or cut off, and they may be
   * doing its work already. Nothing is to be sent then.
   */
  mayAct(): boolean
  /**
   * Asks for this node's part of what carriers allow an installation only so many times. Each seat of a carrier is with
   * one node at a time, and evenly spread over those that deliver. A seat that the node has and that is another's turn
   * is given back once it is no longer in use. Answers with the seats that it may use from now on, same order as asked.
   */
  takeSeats(wishes: readonly SeatWish[]): Promise<readonly (readonly number[])[]>
}

/** Seats are numbered from 0. */
export interface SeatWish {
  readonly carrierId: string
  readonly seats: number
  /** Those that this node's connections still take. */
  readonly inUse: readonly number[]
}
