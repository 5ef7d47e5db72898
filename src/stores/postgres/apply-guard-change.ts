/** What is changed of the guards. Every rule is asked before anything is written. */
import type { GuardSettings } from '../../domain/guard-settings.ts'
import { bucketOf } from '../../domain/message-id.ts'
import type { OptOutChange } from '../../domain/opt-out.ts'
import type { GuardChange } from '../../ports/guard-change.ts'
import { numberKey, toAlarmRow, toNumberRow } from '../rows/directory-rows.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'

export class GuardChanges {
  readonly #session: Session
  readonly #rows: SetUpRows

  constructor(session: Session) {
    this.#session = session
    this.#rows = new SetUpRows(session)
  }

  /** Throws a ChangeRefused. */
  async apply(change: GuardChange): Promise<null> {
    switch (change.kind) {
      case 'set guard settings':
        return this.#setSettings(change.settings)
      case 'list number':
        return this.#rows.put('listed_number', toNumberRow(change.number))
      case 'unlist number':
        if ((await this.#rows.remove('listed_number', numberKey(change.number))) === 0) refuse('there is no such entry')
        return null
      case 'change opt-outs':
        for (const { optOut } of change.changes) await this.#rows.needAccount(optOut.accountId)
        for (const each of change.changes) await this.#changeOptOut(each)
        return null
      case 'set traffic alarm':
        return this.#rows.put('traffic_alarm', toAlarmRow(change.alarm))
    }
  }

  /** Whether an account is about to get its first opt-out, which every node has to learn of. */
  async getsFirstOptOut(changes: readonly OptOutChange[]): Promise<boolean> {
    for (const { kind, optOut } of changes) {
      if (kind !== 'add') continue
      const any = 'SELECT 1 FROM opt_out WHERE account_id = ? LIMIT 1'
      if ((await this.#rows.cell(any, optOut.accountId)) === null) return true
    }
    return false
  }

  async #setSettings(settings: GuardSettings): Promise<null> {
    return this.#rows.put('guard_settings', { one: 1, content: JSON.stringify(settings) })
  }

  async #changeOptOut({ kind, optOut }: OptOutChange): Promise<void> {
    const key = {
      bucket: bucketOf(optOut.accountId),
      account_id: optOut.accountId,
      phone: optOut.phone,
      sender: optOut.sender ?? '',
    }
    if (kind === 'remove') {
      for (const phone of [key.phone, this.#session.hashPhone(key.phone)]) {
        await this.#rows.remove('opt_out', { ...key, phone, ...(optOut.by === 'word' ? { set_by: 'word' } : {}) })
      }
      return
    }
    const { by, at } = optOut
    await this.#rows.run(
      `INSERT INTO opt_out (bucket, account_id, phone, sender, set_by, at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (bucket, account_id, phone, sender) DO UPDATE SET set_by = excluded.set_by WHERE excluded.set_by = 'hand'`,
      ...Object.values(key),
      by,
      at,
    )
  }
}
