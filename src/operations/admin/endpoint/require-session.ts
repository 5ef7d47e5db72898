/** For changes of who may log in, and how, which a stolen token must not make. */
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Actor } from './endpoint.ts'

/** Returns the session. Throws ChangeRefused for a token that is none. */
export function requireSession({ session }: Actor, what: string): NonNullable<Actor['session']> {
  if (session === null) throw new ChangeRefused(`to change ${what}, log in: a token does not prove who uses it`)
  return session
}
