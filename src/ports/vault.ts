/** Keeps secrets unreadable where they are stored. */
export interface Vault {
  /** The text encrypted and authenticated, as printable characters; different every time. */
  seal(text: string): string
  /** Throws when the sealed text was changed or belongs to another key. */
  open(sealed: string): string
}
