/** Tokens that are valid once: sign-in links and challenges. The store has only their hashes. */
import { createHash } from 'node:crypto'

/** `purpose` is part of the hash: a token of one purpose is of no use for another. */
export function hashOneTimeToken(purpose: string, token: string): string {
  return createHash('sha256').update(`${purpose} ${token}`).digest('hex')
}
