/** The rows of accounts: making them and changing them. A closed account stays closed, and has no keys. */
import type { AccountSettings } from '../../domain/account.ts'
import type { AccountChange } from '../../ports/account-change.ts'
import type { SealedChange } from '../rows/seal-secrets.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { sweepAnew } from './sweep-anew.ts'

type ChangeOf<Kind extends SealedChange['kind']> = Extract<SealedChange, { kind: Kind }>

export class Accounts {
  readonly #session: Session
  readonly #rows: SetUpRows
  readonly #sweepAnew: ReturnType<typeof sweepAnew>

  constructor(session: Session) {
    this.#session = session
    this.#rows = new SetUpRows(session)
    this.#sweepAnew = sweepAnew(session)
  }

  /** Answers with its id. Throws a ChangeRefused. */
  create({ account, sealHookSecrets }: ChangeOf<'create account'>): number {
    const { name, currency, state, settings } = account
    this.#needFreeName(name)
    const id = Number(
      this.#rows.cell(
        `INSERT INTO account (name, currency, state, hook_secrets, settings) VALUES (?, ?, ?, '', ?)
         RETURNING account_id`,
        name,
        currency,
        state,
        JSON.stringify(settings),
      ),
    )
    this.#rows.run('UPDATE account SET hook_secrets = ? WHERE account_id = ?', sealHookSecrets(id), id)
    this.#rows.run(
      `INSERT INTO pots (account_id, paid, available, held, earned, credit_limit, low_balance, low_told)
       VALUES (?, 0, 0, 0, 0, 0, NULL, 0)`,
      id,
    )
    this.#watchLow(id, settings)
    return id
  }

  /** Throws a ChangeRefused. */
  set({ accountId, name, state, settings }: Extract<AccountChange, { kind: 'set account' }>): null {
    this.#rows.needAccount(accountId)
    const stateBefore = this.#rows.cell('SELECT state FROM account WHERE account_id = ?', accountId)
    if (stateBefore === 'closed' && state !== undefined) refuse(`account ${accountId} is closed, and stays so`)
    const nameBefore = this.#rows.cell('SELECT name FROM account WHERE account_id = ?', accountId)
    if (name !== undefined && name !== nameBefore) this.#needFreeName(name)
    if (settings !== undefined) this.#sweepAnew(accountId, settings)
    this.#rows.run(
      `UPDATE account SET name = coalesce(?, name), state = coalesce(?, state), settings = coalesce(?, settings)
       WHERE account_id = ?`,
      name ?? null,
      state ?? null,
      settings === undefined ? null : JSON.stringify(settings),
      accountId,
    )
    if (settings !== undefined) this.#watchLow(accountId, settings)
    if (state === 'closed') this.#rows.remove('api_key', { account_id: accountId })
    return null
  }

  /** Throws a ChangeRefused. */
  setHookSecrets({ accountId, hookSecrets, oldUntil }: ChangeOf<'set hook secrets'>): null {
    this.#rows.needAccount(accountId)
    const set = 'UPDATE account SET hook_secrets = ?, old_secrets_until = ? WHERE account_id = ?'
    this.#rows.run(set, hookSecrets, oldUntil ?? null, accountId)
    return null
  }

  /** What is low by another measure is told once more; where nobody listens nothing is. */
  #watchLow(accountId: number, { lowBalanceMicros = null, defaultHook = null }: Partial<AccountSettings>): void {
    const lowBalance = defaultHook === null ? null : lowBalanceMicros
    this.#session.purse.forgetAccount(accountId)
    this.#rows.run(
      `UPDATE pots SET low_balance = ?, low_told = CASE WHEN low_balance IS ? THEN low_told ELSE 0 END
       WHERE account_id = ?`,
      lowBalance,
      lowBalance,
      accountId,
    )
  }

  #needFreeName(name: string): void {
    if (this.#rows.cell('SELECT 1 FROM account WHERE name = ?', name) !== null) {
      refuse(`there is an account named ${JSON.stringify(name)} already`)
    }
  }
}
