/** The keys that seal stored data. The store knows them by their names; the keys themselves are never in it. */

export interface Sealing {
  /** Returns the name of the key that seals now. */
  sealingKey(): Promise<string>
  /**
   * Reseals, in slices, everything sealed under another key than the current one, and returns how many values it
   * resealed. After a StoreError the next call continues.
   */
  sealAnew(): Promise<number>
  /** Returns how many values are sealed under each key in use. Reads in slices. */
  countSeals(): Promise<readonly SealCount[]>
}

interface SealCount {
  /** The name of the key; UNNAMED_KEY for values sealed with the first key before keys had names. */
  readonly keyId: string
  readonly seals: number
}

export const UNNAMED_KEY = ''

/** Makes this the sealing key in every process that has the store open. Refused if the key ring has no such key. */
export interface SealingChange {
  readonly kind: 'seal with'
  readonly keyId: string
}
