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
  readonly addresses: AddressVault
}

/** Seals the queries of hook addresses, which may contain tokens. Reads values without a sealed query as they are. */
export interface AddressVault {
  /** False while a gateway runs that does not open them: then addresses are stored as they are. */
  isSealing: boolean
  /** Returns the address with its query sealed; equal addresses may have the same seal. */
  seal(address: string): string
  open(stored: string): string
  /** Seals the queries of all addresses in JSON. */
  sealIn(json: string): string
  openIn(json: string): string
  /** Returns the name of the key of the sealed query; null if it is not sealed. */
  keyOf(stored: string): string | null
  /** The same of each address with a query in JSON. */
  keysIn(json: string): readonly (string | null)[]
}
