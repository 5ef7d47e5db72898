/** The only source of chance: secure in production, seeded in simulations. */
export interface Random {
  bytes(count: number): Uint8Array
  /** A whole number from 0 to `limit` - 1, evenly. */
  below(limit: number): number
}
