/** Reads and writes the name of the key that seals, and reads the secret that hashes phones. */
import { type Command, first, write } from '../statement/command.ts'
import { select, sql } from '../statement/sql.ts'

const KEY = sql<[name: string]>('SELECT sealing_key FROM meta')
const SEAL_WITH = sql('UPDATE meta SET sealing_key = ?')
/** The secret stays the same whichever key seals it. */
const PHONE_SECRET = select<[one: number, secret: string]>('meta', 'one, phone_secret', '')

/** Empty before the first key is named. */
export function* readSealingKey(): Command<string> {
  return (yield* first(KEY))?.[0] ?? ''
}

export function writeSealingKey(name: string): Command<void> {
  return write(SEAL_WITH, [name])
}

export function* readPhoneSecret(): Command<string> {
  return (yield* first(PHONE_SECRET))?.[1] ?? ''
}
