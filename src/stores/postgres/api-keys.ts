/** The rows of API keys: adding one, in the place of another perhaps, removing them, and noting when they were used. */
import type { AccountChange, KeyUse } from '../../ports/account-change.ts'
import { toKeyRow } from '../rows/directory-rows.ts'
import type { Link } from './link.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { rare, unnest } from './statement.ts'

type ChangeOf<Kind extends AccountChange['kind']> = Extract<AccountChange, { kind: Kind }>

export class ApiKeys {
  readonly #rows: SetUpRows

  constructor(session: Session) {
    this.#rows = new SetUpRows(session)
  }

  /** Throws a ChangeRefused. */
  async add({ key, replaces }: ChangeOf<'add key'>): Promise<null> {
    await this.#rows.needAccount(key.accountId)
    const state = await this.#rows.cell('SELECT state FROM account WHERE account_id = ?', key.accountId)
    if (state === 'closed') refuse(`account ${key.accountId} is closed: no key opens it`)
    if ((await this.#rows.cell('SELECT 1 FROM api_key WHERE hash = ?', key.hash)) !== null)
      refuse('this key exists already')
    if (replaces !== undefined) {
      const expire = 'UPDATE api_key SET expires_at = ? WHERE hash = ? AND account_id = ?'
      if ((await this.#rows.run(expire, replaces.expiresAt, replaces.hash, key.accountId)) === 0) {
        refuse('the key that is to be replaced does not exist')
      }
    }
    return this.#rows.put('api_key', toKeyRow(key))
  }

  /** Throws a ChangeRefused. */
  async remove({ accountId, hashes }: ChangeOf<'remove keys'>): Promise<null> {
    const isThere = 'SELECT 1 FROM api_key WHERE hash = ? AND account_id = ?'
    for (const hash of hashes) {
      const found = await this.#rows.cell(isThere, hash, accountId)
      if (found === null) refuse(`account ${accountId} has no such key`)
    }
    for (const hash of hashes) await this.#rows.remove('api_key', { hash })
    return null
  }
}

const NOTE = rare(
  `UPDATE api_key SET last_used_at = new.at FROM ${unnest({ hash: 'text', at: 'bigint' }, 1)}
   WHERE api_key.hash = new.hash AND (last_used_at IS NULL OR last_used_at < new.at)`,
)

/** Asked again after a failure it does the same again. */
export async function noteKeyUses(link: Link, uses: readonly KeyUse[]): Promise<void> {
  await link.ask(
    NOTE,
    uses.map(({ hash }) => hash),
    uses.map(({ at }) => at),
  )
}
