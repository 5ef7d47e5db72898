/** What is changed of the guards. Every rule is asked before anything is written. */
import type { GuardSettings } from '../../domain/guard-settings.ts'
import type { OptOutChange } from '../../domain/opt-out.ts'
import type { GuardChange } from '../../ports/guard-change.ts'
import { numberKey, toAlarmRow, toNumberRow } from '../rows/directory-rows.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'

export class GuardChanges {
  readonly #rows: SetUpRows
  readonly #hashPhone: Session['hashPhone']

  constructor(session: Session) {
    this.#rows = new SetUpRows(session)
    this.#hashPhone = session.hashPhone
  }

  /** Throws a ChangeRefused. */
  apply(change: GuardChange): null {
    switch (change.kind) {
      case 'set guard settings':
        return this.#setSettings(change.settings)
      case 'list number':
        return this.#rows.put('listed_number', toNumberRow(change.number))
      case 'unlist number':
        if (this.#rows.remove('listed_number', numberKey(change.number)) === 0) refuse('there is no such entry')
        return null
      case 'change opt-outs':
        for (const { optOut } of change.changes) this.#rows.needAccount(optOut.accountId)
        for (const each of change.changes) this.#changeOptOut(each)
        return null
      case 'set traffic alarm':
        return this.#rows.put('traffic_alarm', toAlarmRow(change.alarm))
    }
  }

  /** Whether an account is about to get its first opt-out, which every node has to learn of. */
  getsFirstOptOut(changes: readonly OptOutChange[]): boolean {
    return changes.some(
      ({ kind, optOut }) =>
        kind === 'add' &&
        this.#rows.cell('SELECT 1 FROM opt_out WHERE account_id = ? LIMIT 1', optOut.accountId) === null,
    )
  }

  #setSettings(settings: GuardSettings): null {
    return this.#rows.put('guard_settings', { one: 1, content: JSON.stringify(settings) })
  }

  #changeOptOut({ kind, optOut }: OptOutChange): void {
    const key = { account_id: optOut.accountId, phone: optOut.phone, sender: optOut.sender ?? '' }
    if (kind === 'remove') {
      for (const phone of [key.phone, this.#hashPhone(key.phone)]) {
        this.#rows.remove('opt_out', { ...key, phone, ...(optOut.by === 'word' ? { set_by: 'word' } : {}) })
      }
      return
    }
    const { by, at } = optOut
    this.#rows.run(
      `INSERT INTO opt_out (account_id, phone, sender, set_by, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET set_by = excluded.set_by WHERE excluded.set_by = 'hand'`,
      ...Object.values(key),
      by,
      at,
    )
  }
}
