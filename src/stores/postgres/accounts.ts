/** The rows of accounts: making them and changing them. A closed account stays closed, and has no keys. */
import { type AccountId, type AccountSettings, toAccountId } from '../../domain/account.ts'
import { bucketOf } from '../../domain/message-id.ts'
import type { AccountChange } from '../../ports/account-change.ts'
import type { SealedChange } from '../rows/seal-secrets.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { sweepAnew } from './sweep-anew.ts'

type ChangeOf<Kind extends SealedChange['kind']> = Extract<SealedChange, { kind: Kind }>

export class Accounts {
  readonly #session: Session
  readonly #rows: SetUpRows

  constructor(session: Session) {
    this.#session = session
    this.#rows = new SetUpRows(session)
  }

  /** Answers with its id. Throws a ChangeRefused. */
  async create({ account, sealHookSecrets }: ChangeOf<'create account'>): Promise<number> {
    const { name, currency, state, settings } = account
    await this.#needFreeName(name)
    const id = Number(
      await this.#rows.cell(
        `INSERT INTO account (name, currency, state, hook_secrets, settings) VALUES (?, ?, ?, '', ?)
         RETURNING account_id`,
        name,
        currency,
        state,
        JSON.stringify(settings),
      ),
    )
    await this.#rows.run('UPDATE account SET hook_secrets = ? WHERE account_id = ?', sealHookSecrets(id), id)
    await this.#rows.run(
      `INSERT INTO pots (bucket, account_id, paid, available, held, earned, postings, credit_limit, low_balance, low_told)
       VALUES (?, ?, 0, 0, 0, 0, 0, 0, NULL, 0)`,
      bucketOf(toAccountId(id)),
      id,
    )
    await this.#watchLow(toAccountId(id), settings)
    return id
  }

  /** Throws a ChangeRefused. */
  async set({ accountId, name, state, settings }: Extract<AccountChange, { kind: 'set account' }>): Promise<null> {
    await this.#rows.needAccount(accountId)
    const stateBefore = await this.#rows.cell('SELECT state FROM account WHERE account_id = ?', accountId)
    if (stateBefore === 'closed' && state !== undefined) refuse(`account ${accountId} is closed, and stays so`)
    const nameBefore = await this.#rows.cell('SELECT name FROM account WHERE account_id = ?', accountId)
    if (name !== undefined && name !== nameBefore) await this.#needFreeName(name)
    if (settings !== undefined) await sweepAnew(this.#session, accountId, settings)
    await this.#rows.run(
      `UPDATE account SET name = coalesce(?, name), state = coalesce(?, state), settings = coalesce(?, settings)
       WHERE account_id = ?`,
      name ?? null,
      state ?? null,
      settings === undefined ? null : JSON.stringify(settings),
      accountId,
    )
    if (settings !== undefined) await this.#watchLow(accountId, settings)
    if (state === 'closed') await this.#rows.remove('api_key', { account_id: accountId })
    return null
  }

  /** Throws a ChangeRefused. */
  async setHookSecrets({ accountId, hookSecrets, oldUntil }: ChangeOf<'set hook secrets'>): Promise<null> {
    await this.#rows.needAccount(accountId)
    const set = 'UPDATE account SET hook_secrets = ?, old_secrets_until = ? WHERE account_id = ?'
    await this.#rows.run(set, hookSecrets, oldUntil ?? null, accountId)
    return null
  }

  /** What is low by another measure is told once more; where nobody listens nothing is. */
  async #watchLow(
    accountId: AccountId,
    { lowBalanceMicros = null, defaultHook = null }: Partial<AccountSettings>,
  ): Promise<void> {
    const lowBalance = defaultHook === null ? null : lowBalanceMicros
    const { purse } = this.#session
    await purse.lock([accountId])
    const isTold = purse.changeLowBalance(accountId, lowBalance)
    await this.#rows.run(
      'UPDATE pots SET low_balance = ?, low_told = ? WHERE bucket = ? AND account_id = ?',
      lowBalance,
      Number(isTold),
      bucketOf(accountId),
      accountId,
    )
  }

  async #needFreeName(name: string): Promise<void> {
    if ((await this.#rows.cell('SELECT 1 FROM account WHERE name = ?', name)) !== null) {
      refuse(`there is an account named ${JSON.stringify(name)} already`)
    }
  }
}
