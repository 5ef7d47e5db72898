/** Encrypts texts and secrets for storage. A sealed value names the key that opens it. */
export interface Vault {
  /** The name of the key that seals. */
  readonly keyId: string
  /** Seals with this key from now on. Throws if the key ring has no such key. */
  use(keyId: string): void
  /** Returns the name of the key that opens a sealed value: UNNAMED_KEY if it names none, null if it is not sealed. */
  keyOf(cell: string | Uint8Array): string | null
  /** Returns the text encrypted and authenticated, as printable characters; different every time. */
  seal(text: string): string
  /** Throws if the sealed text was changed, or its key is not in the ring. */
  open(sealed: string): string
  /** Seals bound to the place where the text is stored: it opens at no other. */
  sealAt(text: string, place: string): string
  /**
   * Opens a value sealed at this place, or before values were bound to places. Throws as `open` does, and at another
   * place.
   */
  openAt(sealed: string, place: string): string
  /** Returns whether a sealed value opens only at its place. */
  isBound(cell: string | Uint8Array): boolean
  /** The same as bytes, a quarter shorter. */
  sealBytes(text: string): Uint8Array
  openBytes(sealed: Uint8Array): string
  /** Opens a sealed value; any other value was stored before sealing was introduced, and is returned unchanged. */
  openText(cell: string): string
}
