/**
 * The sealing key: the database names it, so that every thread and process switches to a new one between two
 * transactions. A wrong key is detected before anything is sealed with it. The secret that hashes phones stays the same
 * whichever key seals it.
 */
import { randomBytes } from 'node:crypto'
import { type Command, first, write } from '../statement/command.ts'
import { select, sql, update } from '../statement/sql.ts'

const SECRET_BYTES = 32

/** Locked until this transaction ends. */
const NAMED = sql<[sealingKey: string, booksFrom: number]>('SELECT sealing_key, books_from FROM meta {lock}')
/** Unless another process has named one. */
const NAME_FIRST = update('meta', 'sealing_key, phone_secret', 'one, sealing_key')
const SECRETS = [
  select('account', 'account_id, hook_secrets', 'LIMIT 1'),
  select('carrier', 'carrier_id, settings', 'LIMIT 1'),
]
const KEY = sql<[name: string]>('SELECT sealing_key FROM meta')
const SEAL_WITH = sql('UPDATE meta SET sealing_key = ?')
const PHONE_SECRET = select<[one: number, secret: string]>('meta', 'one, phone_secret', '')

/** What new leases start with. */
export interface NamedKey {
  readonly sealingKey: string
  readonly booksFrom: number
}

/** Names the newest key of the ring if there is no name yet. Throws if it does not open what was sealed before. */
export function* settleKey(newest: string): Command<NamedKey> {
  const named = yield* readNamed()
  if (named.sealingKey !== '') return named
  for (const secret of SECRETS) yield* first(secret)
  yield* write(NAME_FIRST, [newest, randomBytes(SECRET_BYTES).toString('hex'), 1, ''])
  return yield* readNamed()
}

function* readNamed(): Command<NamedKey> {
  const [sealingKey, booksFrom] = (yield* first(NAMED)) ?? ['', 0]
  return { sealingKey, booksFrom }
}

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
