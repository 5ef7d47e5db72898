/** Admin users, their tokens and sessions, and failed logins. */
import type { AdminToken } from '../../domain/admin-user.ts'
import type { LoginTally } from '../../domain/login-limits.ts'
import type { Change } from '../../ports/store.ts'
import { toTokenRow, toUserRow } from '../rows/directory-rows.ts'
import { countLogin, FIND_TALLY, readTally, settledRows, USE_CODE } from '../rows/login-rows.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

export class AdminUsers {
  readonly #rows: SetUpRows

  constructor(session: Session) {
    this.#rows = new SetUpRows(session)
  }

  set({ user }: ChangeOf<'set admin user'>): Promise<null> {
    return this.#rows.put('admin_user', toUserRow(user))
  }

  async addToken(token: AdminToken): Promise<null> {
    const { user, label } = token
    if ((await this.#rows.cell('SELECT 1 FROM admin_user WHERE name = ?', user)) === null)
      refuse(`there is no user ${user}`)
    if ((await this.#rows.cell('SELECT 1 FROM admin_token WHERE "user" = ? AND label = ?', user, label)) !== null) {
      refuse(`${user} has a token labelled ${JSON.stringify(label)} already`)
    }
    return this.#rows.put('admin_token', toTokenRow(token))
  }

  async removeToken({ user, label }: ChangeOf<'remove admin token'>): Promise<null> {
    if ((await this.#rows.remove('admin_token', { user, label })) === 0) {
      refuse(`${user} has no token labelled ${JSON.stringify(label)}`)
    }
    return null
  }

  async proveSession({ user, label, at }: ChangeOf<'prove session'>): Promise<null> {
    const sql = 'UPDATE admin_token SET proved_at = ? WHERE "user" = ? AND label = ? AND proved_at IS NOT NULL'
    if ((await this.#rows.run(sql, at, user, label)) === 0) refuse('the session is not there any more')
    return null
  }

  async setSecrets({ user, passwordHash, totpSecret, keepToken }: ChangeOf<'set admin secrets'>): Promise<null> {
    const sql = 'UPDATE admin_user SET password_hash = ?, totp_secret = ? WHERE name = ?'
    if ((await this.#rows.run(sql, passwordHash, totpSecret, user)) === 0) refuse(`there is no user ${user}`)
    await this.#rows.run('DELETE FROM admin_token WHERE "user" = ? AND label <> ?', user, keepToken ?? '')
    return null
  }

  async countLogin({ keys, at }: ChangeOf<'count login'>): Promise<number> {
    const { waitMs, rows } = countLogin(keys, await Promise.all(keys.map(({ name }) => this.#tally(name))), at)
    for (const row of rows) await this.#rows.put('login_tally', row)
    return waitMs
  }

  async settleLogin({ user, others, step, at }: ChangeOf<'settle login'>): Promise<number> {
    if (step !== null && (await this.#rows.run(USE_CODE, step, user.name, step)) === 0) return 0
    const rows = settledRows(
      user,
      await Promise.all(others.map(async (key) => [key, await this.#tally(key.name)] as const)),
      at,
    )
    for (const row of rows) await this.#rows.put('login_tally', row)
    return 1
  }

  async #tally(name: string): Promise<LoginTally | null> {
    return readTally((await this.#rows.all(FIND_TALLY, name))[0])
  }
}
