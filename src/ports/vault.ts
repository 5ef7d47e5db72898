/** Keeps texts and secrets unreadable where they are stored. What is sealed names the key that opens it. */
export interface Vault {
  /** The name of the key that seals. */
  readonly keyId: string
  /** Seals with this key from now on. Throws when the ring of keys has no such key. */
  use(keyId: string): void
  /** The name of the key that opens a seal: UNNAMED_KEY when it names none, null for what is no seal. */
  keyOf(cell: string | Uint8Array): string | null
  /** The text encrypted and authenticated, as printable characters; different every time. */
  seal(text: string): string
  /** Throws when the sealed text was changed, or when its key is not in the ring. */
  open(sealed: string): string
  /** Seals together with the place where the text is kept: it opens at no other. */
  sealAt(text: string, place: string): string
  /** Opens what was sealed at this place, or before places were sealed. Throws as `open` does, and at another place. */
  openAt(sealed: string, place: string): string
  /** Whether a seal is one that opens at its place alone. */
  isBound(cell: string | Uint8Array): boolean
  /** The same in bytes, a quarter shorter. */
  sealBytes(text: string): Uint8Array
  openBytes(sealed: Uint8Array): string
  /** Opens what is sealed; anything else was written before texts were sealed, and is the text itself. */
  openText(cell: string): string
}
