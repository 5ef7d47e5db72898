/** The keys that seal what a store keeps. The store knows them by their names; the keys themselves are never in it. */

export interface Sealing {
  /** The name of the key that seals now. */
  sealingKey(): Promise<string>
  /**
   * Seals anew, in slices, whatever is sealed under another key than the one that seals now; answers with how much that
   * was. What is left after a StoreError is done by the next call.
   */
  sealAnew(): Promise<number>
  /** How much is sealed under each key that something is sealed under. Reads bit by bit. */
  countSeals(): Promise<readonly SealCount[]>
}

interface SealCount {
  /** The name of the key; UNNAMED_KEY for what was sealed before keys had names, with the first of them. */
  readonly keyId: string
  readonly seals: number
}

export const UNNAMED_KEY = ''

/** This key seals from now on, in every process that has the store open. Refused when the ring has no such key. */
export interface SealingChange {
  readonly kind: 'seal with'
  readonly keyId: string
}
