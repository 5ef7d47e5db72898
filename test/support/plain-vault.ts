/** A vault without a key: turns text round, so that a test sees whether it was sealed and still can read it. */
import type { Vault } from '../../src/ports/vault.ts'

const MARK = 'sealed:'

export class PlainVault implements Vault {
  seal(text: string): string {
    return MARK + Buffer.from(text).toString('base64')
  }

  open(sealed: string): string {
    if (!sealed.startsWith(MARK)) throw new Error('this was not sealed here')
    return Buffer.from(sealed.slice(MARK.length), 'base64').toString()
  }
}
