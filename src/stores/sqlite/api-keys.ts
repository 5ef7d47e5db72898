/** The rows of API keys: adding one, in the place of another perhaps, removing them, and noting when they were used. */
import type { AccountChange, KeyUse } from '../../ports/account-change.ts'
import { toKeyRow } from '../rows/directory-rows.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { Statement } from './statement.ts'

type ChangeOf<Kind extends AccountChange['kind']> = Extract<AccountChange, { kind: Kind }>

export class ApiKeys {
  readonly #rows: SetUpRows

  constructor(session: Session) {
    this.#rows = new SetUpRows(session)
  }

  /** Throws a ChangeRefused. */
  add({ key, replaces }: ChangeOf<'add key'>): null {
    this.#rows.needAccount(key.accountId)
    const state = this.#rows.cell('SELECT state FROM account WHERE account_id = ?', key.accountId)
    if (state === 'closed') refuse(`account ${key.accountId} is closed: no key opens it`)
    if (this.#rows.cell('SELECT 1 FROM api_key WHERE hash = ?', key.hash) !== null) refuse('this key exists already')
    if (replaces !== undefined) {
      const expire = 'UPDATE api_key SET expires_at = ? WHERE hash = ? AND account_id = ?'
      if (this.#rows.run(expire, replaces.expiresAt, replaces.hash, key.accountId) === 0) {
        refuse('the key that is to be replaced does not exist')
      }
    }
    return this.#rows.put('api_key', toKeyRow(key))
  }

  /** Throws a ChangeRefused. */
  remove({ accountId, hashes }: ChangeOf<'remove keys'>): null {
    const isThere = 'SELECT 1 FROM api_key WHERE hash = ? AND account_id = ?'
    if (!hashes.every((hash) => this.#rows.cell(isThere, hash, accountId) !== null)) {
      refuse(`account ${accountId} has no such key`)
    }
    for (const hash of hashes) this.#rows.remove('api_key', { hash })
    return null
  }
}

export function noteKeyUses({ database }: Session): (uses: readonly KeyUse[]) => void {
  const note = new Statement(
    database,
    'UPDATE api_key SET last_used_at = ? WHERE hash = ? AND (last_used_at IS NULL OR last_used_at < ?)',
  )
  return (uses) => {
    for (const { hash, at } of uses) note.run(at, hash, at)
  }
}
