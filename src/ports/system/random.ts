/** The only source of randomness: secure in production, seeded in simulations. */
export interface Random {
  bytes(count: number): Uint8Array
  /** Returns an integer from 0 to `limit` - 1, evenly distributed. */
  below(limit: number): number
}
